import {
  compileRole,
  grantKey,
  narrowToDivision,
  newApiToken,
  systemRoles,
  topology,
  idOf,
  type DivisionId,
  type eventSchema,
  type TenantId,
  type RolePermissionsInput,
  type Topology,
} from '@sluice/contracts';
import { jetstream } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { readConfig, serviceEnvironment, type Log, type RunningService } from '@sluice/service-kit';
import { eventually, testDatabase, testNats } from '@sluice/testing';
import pg from 'pg';
import winston from 'winston';
import type { z } from 'zod';
import { startAudit } from '../src/app.ts';
import type { components } from '../src/generated/api.ts';

/** An event as it travels, before it is checked. */
export type EventMessage = z.input<typeof eventSchema>;

const quiet: Log = winston.createLogger({ silent: true });

export interface Listing {
  items: components['schemas']['AuditEntry'][];
  page: number;
  total_results: number;
  total_pages: number;
}

/** The audit service under test, and the rest of Sluice as it sees it: what comes over NATS. */
export interface Stage {
  databaseUrl: string;
  natsUrl: string;
  topology: Topology;
  nats: NatsConnection;
  /** Starts one more replica; it is stopped by `end` unless it was before. */
  start(): Promise<Replica>;
  /** Publishes a message to the events; text goes out as it is. */
  publish(message: EventMessage | string): Promise<void>;
  /** Publishes the grant of a new key, as main-api does, and answers the key's token. */
  key(options?: { tenant?: number; role?: RolePermissionsInput; division?: number }): Promise<string>;
  end(): Promise<void>;
}

export interface Replica {
  url: string;
  service: RunningService;
}

export async function setStage(servers: { postgresUrl?: string; natsUrl?: string } = {}): Promise<Stage> {
  const database = servers.postgresUrl ? undefined : await testDatabase();
  const shared = testNats();
  const databaseUrl = servers.postgresUrl ?? database?.url ?? '';
  const natsUrl = servers.natsUrl ?? shared.url;
  const names = topology(shared.namespace);
  const nats = await connect({ servers: natsUrl, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
  const replicas = new Set<Replica>();

  return {
    databaseUrl,
    natsUrl,
    topology: names,
    nats,
    async start() {
      const environment = readConfig(serviceEnvironment, {
        PORT: '0',
        DATABASE_URL: databaseUrl,
        NATS_URL: natsUrl,
        NATS_NAMESPACE: shared.namespace,
        VALIDATE_RESPONSES: 'true',
      });
      const service = await startAudit(environment, quiet);
      const replica: Replica = {
        url: `http://127.0.0.1:${service.port}`,
        service: {
          port: service.port,
          async stop() {
            if (replicas.delete(replica)) await service.stop();
          },
        },
      };
      replicas.add(replica);
      return replica;
    },
    async publish(message) {
      const isText = typeof message === 'string';
      const subject = isText
        ? names.subjects.event(idOf<TenantId>(1), 'unknown')
        : names.subjects.event(idOf<TenantId>(message.tenant_id), message.type);
      await jetstream(nats).publish(subject, isText ? message : JSON.stringify(message));
    },
    async key({ tenant = 1, role = systemRoles.admin, division } = {}) {
      const token = newApiToken();
      const compiled = compileRole(role);
      const grant = {
        tenant_id: tenant,
        user: { id: 7, name: 'Ada' },
        api_key: { id: 9, name: 'key' },
        owner: false,
        permissions:
          division === undefined ? compiled : narrowToDivision(compiled, idOf<DivisionId>(division)),
        division_id: division ?? null,
        allowed_ips: null,
        expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      };
      await jetstream(nats).publish(`$KV.${names.buckets.grants}.${grantKey(token)}`, JSON.stringify(grant));
      for (const { url } of replicas)
        await eventually(async () => expect((await get(url, '/audit/types', token)).status).toBe(200));
      return token;
    },
    async end() {
      for (const { service } of [...replicas]) await service.stop();
      await nats.close();
      await database?.drop();
      if (!servers.natsUrl) await shared.deleteNamespace();
    },
  };
}

export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

export async function get<Body>(url: string, path: string, token?: string): Promise<Answer<Body>> {
  const response = await fetch(url + path, { headers: token === undefined ? {} : { 'svc-api-key': token } });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
}

/** The first 100 entries of a tenant that satisfy the query. */
export async function entries(replica: Replica, token: string, query = '', tenant = 1): Promise<Listing> {
  const path = `/audit/tenants/${tenant}?results=100${query && `&${query}`}`;
  const { status, body } = await get<Listing>(replica.url, path, token);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

/** How many events this replica has handled since its start. */
export async function handledBy({ url }: Replica): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^sluice_messages_handled_total\{consumer="audit"\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
}

export async function inDatabase(stage: Stage, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: stage.databaseUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
