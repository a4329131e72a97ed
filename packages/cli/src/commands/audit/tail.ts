import { setTimeout as pause } from 'node:timers/promises';
import { listAuditEntries, paginate, type AuditEntry } from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { first } from '@sluice/terminal/options';
import { visible } from '@sluice/terminal/escape';
import { requireLines } from '../entries/endless.ts';
import { inTenant } from '../entries/entries.ts';
import { placeOf, queryOf, view, type Filters } from './audit.ts';

/** between two looks at the log */
const pauseMs = 2_000;
/** how late an entry can be: it is listed by the time of what happened, and a region can report that late */
const lateMs = 120_000;

/** Shows entries in the order in which they come, from a moment on. */
export async function tail(cli: Cli, { since, ...filters }: Filters): Promise<void> {
  requireLines(cli, 'The tail of the log');
  const { until } = filters;
  const query = await queryOf(cli, filters);
  const call = await inTenant(cli);
  const entries = follow((from) => paginate(listAuditEntries, { ...call, query: { ...query, from } }), since);
  async function* all(): AsyncGenerator<AuditEntry> {
    for await (const batch of entries) {
      yield* batch;
      if (until && Date.now() > until.getTime() + lateMs) return;
      await pause(pauseMs, undefined, { signal: cli.signal });
    }
  }
  if (!cli.output.isForPeople) return cli.output.list(all(), view);
  for await (const entry of all()) {
    const { timestamp, name, author, api_key: key } = entry;
    const who = `${author?.name ?? 'system'}${key ? ` (key ${key.name})` : ''}`;
    const words = [
      timestamp,
      cli.io.paint('bold', visible(name)),
      visible(`by ${who}`),
      visible(placeOf(entry)),
    ];
    await cli.output.raw(`${words.filter((word) => word !== '').join('  ')}\n`);
  }
}

/** What is new with each look, oldest first. Times are those of the server. */
async function* follow(
  read: (from: string) => AsyncIterable<AuditEntry>,
  since: Date | undefined,
): AsyncGenerator<AuditEntry[]> {
  let newest = since?.getTime() ?? 0;
  if (!since)
    for await (const { timestamp } of first(read(new Date(0).toISOString()), 1))
      newest = Date.parse(timestamp);
  // without a moment to begin with, what is there already is not shown
  let isShown = since !== undefined;
  // what was shown and can be listed again
  let known = new Set<string>();
  for (;;) {
    const from = known.size === 0 && since ? newest : Math.max(newest - lateMs, since?.getTime() ?? 0);
    const listed = new Map<string, AuditEntry>();
    for await (const entry of read(new Date(from).toISOString())) listed.set(JSON.stringify(entry), entry);
    yield isShown
      ? [...listed]
          .filter(([text]) => !known.has(text))
          .map(([, entry]) => entry)
          .reverse()
      : [];
    isShown = true;
    known = new Set(listed.keys());
    for (const { timestamp } of listed.values()) newest = Math.max(newest, Date.parse(timestamp));
  }
}
