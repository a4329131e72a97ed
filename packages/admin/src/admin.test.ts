import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { idOf, operatorInbox, operatorPermissions, topology, type TenantId } from '@sluice/contracts';
import { connect, headers, nkeyAuthenticator } from '@nats-io/transport-node';
import { PermanentError, type UnitOfWork } from '@sluice/messaging';
import { startRuntime, type ServiceRuntime } from '@sluice/runtime';
import { inTransaction, readConfig, signingServiceEnvironment, system, type Sql } from '@sluice/service';
import {
  eventually,
  makeStreams,
  newNatsSeed,
  ownNats,
  say,
  ServiceFixture,
  testFolder,
} from '@sluice/testing';
import express from 'express';
import { natsPublicKey } from '@sluice/embedded';
import winston from 'winston';
import { runAdmin } from './run.ts';

interface Service {
  port: number;
  stop(): Promise<void>;
  runtime: ServiceRuntime;
  work: UnitOfWork<Sql>;
}

const migrations = new URL('../../runtime/test/migrations/', import.meta.url);
const quiet = winston.createLogger({ silent: true });

const on = new ServiceFixture<Service>(
  async (environment) => {
    const settings = readConfig(signingServiceEnvironment, environment);
    const options = { ownsStreams: true, authorizes: false };
    const runtime = await startRuntime('main-api', settings, migrations, quiet, options);
    const served = await runtime.serve(express());
    return { ...served, runtime, work: runtime.unitOfWork((run) => inTransaction(runtime.pool, run)) };
  },
  { per: 'test', replicas: 1 },
);

const admin = (...args: string[]) => runAdmin(args, on.environment);
const letters = async (...args: string[]) =>
  JSON.parse(await admin('dead-letters', 'list', '--json', ...args)) as Record<string, unknown>[];
/** when each message came to NATS, and by how much its sender was ahead */
const arrivals = new Map<string, [Date, number | undefined]>();
/** which messages are refused for now */
let refused = new Set<string>();

/** What each consumer has had an effect of, with its position. */
async function effects(consumer: string): Promise<string[]> {
  const rows = await on.sql<{ name: string }>('SELECT name FROM sightings ORDER BY id');
  return rows.flatMap(({ name }) =>
    name.startsWith(`${consumer} `) ? [name.slice(consumer.length + 1)] : [],
  );
}

async function consume(name: string): Promise<void> {
  const { runtime, work } = on.replica().service;
  await runtime.consume({
    ...{ stream: on.topology.streams.events, name, work },
    handle: async (message, tx, { position, arrivedAt, aheadMilliseconds }) => {
      const content = (message['data'] as { name: string }).name;
      if (refused.has(`${name} ${content}`)) throw new PermanentError(`no ${content}`);
      if (content === 'stuck') throw new TypeError('a mistake');
      arrivals.set(`${name} ${content}`, [arrivedAt, aheadMilliseconds]);
      await tx.query('INSERT INTO sightings (name) VALUES ($1)', [`${name} ${content} ${position}`]);
    },
  });
}

async function publish(...names: string[]): Promise<void> {
  const { work } = on.replica().service;
  for (const name of names)
    await work(system, async (tx) => tx.emit('division_created', { tenant_id: idOf<TenantId>(1) }, { name }));
}

beforeEach(() => {
  refused = new Set(['one bad', 'one worse']);
});

test('a dead letter is tried again by its consumer alone, with its position, and once', async () => {
  await consume('one');
  await consume('two');
  await publish('good', 'bad');
  const [letter] = await eventually(async () => {
    const found = await letters();
    expect(found).toHaveLength(1);
    return found;
  });
  const subject = on.topology.subjects.event('main-api', idOf<TenantId>(1), 'division_created');
  expect(letter).toMatchObject({ number: 1, consumer: 'one', reason: 'no bad', sequence: 2, subject });
  expect(await admin('dead-letters', 'list', '--consumer', 'one')).toMatch(
    /^NUMBER .*\n1 +\d+ s +one +\S+ +no bad$/,
  );
  expect(await admin('dead-letters', 'list', '--consumer', 'two')).toBe('There are none.');
  expect(await admin('dead-letters', 'show', '1')).toContain('"name":"bad"');
  expect(await admin('dead-letters', 'redrive', '1', '--dry-run')).toMatch(/^Would redrive 1 of one: /);

  // still refused: it is put aside again, as the same message
  await admin('dead-letters', 'redrive', '1');
  const [again] = await eventually(async () => {
    const found = await letters();
    expect(found).toMatchObject([{ consumer: 'one', reason: 'no bad', sequence: 2, subject }]);
    return found;
  });

  refused.clear();
  await admin('dead-letters', 'redrive', String(again?.['number']));
  await eventually(async () => expect(await effects('one')).toEqual(['good 1', 'bad 2']));
  expect(await effects('two')).toEqual(['good 1', 'bad 2']);
  expect(await letters()).toEqual([]);
  expect(arrivals.get('one bad')).toEqual(arrivals.get('two bad'));
  expect(Math.abs(arrivals.get('one bad')?.[1] ?? Infinity)).toBeLessThan(5_000);
});

test('what had its effect has none a second time', async () => {
  await consume('one');
  await publish('bad');
  await eventually(async () => expect(await letters()).toHaveLength(1));
  // the consumer may have put it aside before it is known to be sent
  await eventually(async () =>
    expect(
      await on.sql(
        "INSERT INTO inbox (consumer, message_id) SELECT 'one', message_id FROM outbox_sent RETURNING 1",
      ),
    ).toHaveLength(1),
  );
  refused.clear();
  await admin('dead-letters', 'redrive', '1');
  await publish('last');
  await eventually(async () => expect(await effects('one')).toEqual(['last 2']));
  expect(await letters()).toEqual([]);
});

