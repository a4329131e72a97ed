import { createHash } from 'node:crypto';
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
  const entries = follow((from, last) => {
    const to = query.to !== undefined && (last === undefined || last > query.to) ? query.to : last;
    return paginate(listAuditEntries, {
      ...call,
      query: { ...query, from, ...(to !== undefined && { to }) },
    });
  }, since);
  async function* all(): AsyncGenerator<AuditEntry> {
    for await (const batch of entries) {
      yield* batch;
      // an empty batch ends a look
      if (batch.length > 0) continue;
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

/** more entries than this are not held at a time */
const mostHeld = 2_000;

type Read = (from: string, to?: string) => AsyncIterable<AuditEntry>;

/** What is new with each look, oldest first, in batches. Times are those of the server. */
async function* follow(read: Read, since: Date | undefined): AsyncGenerator<AuditEntry[]> {
  let newest = since?.getTime() ?? 0;
  if (!since)
    for await (const { timestamp } of first(read(new Date(0).toISOString()), 1))
      newest = Date.parse(timestamp);
  // without a moment to begin with, what is there already is not shown
  let isShown = since !== undefined;
  // digests of what was shown and can be listed again, with its time
  const known = new Map<string, number>();
  for (;;) {
    const from = known.size === 0 && since ? newest : Math.max(newest - lateMs, since?.getTime() ?? 0);
    // an entry can be ahead of the clock of this machine
    for await (const batch of oldestFirst(read, from, Math.max(newest, Date.now()) + lateMs)) {
      const fresh = batch.filter((entry) => {
        const [time, digest] = [Date.parse(entry.timestamp), digestOf(entry)];
        newest = Math.max(newest, time);
        const isNew = !known.has(digest);
        known.set(digest, time);
        return isNew;
      });
      for (const [digest, time] of known) if (time < newest - lateMs) known.delete(digest);
      if (isShown && fresh.length > 0) yield fresh;
    }
    isShown = true;
    yield [];
  }
}

/** What tells an entry from others: it has no id of its own, and its text would take more memory. */
const digestOf = (entry: AuditEntry): string =>
  createHash('sha256').update(JSON.stringify(entry)).digest('base64').slice(0, 22);

/** Entries of a span. The server lists the newest first: a span with more than can be held is read in halves. */
async function* oldestFirst(read: Read, from: number, to: number): AsyncGenerator<AuditEntry[]> {
  const held: AuditEntry[] = [];
  const isIndivisible = to - from <= 1;
  for await (const entry of read(new Date(from).toISOString(), new Date(to).toISOString())) {
    held.push(entry);
    if (held.length > mostHeld && !isIndivisible) {
      const middle = Math.floor((from + to) / 2);
      yield* oldestFirst(read, from, middle);
      yield* oldestFirst(read, middle, to);
      return;
    }
  }
  if (held.length > 0) yield held.reverse();
}
