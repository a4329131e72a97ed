import { testDatabase, type TestDatabase } from '@sluice/testing';
import type pg from 'pg';
import { migrate, createPool, sqlOf, prune, type Sql } from '@sluice/service';
import { quiet } from '../widget-service.ts';
import {
  hasLost,
  isUnsent,
  keepAsSent,
  oldestRows,
  measureOutbox,
  passBy,
  outboxRules,
  sendLostAgain,
  waitingKinds,
} from '@sluice/messaging';

let database: TestDatabase;
let pool: pg.Pool;
let sql: Sql;

beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.url, 2, quiet);
  sql = sqlOf(pool);
  await migrate(pool, new URL('../../test/migrations/', import.meta.url));
});
beforeEach(async () => {
  await pool.query('TRUNCATE outbox, outbox_sent, outbox_dead_letters RESTART IDENTITY');
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Adds rows of an ordering key, in this order. */
async function insert(count: number, key: string, { kind = 'events', bytes = 1 } = {}): Promise<void> {
  await pool.query(
    `INSERT INTO outbox (message_id, ordering_key, subject, payload)
     SELECT gen_random_uuid(), $2, 'ns.' || $3 || '.x', repeat('x', $4) FROM generate_series(1, $1)`,
    [count, key, kind, bytes],
  );
}

/** Adds rows that were sent `days` ago, into a stream that was made at `created`. */
async function insertSent(count: number, days: number, created = '2030-01-01', stream = 'EVENTS') {
  await pool.query(
    `INSERT INTO outbox_sent (id, message_id, ordering_key, subject, headers, payload, sent_at, stream, stream_created, sequence)
     SELECT nextval(pg_get_serial_sequence('outbox', 'id')), gen_random_uuid(), 'x', 'ns.events.x', '{}', '',
       now() - make_interval(days => $2), $4, $3, i
     FROM generate_series(1, $1) AS i`,
    [count, days, created, stream],
  );
}

const ids = async (table: string) =>
  (await pool.query<{ id: number }>(`SELECT id FROM ${table} ORDER BY id`)).rows.map(({ id }) => id);

const ranges = (rows: { id: number }[]) => [rows[0]?.id, rows.at(-1)?.id, rows.length];

test('a batch is the oldest of a stream, not more than 200, in their order', async () => {
  await insert(5, 'c', { kind: 'commands' });
  await insert(300, 'x');
  expect(ranges(await oldestRows(sql, 'events'))).toEqual([6, 205, 200]);
  expect(ranges(await oldestRows(sql, 'commands'))).toEqual([1, 5, 5]);
  expect(await waitingKinds(sql)).toEqual(['commands', 'events']);
});

test('a batch is not larger than memory should hold, and never empty for that', async () => {
  await insert(50, 'x', { bytes: 500_000 });
  const rows = await oldestRows(sql, 'events');
  expect(ranges(rows)).toEqual([1, 9, 9]);
  await pool.query('UPDATE outbox SET payload = $1 WHERE id = 1', ['x'.repeat(5_000_000)]);
  expect(ranges(await oldestRows(sql, 'events'))).toEqual([1, 1, 1]);
});

test('what waits behind a refused message with its ordering key is passed by until its time, however much it is', async () => {
  await insert(5_000, 'x');
  await insert(3, 'y');
  await passBy(sql, 1, 60_000);
  expect(ranges(await oldestRows(sql, 'events'))).toEqual([5_001, 5_003, 3]);
  await pool.query('UPDATE outbox SET retry_at = now() WHERE id = 1');
  const [first] = await oldestRows(sql, 'events');
  expect(first).toMatchObject({ id: 1, refusals: 1 });
});

test('what was sent waits no more, and can wait again in its former place, as old as it was', async () => {
  await insert(3, 'x');
  const sent = [1, 2, 3].map((id) => ({ id, stream: 'EVENTS', sequence: id + 10, isNew: true }));
  await keepAsSent(sql, sent.slice(0, 2), '2030-01-01');
  expect([await isUnsent(sql, [1, 2]), await isUnsent(sql, [2, 3])]).toEqual([false, true]);
  await pool.query("UPDATE outbox_sent SET sent_at = now() - interval '2 days'");

  const stream = { name: 'EVENTS', created: '2030-01-01', lastSequence: 11 };
  expect(await sendLostAgain(sql, stream, 0)).toBe(1);
  expect(await ids('outbox')).toEqual([2, 3]);
  await keepAsSent(sql, sent.slice(1), '2030-01-01');
  expect(await sendLostAgain(sql, { ...stream, created: '2031-01-01' }, 0)).toBe(3);
  expect(await ids('outbox')).toEqual([1, 2, 3]);
  // and is forgotten in time, however often it is sent again
  await keepAsSent(sql, sent, '2031-01-01');
  for (const rule of outboxRules(1)) await prune(pool, rule);
  expect(await ids('outbox_sent')).toEqual([3]);
});

test('a stream has lost what was sent into a former one or behind its end, and nothing else', async () => {
  await insertSent(3, 0);
  const stream = { name: 'EVENTS', created: '2030-01-01', lastSequence: 3 };
  expect(await hasLost(sql, stream)).toBe(false);
  expect(await hasLost(sql, { ...stream, lastSequence: 2 })).toBe(true);
  expect(await hasLost(sql, { ...stream, created: '2029-01-01' })).toBe(true);
  expect(await hasLost(sql, { ...stream, created: '2031-01-01' })).toBe(true);
  expect(await hasLost(sql, { name: 'REPORTS', created: '2031-01-01', lastSequence: 0 })).toBe(false);
  expect(await sendLostAgain(sql, stream, 0)).toBe(0);
  expect(await sendLostAgain(sql, stream, 60)).toBe(3);
});

test('what was sent is kept for the days that were set, and dead letters for 90', async () => {
  await insertSent(12_000, 4);
  await insertSent(3, 2);
  await pool.query(
    `INSERT INTO outbox_dead_letters (id, message_id, ordering_key, subject, headers, payload, reason, attempts, created_at, died_at)
     SELECT id, message_id, '', '', '{}', '', '', 1, now(), now() - make_interval(days => 80 + id::int % 2 * 20)
     FROM outbox_sent WHERE sent_at > now() - interval '3 days'`,
  );
  for (const rule of outboxRules(3)) await prune(pool, rule);
  expect(await ids('outbox_sent')).toEqual([12_001, 12_002, 12_003]);
  expect(await ids('outbox_dead_letters')).toEqual([12_002]);
});

test('what is asked all the time reads no more than it needs, however much was sent', async () => {
  await insertSent(30_000, 1);
  await insertSent(100, 0, '2030-01-01', 'REPORTS');
  await insert(100, 'x');
  await pool.query('ANALYZE outbox, outbox_sent');
  const plans: string[] = [];
  const explaining: Sql = {
    async query<Row>(text: string, values: readonly unknown[] = []) {
      const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, [...values]);
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
      return rows as Row[];
    },
  };
  await hasLost(explaining, { name: 'EVENTS', created: '2030-01-01', lastSequence: 30_000 });
  await isUnsent(explaining, [1, 2]);
  await measureOutbox(explaining);
  expect(plans).toHaveLength(3);
  for (const plan of plans) expect(plan).not.toContain('Seq Scan on outbox_sent');
  expect(plans[0]?.match(/Index (Only )?Scan using outbox_sent_by_place/g)).toHaveLength(3);
});
