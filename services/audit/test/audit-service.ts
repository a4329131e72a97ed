import {
  compileRole,
  idOf,
  narrowToDivision,
  systemRoles,
  type DivisionId,
  type eventSchema,
  type RolePermissionsInput,
  type TenantId,
} from '@sluice/contracts';
import { readConfig, type Log } from '@sluice/service';
import { openKysely } from '@sluice/service/kysely';
import {
  aGrant,
  client,
  eventually,
  metricsOf,
  publishGrant,
  say,
  ServiceFixture,
  type FixtureOptions,
} from '@sluice/testing';
import pg from 'pg';
import winston from 'winston';
import type { z } from 'zod';
import { startAudit } from '../src/app.ts';
import { auditEnvironment } from '../src/config.ts';
import type { Database, Tables } from '../src/database/tables.ts';
import type { components } from '../src/generated/api.ts';

/** An event as it travels, before it is checked. */
export type EventMessage = z.input<typeof eventSchema>;

const settings = {
  SECRETS_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
  // servers of tests
  SINKS_ALLOWED: '127.0.0.0/8',
  SINK_RETRY_SECONDS: '0.02',
};

const quiet: Log = winston.createLogger({ silent: true });

export interface Listing {
  items: components['schemas']['AuditEntry'][];
  page: number;
  total_results: number;
  total_pages: number;
}

/** What a text says of itself, if anything. */
function headOf(text: string): Partial<EventMessage> {
  try {
    return JSON.parse(text) as Partial<EventMessage>;
  } catch {
    return {};
  }
}

/** The audit service under test, and the rest of Sluice as it sees it: what comes over NATS. */
export const auditService = (options?: FixtureOptions) => new AuditService(options);

export class AuditService extends ServiceFixture {
  #database: { url: string; opened: Database } | undefined;

  constructor(options?: FixtureOptions) {
    super((environment) => startAudit(readConfig(auditEnvironment, environment), quiet), {
      sender: 'audit',
      writer: true,
      playsMainApi: true,
      ...options,
      environment: { ...settings, ...options?.environment },
    });
  }

  /** Its database, for the service's stores. */
  get database(): Database {
    const url = this.databaseUrl;
    if (this.#database?.url === url) return this.#database.opened;
    const pool = new pg.Pool({ connectionString: url, max: 2 });
    this.onClose(() => pool.end());
    this.#database = { url, opened: openKysely<Tables>(pool) };
    return this.#database.opened;
  }

  /** Publishes a message to the events; text goes out as it is. @param sentAt when, by the clock of its sender */
  async publish(message: EventMessage | string, sentAt?: Date): Promise<void> {
    const { subjects } = this.topology;
    const { tenant_id = 1, type = 'unknown' } = typeof message === 'string' ? headOf(message) : message;
    const subject = subjects.event('main-api', idOf<TenantId>(tenant_id), type);
    await say(this, 'main-api', subject, message, sentAt);
  }

  /** The token of a new key, once every replica accepts it. */
  async key({
    tenant = 1,
    role = systemRoles.admin,
    division,
  }: { tenant?: number; role?: RolePermissionsInput; division?: number } = {}): Promise<string> {
    const compiled = compileRole(role);
    const division_id = division === undefined ? null : idOf<DivisionId>(division);
    const permissions = division_id === null ? compiled : narrowToDivision(compiled, division_id);
    const token = await publishGrant(
      this,
      aGrant({ tenant_id: idOf<TenantId>(tenant), permissions, division_id }),
    );
    for (const { url } of this.replicas)
      await eventually(async () =>
        expect((await client(url, token).get('/audit/types')).status).not.toBe(401),
      );
    return token;
  }
}

/** A running audit service. */
export interface Replica {
  url: string;
}

/** The first 100 entries of a tenant that satisfy the query. */
export async function entries(replica: Replica, token: string, query = '', tenant = 1): Promise<Listing> {
  const path = `/audit/tenants/${tenant}?results=100${query && `&${query}`}`;
  const { status, body } = await client(replica.url, token).get<Listing>(path);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

export type Verification = components['schemas']['AuditVerification'];

/** What a replica says of the log of a tenant. */
export async function verified({ url }: Replica, token: string, tenant = 1): Promise<Verification> {
  const { status, body } = await client(url, token).get<Verification>(`/audit/tenants/${tenant}/verify`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

/** How many events this replica has handled since its start. */
export async function handledBy({ url }: Replica): Promise<number> {
  const metrics = await metricsOf(url);
  return Number(/^sluice_messages_handled_total\{consumer="audit"\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
}
