import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { connect } from '@nats-io/transport-node';
import { idOf, topology, type TenantId } from '@sluice/contracts';
import { GrantLeases } from '@sluice/grants';
import { secretBox, secretKeysSchema } from '@sluice/system/secrets';
import { freePort, startNats, startPostgres } from '@sluice/embedded';
import {
  aGrant,
  eventually,
  makeStreams,
  PlayedMainApi,
  publishGrant,
  say,
  simulatedShape,
  testKeys,
} from '@sluice/testing';

const program = join(
  import.meta.dirname,
  '../../../services/supervisor/test/fixtures/simulated-supervisor.ts',
);

/** What lives from this id on has been inserted, and runs already. */
export const firstInserted = 1_000_000;

/** So many replicas of a supervisor with simulated nodes, on a PostgreSQL and a NATS of their own; main-api is played. */
export async function startRegion(replicas = 1) {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-'));
  const postgres = await startPostgres({ folder: join(folder, 'postgres'), durable: false });
  const server = await startNats({ folder: join(folder, 'nats') });
  const nats = await connect({ servers: server.url });
  const names = topology('sluice');
  await makeStreams(nats, names);
  const mainApi = new PlayedMainApi({ nats, topology: names });
  await mainApi.makeBuckets();
  const leases = new GrantLeases(nats, names, 2);
  await leases.open();

  const secretsKeys = `bench:${randomBytes(32).toString('base64')}`;
  const box = secretBox(secretKeysSchema.parse(secretsKeys));
  const environment = {
    PATH: process.env['PATH'] ?? '',
    NODE_OPTIONS: '--inspect-port=127.0.0.1:0',
    DATABASE_URL: postgres.url,
    NATS_URL: server.url,
    SIGNING_KEYS: testKeys.signing.get('supervisor/cloud_a/us-east-1') ?? '',
    TRUSTED_KEYS: testKeys.trusted,
    CLOUD: 'cloud_a',
    REGION: 'us-east-1',
    SECRETS_KEYS: secretsKeys,
    LOCAL_NODES_DIR: join(folder, 'nodes'),
    LOCAL_RUNTIME_DIR: join(folder, 'runtime'),
    HEARTBEAT_SECONDS: '10',
  };
  const supervisors = await Promise.all(
    Array.from({ length: replicas }, (_, index) =>
      startSupervisor(environment, join(folder, `supervisor-${index}.log`)),
    ),
  );
  const pool = new pg.Pool({ connectionString: postgres.url, max: 2, idleTimeoutMillis: 0 });

  const log = supervisors[0]?.log ?? '';
  let created = 0;
  return {
    urls: supervisors.map(({ url }) => url),
    pool,
    databaseUrl: postgres.url,
    supervisors: supervisors.map(({ pid }) => pid),
    postgres: postgres.pid,
    log,
    /** A secret as the supervisor stores it. */
    seal: (secret: string) => box.seal(secret),
    /** A key of an admin of this tenant. */
    key: (tenant: number): Promise<string> =>
      publishGrant({ nats, topology: names }, aGrant({ tenant_id: idOf<TenantId>(tenant) })),
    /** Has a new deployment made. @returns the milliseconds until it is initialized */
    async create(): Promise<number> {
      const id = ++created;
      const cause = { author: null, api_key: null, correlation_id: null };
      const data = { generation: 1, deployment: simulatedShape(id), cause };
      const type = 'deployment_apply';
      const begun = performance.now();
      await say({ nats }, 'main-api', names.subjects.command('cloud_a', 'us-east-1', type), {
        ...{ id: randomUUID(), type, occurred_at: new Date(), correlation_id: null, data },
      });
      await eventually(
        async () => {
          const found = await pool.query("SELECT FROM deployments WHERE id = $1 AND status = 'initialized'", [
            id,
          ]);
          if (found.rowCount === 0) throw new Error(`deployment ${id} is not initialized: ${log}`);
        },
        { timeoutMs: 60_000, everyMs: 10 },
      );
      return performance.now() - begun;
    },
    async remove(): Promise<void> {
      for (const supervisor of supervisors) supervisor.kill();
      leases.close();
      mainApi.close();
      await pool.end();
      await nats.close();
      await server.stop();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

async function startSupervisor(environment: NodeJS.ProcessEnv, log: string) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const output = openSync(log, 'a');
  const child = spawn(process.execPath, [program, String(firstInserted)], {
    env: { ...environment, PORT: String(port), PUBLIC_URL: url },
    stdio: ['ignore', output, output],
  });
  await eventually(
    async () => {
      if (!(await fetch(`${url}/readyz`)).ok) throw new Error(`a supervisor is not ready: ${log}`);
    },
    { timeoutMs: 120_000 },
  );
  return { url, log, pid: child.pid ?? 0, kill: () => child.kill('SIGKILL') };
}
