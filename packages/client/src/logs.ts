import type { SluiceClient } from './client.ts';
import { clientError } from './error.ts';
import { readEvents } from './events.ts';
import { listLogLines } from './generated/sdk.gen.ts';
import type { StoredLine, StreamLogLinesData } from './generated/types.gen.ts';
import { reopened, silenceMs, streamEnded, type ReopenOptions } from './reopened.ts';

export interface FollowOptions extends ReopenOptions {
  client: SluiceClient;
  path: StreamLogLinesData['path'];
  /** which lines */
  query?: StreamLogLinesData['query'];
  /** from when on lines are read; from now on if not given */
  since?: Date;
}

/** A line that was written so long before the newest one can still arrive. */
const lateMs = 60_000;
/** lines that are remembered, and most that fill a gap */
const mostLines = 20_000;

/**
 * The lines of a deployment's logs as they come. A stream that breaks off is made again, and what came meanwhile is read from the list:
 * each line comes once. Within a gap lines are in the order in which they were written.
 *
 * Ends when the deployment is deleted.
 * @throws SluiceError when the lines may not be read (any more), or the stream is away for too long; the reason of the signal
 */
export async function* followLogs(options: FollowOptions): AsyncGenerator<StoredLine, void, undefined> {
  const { client, path, query, signal } = options;
  const recent = new RecentLines();
  let from = options.since?.getTime();
  yield* reopened(options, async function* (connected) {
    const { data, response } = await client.get<{ 200: ReadableStream }, unknown, true>({
      url: '/supervisor/deployments/{deployment_id}/logs/stream',
      path,
      query: { ...query },
      parseAs: 'stream',
      signal: signal ?? null,
    });
    const missed = new Counts();
    const isFirst = from === undefined;
    // by the clock of the service, which is that of the lines
    const now = Date.parse(response.headers.get('date') ?? '') || Date.now();
    from = Math.min(from ?? now, now);
    if (!isFirst) {
      const begin = Math.max(from, recent.since(lateMs));
      for (const line of recent.missing(await listLines(options, begin))) {
        recent.add(line);
        missed.add(line);
        yield line;
      }
    }
    connected();
    for await (const { event, data: text } of readEvents(new Response(data), { silenceMs, signal })) {
      const content = JSON.parse(text) as StoredLine & { reason?: string };
      if (event === 'end') {
        if (content.reason === 'deleted') return;
        throw streamEnded(content.reason ?? '', 'the logs', `/deployments/${path.deployment_id}/logs/stream`);
      }
      // it came between the start of the stream and the end of the list
      if (event !== 'line' || missed.take(content)) continue;
      recent.add(content);
      yield content;
    }
    // something in between has ended it
    throw clientError('connection_failed', 'The stream has ended.', { retryable: true });
  });
}

/** Lines from then on, oldest first. The list is read backwards in time, so that lines which come meanwhile move nothing. */
async function listLines(
  { client, path, query, signal }: FollowOptions,
  from: number,
): Promise<StoredLine[]> {
  const newestFirst: StoredLine[] = [];
  let to: string | undefined;
  let page = 1;
  while (newestFirst.length < mostLines) {
    const range = { from: new Date(from).toISOString(), ...(to !== undefined && { to }) };
    const { data } = await listLogLines({
      client,
      path,
      query: { ...query, ...range, page, results: 100 },
      signal: signal ?? null,
    });
    const { items, searched_from: searchedFrom } = data;
    const oldest = items.at(-1)?.at;
    const before = items.filter(({ at }) => at !== oldest);
    if (items.length < 100 || oldest === undefined) {
      newestFirst.push(...items);
      if (searchedFrom === null) break;
      to = searchedFrom;
      page = 1;
    } else if (page > 1 || before.length === 0) {
      // more lines of one moment than a page has
      newestFirst.push(...items);
      page++;
    } else {
      newestFirst.push(...before);
      to = new Date(Date.parse(oldest) + 1).toISOString();
    }
  }
  return newestFirst.reverse();
}

const textOf = (line: StoredLine) =>
  JSON.stringify([line.at, line.node_id, line.runtime, line.connector_instance_id, line.level, line.message]);

/** How often each line was there: programs repeat themselves within a millisecond. */
class Counts {
  readonly #counts = new Map<string, number>();

  add(line: StoredLine): void {
    const text = textOf(line);
    this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
  }

  /** @returns whether it was there once more */
  take(line: StoredLine): boolean {
    const text = textOf(line);
    const count = this.#counts.get(text) ?? 0;
    if (count > 1) this.#counts.set(text, count - 1);
    else this.#counts.delete(text);
    return count > 0;
  }
}

/** The newest lines that were given out, in a ring: once it is full it stays as large as it is. */
class RecentLines {
  readonly #lines: StoredLine[] = [];
  /** where the next line goes once the ring is full: the oldest is there */
  #next = 0;

  add(line: StoredLine): void {
    if (this.#lines.length < mostLines) return void this.#lines.push(line);
    this.#lines[this.#next] = line;
    this.#next = (this.#next + 1) % mostLines;
  }

  /** A moment before which nothing is missing: so long before the newest line, as far as lines are remembered. */
  since(milliseconds: number): number {
    const timeOf = ({ at }: StoredLine) => Date.parse(at);
    const newest = this.#lines.reduce((latest, line) => Math.max(latest, timeOf(line)), 0);
    const oldest = this.#lines.length < mostLines ? undefined : this.#lines[this.#next];
    return oldest ? Math.max(newest - milliseconds, timeOf(oldest)) : newest - milliseconds;
  }

  /** Those that were not given out. */
  missing(lines: readonly StoredLine[]): StoredLine[] {
    const counts = new Counts();
    for (const line of this.#lines) counts.add(line);
    return lines.filter((line) => !counts.take(line));
  }
}