test('dead letters are listed in pages, and removed', async () => {
  await consume('one');
  await publish('bad', 'worse', 'bad');
  await eventually(async () => expect(await letters()).toHaveLength(3));
  expect(await letters('--limit', '2')).toMatchObject([{ number: 1 }, { number: 2 }]);
  expect(await letters('--limit', '2', '--after', '2')).toMatchObject([{ number: 3 }]);
  expect(await admin('dead-letters', 'drop', '1', '3')).toBe('1 is removed.\n3 is removed.');
  expect(await letters()).toMatchObject([{ number: 2 }]);
  await expect(admin('dead-letters', 'redrive', '3')).rejects.toThrow('There is no dead letter 3.');
});

test('a dead letter that lacks its signature is not tried again', async () => {
  await consume('one');
  const { nats } = on;
  const header = headers();
  const subject = on.topology.subjects.command('cloud_a', 'us-east-1', 'deployment_delete');
  for (const [name, value] of Object.entries({ Stream: 'X', Sequence: '1', Subject: subject, Reason: 'r' }))
    header.set(`Sluice-${name}`, value);
  nats.publish(on.topology.subjects.deadLetter('one'), 'x', { headers: header });
  await eventually(async () => expect(await letters()).toHaveLength(1));
  await expect(admin('dead-letters', 'redrive', '1')).rejects.toThrow('no signature');
  expect(await letters()).toHaveLength(1);
});

test('messages that NATS refused are shown, sent again and removed', async () => {
  await consume('one');
  await on.sql(
    `INSERT INTO outbox_dead_letters (id, message_id, ordering_key, subject, headers, payload, reason, attempts, created_at)
     SELECT 1000 + n, gen_random_uuid(), 'k', $1, '{}', $2, 'too large', 8, now() FROM generate_series(1, 2) AS n`,
    [
      on.topology.subjects.event('main-api', idOf<TenantId>(1), 'division_created'),
      JSON.stringify({
        id: crypto.randomUUID(),
        type: 'division_created',
        correlation_id: null,
        data: { name: 'kept' },
      }),
    ],
  );
  const list = /^ID .*\n1001 .*too large\n1002 .*too large$/;
  expect(await admin('outbox', 'list')).toMatch(list);
  const folder = await testFolder();
  const { DATABASE_URL = '' } = on.environment;
  await writeFile(join(folder, 'DATABASE_URL.main-api'), `${DATABASE_URL}\n`);
  const ofService = ['--service=main-api', 'outbox', 'list'];
  expect(await runAdmin(ofService, { DATABASE_URLS_DIR: folder })).toMatch(list);
  expect(await admin('outbox', 'show', '1001')).toContain('kept');
  expect(await admin('outbox', 'redrive', '1001')).toBe('1001 is sent again.');
  await eventually(async () => expect(await effects('one')).toEqual(['kept 1']));
  expect(await admin('outbox', 'drop', '1002', '--dry-run')).toBe('1002 would be removed.');
  expect(await admin('outbox', 'drop', '1002')).toBe('1002 is removed.');
  await expect(admin('outbox', 'drop', '1002')).rejects.toThrow('The outbox has no dead letter 1002.');
});

test('a message before which its consumer stands still is dead-lettered by an operator', async () => {
  await consume('one');
  await publish('stuck', 'good');
  const { runtime } = on.replica().service;
  await eventually(async () => await expect(runtime.readiness['consumers']?.()).rejects.toThrow('TypeError'));
  expect(await admin('consumers', 'put-aside', 'one', '1')).toContain(
    'Message 1 becomes a dead letter of one',
  );
  await eventually(async () => expect(await effects('one')).toEqual(['good 2']));
  expect(await letters()).toMatchObject([{ reason: 'dead-lettered by an operator', sequence: 1 }]);
});

test("an operator's NATS user can do what sluice-admin does, and nothing else", async () => {
  const names = topology('sluice');
  const [admin, everything] = [newNatsSeed(), newNatsSeed()];
  const server = await ownNats([
    { nkey: natsPublicKey(everything) },
    { nkey: natsPublicKey(admin), permissions: operatorPermissions(names) },
  ]);
  const as = (seed: string, inboxPrefix?: string) =>
    connect({
      servers: server.url,
      authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
      ...(inboxPrefix && { inboxPrefix }),
    });
  const owner = await as(everything);
  const itself = await as(admin, operatorInbox);
  try {
    await makeStreams(owner, names);
    const subject = names.subjects.event('main-api', idOf<TenantId>(1), 'x');
    const header = { 'Sluice-Subject': subject };
    await say({ nats: owner }, 'main-api', names.subjects.deadLetter('audit'), header);
    const environment = { NATS_URL: server.url, NATS_NKEY_SEED: admin };
    const run = (...args: string[]) => runAdmin(['dead-letters', ...args], environment);
    expect(await run('list', '-o', 'name')).toBe('1');
    expect(await run('redrive', '1')).toBe('1: audit tries it again.');
    expect(await run('list')).toBe('There are none.');
    for (const other of [
      subject,
      names.subjects.deadLetter('audit'),
      `$JS.API.STREAM.PURGE.${names.streams.events.name}`,
    ])
      await expect(itself.request(other, '', { timeout: 2_000 })).rejects.toThrow(/permission/i);
  } finally {
    await owner.close();
    await itself.close();
    await server.remove();
  }
});
