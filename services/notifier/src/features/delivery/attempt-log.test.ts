import { randomUUID } from 'node:crypto';
import type { ChannelId, NotificationId } from '@sluice/contracts';
import { migrate } from '@sluice/service';
import { openKysely } from '@sluice/service/kysely';
import { eventually, testDatabase, type TestDatabase } from '@sluice/testing';
import pg from 'pg';
import winston from 'winston';
import type { Tables } from '../../database/tables.ts';
import { AttemptLog } from './attempt-log.ts';

const lease = randomUUID();
let database: TestDatabase;
let pool: pg.Pool;
let log: AttemptLog;

beforeAll(async () => {
  database = await testDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  await migrate(pool, new URL('../../../migrations/', import.meta.url));
  log = new AttemptLog(openKysely<Tables>(pool), lease, () => 3, winston.createLogger({ silent: true }));
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

let channels = 0;
/** A channel that is leased, with a notification that is due. */
async function channel(): Promise<{ id: ChannelId; due: NotificationId }> {
  const { rows } = await pool.query<{ id: ChannelId; due: NotificationId }>(
    `WITH made AS (
       INSERT INTO channels (id, version, tenant_id, channel, name, enabled, sealed, created_at)
       VALUES ($2, 1, 1, 'webhook', '', true, '', now()) RETURNING id
     ), queued AS (
       INSERT INTO queues (channel_id, ready_at, due_at, lease) SELECT id, now() + interval '1 hour', 'infinity', $1 FROM made
     )
     INSERT INTO notifications (channel_id, message_id, tenant_id, message_type, message, occurred_at, status)
     SELECT id, gen_random_uuid(), 1, 'division_created', '{}', now(), 'pending' FROM made
     RETURNING channel_id::int AS id, id::int AS due`,
    [lease, ++channels],
  );
  return rows[0] as { id: ChannelId; due: NotificationId };
}

const delivered = (id: NotificationId) =>
  ({ id, status: 'delivered', attempts: 1, reason: null, pauseSeconds: 0 }) as const;

async function statusOf(id: NotificationId): Promise<string | undefined> {
  const { rows } = await pool.query<{ status: string }>('SELECT status FROM notifications WHERE id = $1', [
    id,
  ]);
  return rows[0]?.status;
}

async function leaseOf(channel: ChannelId): Promise<string | null | undefined> {
  const { rows } = await pool.query<{ lease: string | null }>(
    'SELECT lease FROM queues WHERE channel_id = $1',
    [channel],
  );
  return rows[0]?.lease;
}

test('while one statement waits, what became of attempts at other channels is stored, and their leases are given back', async () => {
  const [slow, other] = [await channel(), await channel()];
  const blocker = await pool.connect();
  await blocker.query('BEGIN');
  await blocker.query('SELECT FROM notifications WHERE id = $1 FOR UPDATE', [slow.due]);
  const all = [log.store(delivered(slow.due))];
  try {
    await eventually(async () => {
      const { rows } = await pool.query('SELECT FROM pg_locks WHERE NOT granted');
      expect(rows).toHaveLength(1);
    });
    const others = log.store(delivered(other.due)).then(() => log.release(other.id));
    all.push(others.then(() => undefined));
    await eventually(async () => expect(await leaseOf(other.id)).toBeNull(), { timeoutMs: 5_000 });
    expect([await statusOf(slow.due), await statusOf(other.due)]).toEqual(['pending', 'delivered']);
    expect(await others).toBe(false);
  } finally {
    await blocker.query('COMMIT');
    blocker.release();
    await Promise.all(all);
  }
  expect(await statusOf(slow.due)).toBe('delivered');
});
