import { once } from 'node:events';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { emptyChain, idOf, type TenantId } from '@sluice/contracts';
import { openKysely } from '@sluice/service/kysely';
import { eventually, ownPostgres, testFolder, writerUrl } from '@sluice/testing';
import pg from 'pg';
import { auditService, type EventMessage } from '#test/audit-service.ts';
import { anEvent, consumerState, linked } from '#test/events.ts';
import { startProcess } from '#test/process.ts';
import type { Tables } from '../../database/tables.ts';
import { entriesBetween } from './log-entries.store.ts';

/** `AUDIT_EVENTS=100000` is the long form; in turn a process, PostgreSQL and NATS are killed, each in the middle of so many events. */
const events = Number(process.env['AUDIT_EVENTS'] ?? 300);
const perKill = Math.min(500, Math.ceil(events / 3));
const tenants = 5;

const on = auditService({ own: 'nats' });

test(
  'every event is recorded once, in intact chains, whatever is killed meanwhile',
  async () => {
    const postgres = await ownPostgres();
    on.onClose(() => postgres.remove());
    on.environment['DATABASE_URL'] = postgres.url;
    on.environment['DATABASE_WRITER_URL'] = await writerUrl(postgres.url);
    const pool = new pg.Pool({ connectionString: postgres.url, max: 1 });
    // killed with its server
    pool.on('error', () => undefined);
    on.onClose(() => pool.end());
    const logs = await testFolder();
    const start = () => startProcess(on, logs);
    const processes = await Promise.all([start(), start()]);
    on.onClose(() => processes.forEach((child) => child.kill('SIGKILL')));
    const killProcess = async () => {
      const victim = processes.shift();
      victim?.kill('SIGKILL');
      if (victim) await once(victim, 'exit');
      processes.push(await start());
    };
    const restart = async (server: typeof postgres) => {
      await server.kill();
      await server.start();
    };
    const kills = [killProcess, () => restart(postgres), () => restart(on.own)];

    try {
      const published: EventMessage[] = [];
      for (let step = 0; published.length < events; step++) {
        const some = Array.from({ length: Math.min(perKill, events - published.length) }, (_, index) =>
          anEvent({ tenant_id: 1 + ((published.length + index) % tenants) }),
        );
        // what NATS has not answered is said again, as a relay does
        await Promise.all(some.map((event) => eventually(() => on.publish(event), { timeoutMs: 60_000 })));
        await recordedAtLeast(pool, published.length + some.length / 4);
        published.push(...some);
        await kills[step % kills.length]?.();
      }

      await recordedAtLeast(pool, events);
      const recorded = await Promise.all(
        Array.from({ length: tenants }, (_, index) => chainOf(pool, idOf<TenantId>(index + 1))),
      );
      expect(recorded.flat().sort()).toEqual(published.map(({ id }) => id).sort());
    } catch (error) {
      await keepWhatIsThere(logs, postgres.folder);
      throw new Error(`The logs of all that ran are in ${logs}`, { cause: error });
    }
  },
  Math.max(180_000, events * 60),
);

/** What servers have logged, and how far the consumer is: so that it can be found out later what was amiss. */
async function keepWhatIsThere(logs: string, postgres: string): Promise<void> {
  const servers = Object.entries({ postgres, nats: on.own.folder });
  const copies = servers.map(([name, folder]) =>
    cp(folder, join(logs, name), {
      recursive: true,
      filter: (path) => path === folder || /\.log(\.old)?$/.test(path),
    }),
  );
  const consumer = consumerState(on).catch(String);
  await Promise.allSettled([
    ...copies,
    writeFile(join(logs, 'consumer.json'), JSON.stringify(await consumer)),
  ]);
}

/** The ids of all events that are recorded of a tenant, checked on the way to be a chain without a flaw. */
async function chainOf(pool: pg.Pool, tenant: TenantId): Promise<string[]> {
  const ids: string[] = [];
  let last = emptyChain;
  for (;;) {
    const batch = await entriesBetween(openKysely<Tables>(pool), tenant, last.seq + 1, last.seq + 5_000);
    last = linked(batch, last);
    ids.push(...batch.map(({ event_id }) => event_id));
    if (batch.length === 0) return ids;
  }
}

async function recordedAtLeast(pool: pg.Pool, count: number): Promise<void> {
  await eventually(
    async () => {
      const { rows } = await pool.query<{ count: string }>(
        'SELECT coalesce(sum(seq), 0) AS count FROM log_heads',
      );
      expect(Number(rows[0]?.count)).toBeGreaterThanOrEqual(Math.floor(count));
    },
    // killed while it writes how far a consumer is, NATS forgets that: then all events come again
    { timeoutMs: 120_000 + 5 * count, everyMs: 20 },
  );
}
