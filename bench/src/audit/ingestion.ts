import { eventually } from '@sluice/testing';
import type pg from 'pg';
import { cpuOf } from '../api/processes.ts';
import type { Installation } from './installation.ts';

const batchSize = 500;
/** events after which a process is as fast as it stays: its code is compiled, and its statements are prepared */
const warmingUp = 20_000;

export interface Recorded {
  /** entries a second */
  rate: number;
  /** CPU for each, in microseconds: of the process, of PostgreSQL and of NATS */
  cpu: { service: number; postgres: number; nats: number };
}

export interface Inserted {
  /** rows a second */
  rate: number;
  /** CPU of PostgreSQL for each, in microseconds */
  cpu: { postgres: number };
}

/** Has events wait while no replica runs, sent by a relay, and measures how they are recorded by one that is warm. */
export async function recording(on: Installation, events: number, tenants: number): Promise<Recorded> {
  const before = await recordedEntries(on.pool);
  const last = before + warmingUp + events;
  await on.sender.send(warmingUp + events, tenants);
  const service = await on.start();
  const cpu = () => ({
    service: cpuOf(service.process.pid ?? 0),
    postgres: cpuOf(on.pids.postgres, { children: true }),
    nats: cpuOf(on.pids.nats),
  });
  const recorded = (most: number) =>
    eventually(
      async () => {
        const count = await recordedEntries(on.pool);
        if (count < most) throw new Error('not all events are recorded');
        return { count, at: performance.now(), cpu: cpu() };
      },
      // which takes PostgreSQL some time as well
      { timeoutMs: 600_000, everyMs: 100 },
    );
  const begun = await recorded(before + warmingUp);
  const ended = await recorded(last);
  await service.stop();
  const count = last - begun.count;
  const each = (what: keyof Recorded['cpu']) => (ended.cpu[what] - begun.cpu[what]) / count;
  return {
    rate: count / ((ended.at - begun.at) / 1_000),
    cpu: { service: each('service'), postgres: each('postgres'), nats: each('nats') },
  };
}

async function recordedEntries(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(
    'SELECT coalesce(sum(seq), 0)::text AS count FROM log_heads',
  );
  return Number(rows[0]?.count);
}

/** The newest rows of the log into a table like it, by one connection, and nothing else. */
export async function inserting({ pool, pids }: Installation, count: number): Promise<Inserted> {
  const { rows: columns } = await pool.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
     WHERE attrelid = 'log_entries'::regclass AND attnum > 0 ORDER BY attnum`,
  );
  const all = columns.map(({ name }) => (name === 'data' || name === 'as_sent' ? `${name}::text` : name));
  const { rows } = await pool.query<Record<string, unknown>>(
    `SELECT ${all.join(', ')} FROM log_entries ORDER BY recorded_at DESC, seq DESC LIMIT $1`,
    [count],
  );
  const { rows: newest } = await pool.query<{ name: string }>(
    'SELECT tableoid::regclass::text AS name FROM log_entries ORDER BY recorded_at DESC LIMIT 1',
  );
  await pool.query(`CREATE TABLE by_hand (LIKE ${newest[0]?.name} INCLUDING ALL)`);
  const insertion = `INSERT INTO by_hand SELECT * FROM unnest(${columns
    .map(({ type }, index) => `$${index + 1}::${type}[]`)
    .join(', ')})`;
  const begun = { at: performance.now(), cpu: cpuOf(pids.postgres, { children: true }) };
  for (let done = 0; done < rows.length; done += batchSize) {
    const batch = rows.slice(done, done + batchSize);
    await pool.query(
      insertion,
      columns.map(({ name }) => batch.map((row) => row[name])),
    );
  }
  const seconds = (performance.now() - begun.at) / 1_000;
  const postgres = (cpuOf(pids.postgres, { children: true }) - begun.cpu) / rows.length;
  await pool.query('DROP TABLE by_hand');
  return { rate: rows.length / seconds, cpu: { postgres } };
}
