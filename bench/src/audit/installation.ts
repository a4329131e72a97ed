import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topology } from '@sluice/contracts';
import { freePort, startNats, startPostgres } from '@sluice/embedded';
import { eventually, makeStreams, PlayedMainApi, testKeys } from '@sluice/testing';
import { connect } from '@nats-io/transport-node';
import pg from 'pg';
import { profiled } from '../profiled.ts';
import { startSender } from './sending.ts';

/** What the audit service needs, with the rest of Sluice as it sees it, and how to start it. */
export type Installation = Awaited<ReturnType<typeof startInstallation>>;

export interface Service {
  url: string;
  process: ChildProcess;
  stop(): Promise<void>;
}

export async function startInstallation() {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-'));
  const postgres = await startPostgres({ folder: join(folder, 'postgres') });
  const server = await startNats({ folder: join(folder, 'nats') });
  const nats = await connect({ servers: server.url });
  const names = topology('sluice');
  await makeStreams(nats, names);
  const mainApi = new PlayedMainApi({ nats, topology: names });
  await mainApi.makeBuckets();
  const pool = new pg.Pool({ connectionString: postgres.url, max: 2 });
  await pool.query('CREATE DATABASE main_api');
  const mainApiUrl = new URL(postgres.url);
  mainApiUrl.pathname = '/main_api';
  const sender = await startSender({ DATABASE_URL: mainApiUrl.href, NATS_URL: server.url });
  let running: Service | undefined;
  return {
    pool,
    nats,
    sender,
    pids: { postgres: postgres.pid, nats: server.pid },
    topology: names,

    async start(): Promise<Service> {
      return (running = await startService(folder, { DATABASE_URL: postgres.url, NATS_URL: server.url }));
    },

    async remove(): Promise<void> {
      await running?.stop();
      await sender.stop();
      mainApi.close();
      await pool.end();
      await nats.close();
      await server.stop();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

const program = join(import.meta.dirname, '../../../services/audit/src/main.ts');

async function startService(folder: string, servers: Record<string, string>): Promise<Service> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const output = openSync(join(folder, 'audit.log'), 'a');
  const child = spawn(process.execPath, [...profiled('AUDIT_PROFILES'), program], {
    env: {
      ...servers,
      PATH: process.env['PATH'] ?? '',
      SIGNING_KEYS: testKeys.signing.get('audit') ?? '',
      TRUSTED_KEYS: testKeys.trusted,
      SECRETS_KEYS: `bench:${randomBytes(32).toString('base64')}`,
      PORT: String(port),
      RATE_LIMIT_PER_SECOND: '100000',
      RATE_LIMIT_BURST: '100000',
      // the machine may be busy with the load: no list is to be refused
      GRANT_LEASE_SECONDS: '30',
    },
    stdio: ['ignore', output, output],
  });
  const ended = once(child, 'exit');
  await eventually(
    async () => {
      if ((await fetch(`${url}/readyz`)).status !== 200) throw new Error('the audit service is not ready');
    },
    { timeoutMs: 120_000, everyMs: 50 },
  );
  const stop = async () => {
    child.kill();
    await ended;
  };
  return { url, process: child, stop };
}
