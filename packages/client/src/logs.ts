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
        const key = keyOf(line);
        recent.add(key, line);
        missed.add(key);
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
      if (event !== 'line') continue;
      const key = keyOf(content);
      // it came between the start of the stream and the end of the list
      if (missed.take(key)) continue;
      recent.add(key, content);
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

/**
 * What a line is known by, as a number of 53 bits: lines can be long, and so many are remembered. Two of 20,000 lines have the same one
 * once in 45 million times (cyrb53).
 */
function keyOf(line: StoredLine): number {
  const { at, node_id, runtime, connector_instance_id, level, message } = line;
  const text = JSON.stringify([at, node_id, runtime, connector_instance_id, level, message]);
  let [low, high] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 2654435761);
    high = Math.imul(high ^ unit, 1597334677);
  }
  const mixed = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  const other = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(mixed ^ (mixed >>> 13), 3266489909);
  return 2 ** 32 * (other & 0x1fffff) + (mixed >>> 0);
}

/** How often each line was there: programs repeat themselves within a millisecond. */
class Counts {
  readonly #counts = new Map<number, number>();

  add(key: number): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** @returns whether it was there once more */
  take(key: number): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count > 1) this.#counts.set(key, count - 1);
    else this.#counts.delete(key);
    return count > 0;
  }
}

/** The newest lines that were given out, by their keys. It takes the same memory however many they are, and however long. */
class RecentLines {
  readonly #keys = new Float64Array(mostLines);
  readonly #times = new Float64Array(mostLines);
  /** of all that were added; the next one takes the place of the oldest */
  #count = 0;

  add(key: number, { at }: StoredLine): void {
    const index = this.#count++ % mostLines;
    this.#keys[index] = key;
    this.#times[index] = Date.parse(at);
  }

  /** A moment before which nothing is missing: so long before the newest line, as far as lines are remembered. */
  since(milliseconds: number): number {
    const newest = this.#times.reduce((latest, time) => Math.max(latest, time), 0);
    const oldest = this.#count < mostLines ? 0 : (this.#times[this.#count % mostLines] ?? 0);
    return Math.max(newest - milliseconds, oldest);
  }

  /** Those that were not given out. */
  missing(lines: readonly StoredLine[]): StoredLine[] {
    const counts = new Counts();
    for (const key of this.#keys.subarray(0, this.#count)) counts.add(key);
    return lines.filter((line) => !counts.take(keyOf(line)));
  }
}
