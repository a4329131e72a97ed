import { randomUUID } from 'node:crypto';
import { idOf, type TenantId } from '@sluice/contracts';
import { eventually, say } from '@sluice/testing';
import type pg from 'pg';
import { cpuOf } from '../api/processes.ts';
import type { Installation } from './installation.ts';

const batchSize = 500;

/** Has events wait while no replica runs, and measures how they are recorded: a second, and CPU of the process in µs each. */
export async function recording(
  on: Installation,
  events: number,
  tenants: number,
): Promise<{ rate: number; cpu: number }> {
  const before = await recordedEntries(on.pool);
  for (let sent = 0; sent < events; sent += batchSize)
    await Promise.all(
      Array.from({ length: Math.min(batchSize, events - sent) }, (_, index) =>
        publish(on, sent + index, tenants),
      ),
    );
  const service = await on.start();
  const pid = service.process.pid ?? 0;
  const begun = { count: await recordedEntries(on.pool), at: performance.now(), cpu: cpuOf(pid) };
  await eventually(
    async () => {
      if ((await recordedEntries(on.pool)) < before + events) throw new Error('not all events are recorded');
    },
    { timeoutMs: 600_000, everyMs: 20 },
  );
  const count = before + events - begun.count;
  const seconds = (performance.now() - begun.at) / 1_000;
  const cpu = cpuOf(pid) - begun.cpu;
  await service.stop();
  return { rate: count / seconds, cpu: cpu / count };
}

async function publish(on: Installation, number: number, tenants: number): Promise<void> {
  const tenant_id = idOf<TenantId>(1 + (number % tenants));
  await say(on, 'main-api', on.topology.subjects.event(tenant_id, 'division_updated'), {
    id: randomUUID(),
    type: 'division_updated',
    occurred_at: new Date().toISOString(),
    tenant_id,
    division: { id: 1 + (number % 5), name: 'Payments' },
    environment: null,
    deployment: null,
    author: { id: 1 + (number % 50), name: 'Ada Lovelace' },
    user: null,
    api_key: { id: 9, name: 'deploy' },
    data: { changes: { description: { from: 'one', to: 'other' } } },
    correlation_id: randomUUID(),
  });
}

async function recordedEntries(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(
    'SELECT coalesce(sum(seq), 0)::text AS count FROM log_heads',
  );
  return Number(rows[0]?.count);
}

/** The newest rows of the log into a table like it, by one connection, and nothing else. @returns rows a second */
export async function inserting(pool: pg.Pool, count: number): Promise<number> {
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
  const begun = performance.now();
  for (let done = 0; done < rows.length; done += batchSize) {
    const batch = rows.slice(done, done + batchSize);
    await pool.query(
      insertion,
      columns.map(({ name }) => batch.map((row) => row[name])),
    );
  }
  return rows.length / ((performance.now() - begun) / 1_000);
}
