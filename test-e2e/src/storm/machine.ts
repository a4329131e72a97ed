import { cp, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processesOf, type Stack } from '@sluice/testing';
import pg from 'pg';

/** What the storm does to the processes, files and databases of a stack. */
export interface Machine {
  /** Ends a service's process as a power cut would; the launcher starts it again. */
  killService(name: string): Promise<void>;
  /** Has a service end in order, as an upgrade does; the launcher starts it again. */
  endService(name: string): Promise<void>;
  /** Lets a service hang for a while: its connections stay open, but nothing answers. */
  freezeService(name: string, milliseconds: number): Promise<void>;
  /** Kills one process of some node, whichever `choose` takes. */
  killOnNode(choose: <T>(items: readonly T[]) => T | undefined): Promise<void>;
  killPostgres(): Promise<void>;
  killNats(): Promise<void>;
  /** Has NATS lose everything, or go back to what `backUpNats` kept. */
  restoreNats(from: 'backup' | 'nothing'): Promise<void>;
  backUpNats(): Promise<void>;
  backUpDatabase(name: string): Promise<void>;
  /** Puts a database back to what it was at `backUpDatabase`. Its service goes on running and loses its connections. */
  restoreDatabase(name: string): Promise<void>;
  query<Row extends pg.QueryResultRow>(database: string, text: string): Promise<Row[]>;
}

/** The services of a stack, each with its database. */
export const databases = {
  'main-api': 'main_api',
  'supervisor-cloud_a': 'supervisor_cloud_a',
  'supervisor-cloud_b': 'supervisor_cloud_b',
  audit: 'audit',
  notifier: 'notifier',
} as const;

export function machineOf(stack: Stack): Machine {
  const path = (...names: string[]) => join(stack.home, ...names);
  const store = path('nats/store');
  const pidOf = async (name: string) => Number(await readFile(path('run', `${name}.pid`), 'utf8'));
  const launcher = async () =>
    (JSON.parse(await readFile(path('launcher.json'), 'utf8')) as { pid: number }).pid;

  async function client(database: string): Promise<pg.Client> {
    const password = (await readFile(path('postgres/password'), 'utf8')).trim();
    const url = `postgres://postgres:${password}@127.0.0.1:${stack.portBase + 10}/${database}`;
    const opened = new pg.Client({ connectionString: url });
    // a storm may end it at any time
    opened.on('error', () => undefined);
    await opened.connect();
    return opened;
  }

  async function query<Row extends pg.QueryResultRow>(database: string, ...texts: string[]): Promise<Row[]> {
    const opened = await client(database);
    try {
      let rows: Row[] = [];
      for (const text of texts) rows = (await opened.query<Row>(text)).rows;
      return rows;
    } finally {
      await opened.end();
    }
  }

  async function killNats(): Promise<void> {
    for (const pid of await processesOf(path('nats'))) kill(pid, 'SIGKILL');
  }

  /** Runs `change` while NATS is away and the launcher cannot start it again. */
  async function withoutNats(change: () => Promise<void>): Promise<void> {
    const pid = await launcher();
    kill(pid, 'SIGSTOP');
    try {
      await killNats();
      while ((await processesOf(path('nats'))).length > 0) await delay(20);
      await change();
    } finally {
      kill(pid, 'SIGCONT');
    }
  }

  return {
    async killService(name) {
      kill(await pidOf(name), 'SIGKILL');
    },
    async endService(name) {
      kill(await pidOf(name), 'SIGTERM');
    },
    async freezeService(name, milliseconds) {
      const pid = await pidOf(name);
      kill(pid, 'SIGSTOP');
      await delay(milliseconds);
      kill(pid, 'SIGCONT');
    },
    async killOnNode(choose) {
      const regions = await readdir(path('nodes'));
      const nodes = await Promise.all(
        regions.map(async (region) =>
          (await readdir(path('nodes', region))).map((node) => path('nodes', region, node)),
        ),
      );
      const node = choose(nodes.flat());
      const pid = node === undefined ? undefined : choose(await processesOf(node));
      if (pid !== undefined) kill(pid, 'SIGKILL');
    },
    async killPostgres() {
      const [pid] = (await readFile(path('postgres/data/postmaster.pid'), 'utf8')).split('\n');
      // as after a crash: its children go too, and what is committed is recovered
      kill(Number(pid), 'SIGQUIT');
    },
    killNats,
    backUpNats: () => withoutNats(() => cp(store, path('nats-backup'), { recursive: true })),
    restoreNats: (from) =>
      withoutNats(async () => {
        await rm(store, { recursive: true, force: true });
        if (from === 'backup') await cp(path('nats-backup'), store, { recursive: true });
      }),
    backUpDatabase: (name) =>
      query(
        'postgres',
        ...alone(name, [`CREATE DATABASE ${name}_backup TEMPLATE ${name} OWNER ${name}`]),
      ).then(() => undefined),
    restoreDatabase: (name) =>
      query(
        'postgres',
        ...alone(name, [
          `DROP DATABASE ${name} WITH (FORCE)`,
          `CREATE DATABASE ${name} TEMPLATE ${name}_backup OWNER ${name}`,
          `REVOKE CONNECT ON DATABASE ${name} FROM public`,
        ]),
      ).then(() => undefined),
    query: (database, text) => query(database, text),
  };
}

/** Statements with a database that has no other client. */
function alone(name: string, statements: string[]): string[] {
  return [
    `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`,
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`,
    ...statements,
    `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`,
  ];
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it has just ended by itself
  }
}
