import { setTimeout as pauseFor } from 'node:timers/promises';
import type { DeploymentId } from '@sluice/contracts';
import type { QueryOf } from '@sluice/http';
import { Problem, problem } from '@sluice/service';
import type { operations } from '../../generated/api.ts';
import type { Shared } from '../shared.ts';
import { findLinesAfter, newestLineId, type Line } from './telemetry.store.ts';
import { lineView } from './telemetry-view.ts';

type Filter = QueryOf<operations['streamLogLines']>;

export interface LogStreamsOptions extends Pick<Shared, 'database' | 'log'> {
  /** aborted when the service stops */
  stopping: AbortSignal;
}

/** Who follows, and for how long they may. */
export interface Follower {
  /** Rejects when the right to follow is gone. */
  allowed: () => Promise<unknown>;
  /** aborted when the client is */
  gone: AbortSignal;
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
const checkMilliseconds = 2_000;
const heartbeatMilliseconds = 15_000;

/** Why a stream ends. */
type End = 'too_slow' | 'forbidden' | 'deleted' | 'stopping' | 'gone' | 'failed';

interface Reader {
  filter: Filter;
  waiting: Line[];
  end: End | null;
  wake: () => void;
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
        if (lines === null) for (const reader of all) end(reader, 'deleted');
        for (const line of arrivals.take(lines ?? [])) for (const reader of all) give(reader, line);
      } catch (error) {
        log.warn('lines could not be read for those who follow them', { deployment: id, error });
      }
      await pauseFor(pollMilliseconds, undefined, { signal: stopping }).catch(() => undefined);
    }
    for (const reader of all) end(reader, 'stopping');
  }

  /** The events of one reader, which is removed at their end. */
  async function* events(
    id: DeploymentId,
    reader: Reader,
    { allowed, gone }: Follower,
  ): AsyncGenerator<string> {
    const check = setInterval(() => {
      allowed().catch((error: unknown) => {
        if (error instanceof Problem && error.status < 500)
          end(reader, error.status === 404 ? 'deleted' : 'forbidden');
      });
    }, checkMilliseconds);
    const close = () => end(reader, 'gone');
    gone.addEventListener('abort', close, { once: true });
    try {
      yield ': the lines from now on\n\n';
      for (;;) {
        const isCut = reader.end === 'too_slow' || reader.end === 'forbidden';
        const lines = isCut ? [] : reader.waiting.splice(0, 100);
        if (lines.length > 0) yield lines.map(lineEvent).join('');
        else if (reader.end !== null) break;
        else if (!(await hasNews(reader))) yield ': still there\n\n';
      }
      if (reader.end !== 'gone') yield `event: end\ndata: ${JSON.stringify({ reason: reader.end })}\n\n`;
    } finally {
      clearInterval(check);
      gone.removeEventListener('abort', close);
      remove(id, reader);
    }
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
      const reader: Reader = { filter, waiting: [], end: null, wake: () => undefined };
      add(id, reader, after);
      return events(id, reader, follower);
    },
  };
}

function end(reader: Reader, reason: End): void {
  reader.end ??= reason;
  reader.wake();
}

function give(reader: Reader, line: Line): void {
  if (reader.end !== null || !fits(reader.filter, line)) return;
  if (reader.waiting.length >= mostWaiting) return end(reader, 'too_slow');
  reader.waiting.push(line);
  reader.wake();
}

const fits = ({ runtime, node, level, message }: Filter, line: Line): boolean =>
  (runtime === undefined || line.runtime === runtime) &&
  (node === undefined || line.node_id === node) &&
  (level === undefined || line.level === level) &&
  (message === undefined || line.message.toLowerCase().includes(message.toLowerCase()));

/** @returns false when nothing has happened to the reader for so long that it is time to say that all is well */
async function hasNews(reader: Reader): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  reader.wake = () => resolve(true);
  const timer = setTimeout(() => resolve(false), heartbeatMilliseconds);
  return await promise.finally(() => clearTimeout(timer));
}

const lineEvent = (line: Line) => `event: line\nid: ${line.id}\ndata: ${JSON.stringify(lineView(line))}\n\n`;

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
