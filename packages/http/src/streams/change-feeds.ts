import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { TenantId } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import { problem, type Log, type PruningRule, type Sql } from '@sluice/service';
import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import { z } from 'zod';
import { ok } from '../answers.ts';
import type { OpenApiDocument } from '../openapi/document.ts';
import type { Answer, Call } from '../typed.ts';
import { callerName } from '../waiting.ts';
import { changesSince, currentPosition, type Change } from './changes.store.ts';
import { EventStream, type StreamEnd } from './event-stream.ts';
import { latestOfEach, resetEvent, textOfChanges, type Reset } from './feed-events.ts';
import { idOfPosition, positionOfId, shows, type Position, type Snapshot } from './position.ts';
import { shownChanges, type Kinds } from './shown-changes.ts';

/** The settings of a service that has feeds. */
export const feedSettings = {
  FEED_READERS: z.coerce
    .number()
    .int()
    .min(0)
    .max(100_000)
    .default(10_000)
    .describe('open feeds of changes (events/stream) of an instance at most, 503 beyond'),
  FEED_READERS_PER_CALLER: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(20)
    .describe('of these, those of one API key or user, 429 beyond'),
  FEED_KEEP_HOURS: z.coerce
    .number()
    .min(1)
    .max(168)
    .default(24)
    .describe('hours for which a feed can be resumed, by Last-Event-ID'),
};
type FeedEnvironment = z.infer<z.ZodObject<typeof feedSettings>>;

/** A transaction that is open for longer than the hour may be missed by a reader that resumes as late as it can. */
export const feedPruning = ({ FEED_KEEP_HOURS }: Pick<FeedEnvironment, 'FEED_KEEP_HOURS'>): PruningRule => ({
  table: 'object_changes',
  since: 'changed_at',
  keep: `${FEED_KEEP_HOURS + 1} hours`,
});

export interface ChangeFeedsOptions {
  sql: Sql;
  environment: FeedEnvironment;
  document: OpenApiDocument;
  /** the kinds of resources in it */
  kinds: Kinds;
  /** aborted when the service stops */
  stopping: AbortSignal;
  metrics: Registry;
  log: Log;
}

interface Reader {
  stream: EventStream<Change | Reset, Caller>;
  tenant: TenantId;
  /** as they were when last asked for */
  caller: Caller;
  /** what this shows has been sent already */
  sent?: Snapshot;
}

type Opening = Pick<
  Call<{ tenant_id: TenantId }, unknown, unknown, Caller>,
  'caller' | 'params' | 'lastEventId' | 'signal' | 'allowed'
>;

const pollMilliseconds = 250;
const retryMilliseconds = 2_000;
/** changes of all tenants that are read at once; more are a reset for all readers */
const mostRead = 10_000;
/** that wait for a reader, and that one who resumes has missed */
const mostOfReader = 1_000;

/**
 * Lets callers follow what changes in their tenants. While there are readers one statement reads for all of them what has been committed,
 * on whichever replica. Rights are asked for before each sending, and each second.
 */
export class ChangeFeeds {
  readonly #options: ChangeFeedsOptions;
  readonly #isShown: ReturnType<typeof shownChanges>;
  readonly #readers = new Map<TenantId, Set<Reader>>();
  readonly #callers = new Map<string, number>();
  readonly #open: Gauge;
  readonly #ended: Counter<'reason'>;
  #count = 0;
  /** all up to here is given to the readers */
  #position: Position | undefined;
  #runs = false;

