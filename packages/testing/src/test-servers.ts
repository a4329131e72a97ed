import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startNats, startPostgres } from '@sluice/embedded';
import { sendSignal } from '@sluice/system';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { dockerAnswers, startContainers } from './containers.ts';
import { createRunFolder, removeRunFolder } from './run-folder.ts';
import type { Servers } from './servers.ts';
import { dropTemplates } from './template.ts';

/** The servers that a test run shares, and the folder for those that single tests start for themselves. */
export interface TestServers extends Servers {
  folder: string;
}

/**
 * Finds or starts the servers for one test run: those at `TEST_POSTGRES_URL` and `TEST_NATS_URL`; else containers if
 * Docker answers (unless `SLUICE_TEST_DOCKER=never`); else embedded ones on ports and in a folder of their own.
 */
export async function startTestServers(): Promise<TestServers> {
  const folder = await createRunFolder();
  const servers = byAddress(folder) ?? (await inContainers()) ?? (await embedded(folder));
  await keepOneStream(servers.natsUrl);
  return {
    ...servers,
    folder,
    stop: async () => {
      await servers.stop();
      await removeRunFolder(folder);
    },
    abandon: () => {
      servers.abandon();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * nats-server removes the folder of all streams together with the last of them, also while it makes another one in it, which then
 * fails. Tests make and delete theirs at the same time; with this one there, none of theirs is ever the last.
 */
async function keepOneStream(natsUrl: string): Promise<void> {
  const connection = await connect({ servers: natsUrl });
  try {
    await (await jetstreamManager(connection)).streams.add({ name: 'KEPT', subjects: ['kept'] });
  } finally {
    await connection.close();
  }
}

function byAddress(folder: string): Servers | undefined {
  const { TEST_POSTGRES_URL: postgresUrl, TEST_NATS_URL: natsUrl } = process.env;
  if (!postgresUrl && !natsUrl) return undefined;
  if (!postgresUrl || !natsUrl) throw new Error('Set both TEST_POSTGRES_URL and TEST_NATS_URL, or neither.');
  return { postgresUrl, natsUrl, stop: () => dropTemplates(postgresUrl, folder), abandon: () => {} };
}

async function inContainers(): Promise<Servers | undefined> {
  if (process.env.SLUICE_TEST_DOCKER === 'never' || !(await dockerAnswers())) return undefined;
  return await startContainers();
}

/** The path of a socket has at most so many characters, also on macOS. */
const longestSocket = 103;
const hasRoom = (folder: string) => join(folder, 'postgres/.s.PGSQL.65535').length <= longestSocket;

async function embedded(folder: string): Promise<Servers> {
  const [postgres, nats] = await Promise.all([
    startPostgres({ folder: join(folder, 'postgres'), durable: false, socket: hasRoom(folder) }),
    startNats({ folder: join(folder, 'nats') }),
  ]);
  return {
    postgresUrl: postgres.url,
    natsUrl: nats.url,
    stop: async () => {
      await Promise.all([postgres.stop(), nats.stop()]);
    },
    abandon: () => {
      sendSignal(postgres.pid, 'SIGQUIT');
      sendSignal(nats.pid, 'SIGKILL');
    },
  };
}
