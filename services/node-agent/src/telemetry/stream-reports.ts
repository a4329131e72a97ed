import { randomUUID } from 'node:crypto';
import type { ReportedConsumer, ReportedStream, StreamReport } from '@sluice/contracts';
import { reasonOf } from '@sluice/system';
import type { Log } from '@sluice/system/log';
import type { HeldStreams } from '../runtimes/runtime.ts';

/** streams, and consumers, that are reported at most, by their names; the others are counted */
const mostReported = 1_000;
/** the supervisor takes requests of 64 KiB */
const partBytes = 48 * 1_024;
/** after this time all is reported, whether it has changed or not */
const completeMilliseconds = 300_000;
/** a supervisor of an older release does not take reports */
const pauses = { 404: 300_000 } as Record<number, number>;

interface StreamReportsOptions {
  held: () => Promise<HeldStreams | null>;
  /** Rejects when the supervisor did not take it. */
  send: (part: StreamReport) => Promise<void>;
  /** The status of a refusal, and the least pause that the supervisor wants, in seconds; null for any other error. */
  refusalOf: (error: unknown) => { status: number; retryAfter: number } | null;
  /** the supervisor's: milliseconds since 1970 */
  now: () => number;
  log: Log;
}

type Items = Pick<StreamReport, 'streams' | 'consumers'>;

/** Tells the supervisor what the broker holds: all of it from time to time, and what has changed meanwhile. */
export class StreamReports {
  readonly #options: StreamReportsOptions;
  /** what was reported last, by kind and name */
  #reported = new Map<string, string>();
  #completeAt = -Infinity;
  #hasFailed = false;

  constructor(options: StreamReportsOptions) {
    this.#options = options;
  }

  /** Reports once. After a failure the next report is a complete one. */
  async report(): Promise<void> {
    const held = await this.#options.held();
    if (held === null) return;
    const streams = firstOf(held.streams, streamName);
    const consumers = firstOf(held.consumers, consumerName);
    const found = new Map([
      ...streams.map((stream): [string, string] => [streamName(stream), JSON.stringify(stream)]),
      ...consumers.map((consumer): [string, string] => [consumerName(consumer), JSON.stringify(consumer)]),
    ]);
    const isGone = [...this.#reported.keys()].some((name) => !found.has(name));
    const complete = isGone || performance.now() - this.#completeAt >= completeMilliseconds;
    const isNew = (name: string) => complete || this.#reported.get(name) !== found.get(name);
    const news = {
      streams: streams.filter((stream) => isNew(streamName(stream))),
      consumers: consumers.filter((consumer) => isNew(consumerName(consumer))),
    };
    if (!complete && news.streams.length + news.consumers.length === 0) return;
    // of a report that fails, the supervisor may have stored a part
    const completeAt = complete ? performance.now() : this.#completeAt;
    this.#completeAt = -Infinity;
    await this.#send(news, complete, held);
    this.#completeAt = completeAt;
    this.#reported = found;
    this.#hasFailed = false;
  }

  /** @returns the least pause before the next attempt, in milliseconds */
  failed(error: unknown): number {
    const { status = 0, retryAfter = 0 } = this.#options.refusalOf(error) ?? {};
    if (!this.#hasFailed)
      this.#options.log.warn('the streams could not be reported', { reason: reasonOf(error) });
    this.#hasFailed = true;
    return Math.max(pauses[status] ?? 0, retryAfter * 1_000);
  }

  async #send(news: Items, complete: boolean, held: HeldStreams): Promise<void> {
    const about = {
      ...{ report: randomUUID(), at: new Date(this.#options.now()).toISOString(), complete },
      ...{ streams_total: held.streams.length, consumers_total: held.consumers.length },
    };
    const parts = [...partsOf(news)];
    for (const [index, part] of parts.entries())
      await this.#options.send({ ...about, ...part, last: index === parts.length - 1 });
  }
}

const streamName = ({ name }: ReportedStream) => `stream ${name}`;
const consumerName = ({ stream, name }: ReportedConsumer) => `consumer ${stream} ${name}`;

function firstOf<Item>(items: readonly Item[], nameOf: (item: Item) => string): readonly Item[] {
  if (items.length <= mostReported) return items;
  const byName = (one: Item, other: Item) => (nameOf(one) < nameOf(other) ? -1 : 1);
  return items.toSorted(byName).slice(0, mostReported);
}

/** At least one part, which may be empty: also a broker that holds nothing is reported. */
function* partsOf({ streams, consumers }: Items): Generator<Items> {
  let part: Items = { streams: [], consumers: [] };
  let bytes = 0;
  const items = [...streams.map((stream) => ({ stream })), ...consumers.map((consumer) => ({ consumer }))];
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item));
    if (bytes > 0 && bytes + size > partBytes) {
      yield part;
      part = { streams: [], consumers: [] };
      bytes = 0;
    }
    bytes += size;
    if ('stream' in item) part.streams.push(item.stream);
    else part.consumers.push(item.consumer);
  }
  yield part;
}