  constructor(options: ChangeFeedsOptions) {
    this.#options = options;
    this.#isShown = shownChanges(options.document, options.kinds);
    const registers = [options.metrics];
    this.#open = new Gauge({ name: 'sluice_feeds_open', help: 'Open feeds of changes', registers });
    this.#ended = new Counter({
      name: 'sluice_feeds_ended_total',
      help: 'Feeds of changes that have ended, by reason; gone: the client has left',
      labelNames: ['reason'],
      registers,
    });
  }

  /** Answers a request for a feed. @throws Problem `rate_limited` when the caller has too many, `unavailable` when this instance has */
  async answer(call: Opening): Promise<Answer<200, undefined>> {
    return { ...ok(undefined), raw: { type: 'text/event-stream', content: await this.#opened(call) } };
  }

  async #opened({ params, caller, lastEventId, signal, allowed }: Opening): Promise<AsyncGenerator<string>> {
    const name = callerName();
    this.#requirePlace(name);
    if (!this.#runs) {
      const position = await currentPosition(this.#options.sql);
      this.#requirePlace(name);
      if (!this.#runs) this.#run(position);
    }
    const stream = new EventStream<Change | Reset, Caller>({
      follower: { allowed, gone: signal },
      most: mostOfReader,
      overflowed: () => stream.replace({ reset: 'too_slow' }),
      checked: (now) => {
        const before = reader.caller;
        reader.caller = now;
        // the objects that are seen are others from now on
        if (!isDeepStrictEqual(now.permissions, before.permissions))
          stream.replace({ reset: 'rights_changed' });
      },
    });
    const reader: Reader = { stream, tenant: params.tenant_id, caller };
    this.#enter(name, reader);
    const texts = {
      first: () => this.#begin(reader, lastEventId),
      items: (items: (Change | Reset)[]) => this.#send(reader, items),
      // what came was not for this reader; it need not be read again
      quiet: () => `: still there\nid: ${this.#id}\n\n`,
    };
    return stream.events(texts, () => this.#leave(name, reader));
  }

  get #id(): string {
    return this.#position ? idOfPosition(this.#position) : '';
  }

  #requirePlace(name: string): void {
    const { FEED_READERS: most, FEED_READERS_PER_CALLER: mostOfCaller } = this.#options.environment;
    const headers = { 'retry-after': '5' };
    if ((this.#callers.get(name) ?? 0) >= mostOfCaller)
      throw problem('rate_limited', {
        detail: `The caller has ${mostOfCaller} feeds here already.`,
        headers,
      });
    if (this.#count >= most)
      throw problem('unavailable', { detail: 'Too many feeds are open here.', headers });
  }

  #enter(name: string, reader: Reader): void {
    const others = this.#readers.get(reader.tenant) ?? new Set();
    this.#readers.set(reader.tenant, others.add(reader));
    this.#callers.set(name, (this.#callers.get(name) ?? 0) + 1);
    this.#open.set(++this.#count);
  }

  #leave(name: string, reader: Reader): void {
    const others = this.#readers.get(reader.tenant);
    others?.delete(reader);
    if (others?.size === 0) this.#readers.delete(reader.tenant);
    const left = (this.#callers.get(name) ?? 1) - 1;
    if (left === 0) this.#callers.delete(name);
    else this.#callers.set(name, left);
    this.#open.set(--this.#count);
    const ended: StreamEnd = reader.stream.ended ?? 'gone';
    this.#ended.inc({ reason: ended });
  }

  /** What a reader has missed, and from where it goes on. */
  async #begin(reader: Reader, lastEventId: string | undefined): Promise<string> {
    if (lastEventId === undefined || lastEventId === '') {
      // the others are up to a poll behind
      const position = await currentPosition(this.#options.sql);
      reader.sent = position.snapshot;
      return `: changes from now on\nid: ${idOfPosition(position)}\n\n`;
    }
    const from = positionOfId(lastEventId);
    const now = this.#position;
    if (!from || from.database !== now?.database) return resetEvent('unknown_id', this.#id);
    if (now.at - from.at > this.#options.environment.FEED_KEEP_HOURS * 3_600_000)
      return resetEvent('too_old', this.#id);
    const { position, changes } = await changesSince(this.#options.sql, from, mostOfReader, reader.tenant);
    if (!changes) return resetEvent('too_many', this.#id);
    if (!(await this.#isAllowed(reader))) return '';
    reader.sent = position.snapshot;
    const id = idOfPosition(position);
    return this.#textFor(reader, changes, id) || `: nothing was missed\nid: ${id}\n\n`;
  }

  /** The events of all that has waited; none where the right is gone meanwhile. */
  async #send(reader: Reader, items: (Change | Reset)[]): Promise<string> {
    const id = this.#id;
    const { sent } = reader;
    if (!(await this.#isAllowed(reader))) return '';
    const resets = items.flatMap((item) => ('reset' in item ? [resetEvent(item.reset, id)] : []));
    const changes = items.filter((item) => 'revision' in item);
    const fresh = sent ? changes.filter(({ transaction }) => !shows(sent, transaction)) : changes;
    return resets.join('') + this.#textFor(reader, fresh, id);
  }

  /** Waits while it cannot be known. */
  async #isAllowed({ stream }: Reader): Promise<boolean> {
    while (stream.ended === null) {
      if (await stream.allowed()) return true;
      if (stream.ended === null) await pause(pollMilliseconds);
    }
    return false;
  }

  #textFor({ caller }: Reader, changes: readonly Change[], id: string): string {
    return textOfChanges(latestOfEach(changes.filter((change) => this.#isShown(caller, change))), id);
  }

  #run(from: Position): void {
    this.#position = from;
    this.#runs = true;
    void this.#follow(from);
  }

  async #follow(from: Position): Promise<void> {
    const { sql, stopping, log } = this.#options;
    let at = from;
    let isAway = false;
    for (;;) {
      await pause(isAway ? retryMilliseconds : pollMilliseconds, undefined, { signal: stopping }).catch(
        () => undefined,
      );
      if (this.#count === 0 || stopping.aborted) break;
      try {
        const { position, changes } = await changesSince(sql, at, mostRead);
        this.#position = position;
        if (position.database !== at.database) this.#resetAll('unknown_id');
        else if (!changes) this.#resetAll('too_many');
        else this.#distribute(changes);
        at = position;
        isAway = false;
      } catch (error) {
        if (!isAway) log.warn('changes cannot be read for those who follow them', { error });
        isAway = true;
      }
    }
    this.#runs = false;
    for (const reader of this.#all()) reader.stream.end('stopping');
  }

  *#all(): Generator<Reader> {
    for (const readers of this.#readers.values()) yield* readers;
  }

  #resetAll(reset: Reset['reset']): void {
    for (const { stream } of this.#all()) stream.replace({ reset });
  }

  #distribute(changes: readonly Change[]): void {
    for (const change of changes)
      for (const { stream, caller } of this.#readers.get(change.tenant_id) ?? [])
        if (this.#isShown(caller, change)) stream.give(change);
  }
}
