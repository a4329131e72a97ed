import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { connect } from '@nats-io/transport-node';
import { topology } from '@sluice/contracts';
import { freePort, startNats, startPostgres } from '@sluice/embedded';
import { eventually, makeStreams, PlayedMainApi, say, simulatedShape, testKeys } from '@sluice/testing';

const services = join(import.meta.dirname, '../../../services');

/** What lives from this id on has been inserted, and runs already. */
export const firstInserted = 1_000_000;

/** One supervisor with simulated nodes, on a PostgreSQL and a NATS of its own; main-api is played. */
export async function startRegion() {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-'));
  const postgres = await startPostgres({ folder: join(folder, 'postgres'), durable: false });
  const server = await startNats({ folder: join(folder, 'nats') });
  const nats = await connect({ servers: server.url });
  const names = topology('sluice');
  await makeStreams(nats, names);
  const mainApi = new PlayedMainApi({ nats, topology: names });
  await mainApi.makeBuckets();

  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const logFile = join(folder, 'supervisor.log');
  const log = openSync(logFile, 'a');
  const program = join(services, 'supervisor/test/simulated-supervisor.ts');
  const child = spawn(process.execPath, [program, String(firstInserted)], {
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_OPTIONS: '--inspect-port=127.0.0.1:0',
      PORT: String(port),
      PUBLIC_URL: url,
      DATABASE_URL: postgres.url,
      NATS_URL: server.url,
      SIGNING_KEYS: testKeys.signing.get('supervisor/cloud_a/us-east-1') ?? '',
      TRUSTED_KEYS: testKeys.trusted,
      CLOUD: 'cloud_a',
      REGION: 'us-east-1',
      SECRETS_KEYS: `bench:${randomBytes(32).toString('base64')}`,
      LOCAL_NODES_DIR: join(folder, 'nodes'),
      HEARTBEAT_SECONDS: '10',
    },
    stdio: ['ignore', log, log],
  });
  const pool = new pg.Pool({ connectionString: postgres.url, max: 2, idleTimeoutMillis: 0 });
  await eventually(
    async () => {
      if (!(await fetch(`${url}/readyz`)).ok) throw new Error(`the supervisor is not ready: ${logFile}`);
    },
    { timeoutMs: 30_000 },
  );

  let created = 0;
  return {
    url,
    pool,
    databaseUrl: postgres.url,
    supervisor: child.pid ?? 0,
    postgres: postgres.pid,
    log: logFile,
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
          if (found.rowCount === 0) throw new Error(`deployment ${id} is not initialized: ${logFile}`);
        },
        { timeoutMs: 60_000, everyMs: 10 },
      );
      return performance.now() - begun;
    },
    async remove(): Promise<void> {
      child.kill('SIGKILL');
      mainApi.close();
      await pool.end();
      await nats.close();
      await server.stop();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}
