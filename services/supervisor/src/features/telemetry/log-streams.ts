import { setTimeout as pauseFor } from 'node:timers/promises';
import type { DeploymentId } from '@sluice/contracts';
import { EventStream, type Follower, type QueryOf } from '@sluice/http';
import { problem } from '@sluice/service';
import type { operations } from '../../generated/api.ts';
import type { Shared } from '../shared.ts';
import { findLinesAfter, levelsFrom, newestLineId, type Line } from './telemetry.store.ts';
import { lineView } from './telemetry-view.ts';

type Filter = QueryOf<operations['streamLogLines']>;

export interface LogStreamsOptions extends Pick<Shared, 'database' | 'log'> {
  /** aborted when the service stops */
  stopping: AbortSignal;
}

const mostOfDeployment = 20;
const mostInAll = 500;
/** lines that wait for a reader */
const mostWaiting = 2_000;
const pollMilliseconds = 500;
/** lines read at once */
const mostRead = 500;
/** A line whose number is lower than that of one that has come can come later, but no later than this. */
const lateMilliseconds = 5_000;
/** sent to a reader at once */
const mostSent = 100;

interface Reader {
  filter: Filter;
  stream: EventStream<Line>;
}

export type LogStreams = ReturnType<typeof logStreams>;

/**
 * Lets clients follow the logs of deployments, on whichever replica their lines come in: for each deployment that is followed here,
 * the database is asked once a second for what is new. A reader that is too slow is cut off, and holds up no other.
 */
export function logStreams({ database, stopping, log }: LogStreamsOptions) {
  const followed = new Map<DeploymentId, Set<Reader>>();
  let readers = 0;

  function add(id: DeploymentId, reader: Reader, after: number): void {
    const others = followed.get(id);
    readers++;
    if (others) return void others.add(reader);
    const first = new Set([reader]);
    followed.set(id, first);
    void follow(id, first, after);
  }

  function remove(id: DeploymentId, reader: Reader): void {
    readers--;
    const others = followed.get(id);
    others?.delete(reader);
    if (others?.size === 0) followed.delete(id);
  }

  /** Reads for all followers of a deployment, until there is none. */
  async function follow(id: DeploymentId, all: ReadonlySet<Reader>, after: number): Promise<void> {
    const arrivals = new Arrivals(after);
    while (all.size > 0 && !stopping.aborted) {
      try {
        const lines = await findLinesAfter(database, id, arrivals.settled, mostRead + arrivals.size);
        if (lines === null) for (const { stream } of all) stream.end('deleted');
        for (const line of arrivals.take(lines ?? [])) for (const reader of all) give(reader, line);
      } catch (error) {
        log.warn('lines could not be read for those who follow them', { deployment: id, error });
      }
      await pauseFor(pollMilliseconds, undefined, { signal: stopping }).catch(() => undefined);
    }
    for (const { stream } of all) stream.end('stopping');
  }

  return {
    /**
     * @returns server-sent events
     * @throws Problem `rate_limited` when too many follow the deployment already, `unavailable` when too many follow any
     */
    async open(id: DeploymentId, filter: Filter, follower: Follower): Promise<AsyncGenerator<string>> {
      const after = await newestLineId(database);
      const headers = { 'retry-after': '5' };
      if (readers >= mostInAll)
        throw problem('unavailable', { detail: 'Too many streams are open here.', headers });
      const detail = `The deployment has ${mostOfDeployment} streams already.`;
      if ((followed.get(id)?.size ?? 0) >= mostOfDeployment)
        throw problem('rate_limited', { detail, headers });
      const stream = new EventStream<Line>({ follower, most: mostWaiting, atOnce: mostSent });
      const reader: Reader = { filter, stream };
      add(id, reader, after);
      return stream.events(texts, () => remove(id, reader));
    },
  };
}

function give({ filter, stream }: Reader, line: Line): void {
  if (fits(filter, line)) stream.give(line);
}

const fits = ({ runtime, node, level, message }: Filter, line: Line): boolean =>
  (runtime === undefined || line.runtime === runtime) &&
  (node === undefined || line.node_id === node) &&
  (level === undefined || levelsFrom(level).includes(line.level)) &&
  (message === undefined || line.message.toLowerCase().includes(message.toLowerCase()));

const lineEvent = (line: Line) => `event: line\nid: ${line.id}\ndata: ${JSON.stringify(lineView(line))}\n\n`;

const texts = {
  first: () => ': the lines from now on\n\n',
  items: (lines: Line[]) => lines.map(lineEvent).join(''),
  quiet: () => ': still there\n\n',
};

/**
 * Tells new lines from those that have come. Numbers are given before they can be read, by several replicas, so one that is
 * lower can come a little later than one that is higher: for some seconds each is remembered.
 */
class Arrivals {
  /** up to here all have come */
  settled: number;
  readonly #seen = new Map<number, number>();

  constructor(after: number) {
    this.settled = after;
  }

  get size(): number {
    return this.#seen.size;
  }

  take(lines: readonly Line[]): Line[] {
    const now = performance.now();
    const fresh = lines.filter(({ id }) => !this.#seen.has(id));
    for (const { id } of fresh) this.#seen.set(id, now);
    for (const [id, at] of this.#seen)
      if (now - at > lateMilliseconds) this.settled = Math.max(this.settled, id);
    for (const id of this.#seen.keys()) if (id <= this.settled) this.#seen.delete(id);
    return fresh;
  }
}
