import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually, ownNats, ownPostgres } from '@sluice/testing';
import type pg from 'pg';
import { get, handledBy, inDatabase, setStage, type Stage } from '#test/audit-service.ts';
import {
  allHandled,
  consumerState,
  deadLetters,
  named,
  namesOf,
  publishAll,
  redeliverAfter,
} from '#test/events.ts';

describe('nothing is lost and nothing is recorded twice when', () => {
  const names = Array.from({ length: 40 }, (_, number) => String(number));
  let ends: (() => Promise<void>)[];

  beforeEach(() => {
    ends = [];
  });
  afterEach(async () => {
    for (const end of ends.reverse()) await end();
  });

  async function withOwnDatabase() {
    const database = await ownPostgres();
    ends.push(() => database.remove());
    const stage = await setStage({ postgresUrl: database.url });
    ends.push(() => stage.end());
    const audit = await stage.start();
    return { database, stage, audit, key: await stage.key() };
  }

  test('the database is away for a while', async () => {
    const { database, stage, audit, key } = await withOwnDatabase();
    await publishAll(stage, names.slice(0, 1));
    await allHandled(stage);

    await database.stop();
    await publishAll(stage, names.slice(1, 20));
    const { status, body } = await get<{ code: string }>(audit.url, '/audit/tenants/1', key);
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'unavailable' });
    expect((await get(audit.url, '/readyz')).status).toBe(503);
    await database.start();
    await publishAll(stage, names.slice(20));

    await allHandled(stage);
    expect(await namesOf(audit, key)).toEqual(names);
    expect(await deadLetters(stage)).toEqual([]);
  });

  test('the database is away for so long that NATS delivers a waiting event again and again', async () => {
    const { database, stage, audit, key } = await withOwnDatabase();
    await database.stop();
    await redeliverAfter(stage, 50);
    await publishAll(stage, ['a']);
    // more often than a message that makes no sense is tried
    await eventually(async () =>
      expect((await consumerState(stage)).delivered.consumer_seq).toBeGreaterThan(10),
    );
    await database.start();

    await allHandled(stage);
    expect(await namesOf(audit, key)).toEqual(['a']);
    expect(await deadLetters(stage)).toEqual([]);
  });

  test('the database is killed in the middle of the work', async () => {
    const { database, stage, audit, key } = await withOwnDatabase();
    const publishing = publishAll(stage, names);
    await eventually(async () => expect(await handledBy(audit)).toBeGreaterThan(3), { everyMs: 1 });
    await database.kill();
    await publishing;
    await database.start();

    await allHandled(stage);
    expect(await namesOf(audit, key)).toEqual(names);
    expect(await deadLetters(stage)).toEqual([]);
  });

  test('the process is killed after it has stored an entry, before NATS knows', async () => {
    const server = await ownNats();
    ends.push(() => server.remove());
    const stage = await setStage({ natsUrl: server.url });
    ends.push(() => stage.end());
    const child = await startProcess(stage);
    ends.push(async () => void child.kill('SIGKILL'));
    await inDatabase(stage, async (client) => {
      await client.query('BEGIN');
      await client.query('LOCK TABLE entries IN EXCLUSIVE MODE');
      await stage.publish(named('once'));
      // the entry now waits for the lock
      await eventually(() =>
        expectCount(client, "pg_locks WHERE relation = 'entries'::regclass AND NOT granted", 1),
      );
      await server.kill();
      await client.query('COMMIT');
      await eventually(() => expectCount(client, 'entries', 1));
    });
    child.kill('SIGKILL');
    await once(child, 'exit');

    await server.start();
    const audit = await stage.start();
    expect((await consumerState(stage)).num_ack_pending).toBe(1);
    await redeliverAfter(stage, 200);
    await stage.publish(named('next'));
    await allHandled(stage);
    expect(await namesOf(audit, await stage.key())).toEqual(['once', 'next']);
  });
});

async function expectCount(client: pg.Client, from: string, expected: number): Promise<void> {
  const { rows } = await client.query<{ count: number }>(`SELECT count(*)::int FROM ${from}`);
  expect(rows).toEqual([{ count: expected }]);
}

/** The service as a process of its own; resolves when it is ready. */
async function startProcess({ databaseUrl, natsUrl, topology }: Stage) {
  const program = fileURLToPath(new URL('../../main.ts', import.meta.url));
  const child = spawn(process.execPath, [program], {
    env: {
      DATABASE_URL: databaseUrl,
      NATS_URL: natsUrl,
      NATS_NAMESPACE: topology.namespace,
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  await eventually(() => expect(said).toContain('"message":"ready"'));
  return child;
}
