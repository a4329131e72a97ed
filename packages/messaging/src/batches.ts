import type { JsMsg } from '@nats-io/jetstream';
import { LRUCache } from 'lru-cache';
import { type Sql, system, withoutContext } from '@sluice/service';
import type { ConsumerMetrics } from './consumer-metrics.ts';
import type { ConsumerOptions, Many, Received } from './consumer-options.ts';
import { aheadMilliseconds, sentMessageOf } from './dead-letters.ts';
import { envelopeOf } from './envelope.ts';
import { stillWorking, type Handling } from './handling.ts';
import { asPartOfTheirTraces } from './message-trace.ts';
import type { NoteProgress } from './progress.store.ts';
import type { StreamOrder } from './stream-order.ts';

/** messages that are handled in one transaction at most, and fetched before that */
export const mostMessages = 2_000;
/** what they may take in memory together, in bytes */
const mostBytes = 4 * 1024 * 1024;
/** messages that are checked in one turn of the event loop, so that what is being stored goes on meanwhile */
const checkedAtOnce = 10;
/** messages of which it is known how often they have come, more than can be under way */
const remembered = 10_000;

/** A message whose word is known to be its sender's. */
interface Checked {
  message: JsMsg;
  received: Received;
}

/** How often a message has come to this process. */
interface Deliveries {
  /** when NATS has stored it: a stream that was made anew counts from the beginning */
  storedAt: number;
  count: number;
}

/** Messages that are handled together. */
interface Batch<Handle> {
  checked: Checked[];
  many: Many<Handle>;
}

/** Some messages as they came: those that are handled together, or one that is handled by itself. */
type Part<Handle> = Batch<Handle> | JsMsg;

export type BatchesOptions<Handle extends Sql> = ConsumerOptions<Handle> &
  Required<Pick<ConsumerOptions<Handle>, 'handleMany'>>;

/**
 * Handles messages that come in numbers many at a time: while the effect of some is being stored, the signatures of the next are
 * checked, and their effect is prepared. What is not as it should be, has failed before or fails together with others is handled by
 * itself (`Handling`), in its place; and so is what another process has had and did not end. What came again to this process alone,
 * since it took long to get to it, has evidently ended none.
 */
export class Batches<Handle extends Sql> {
  readonly #options: BatchesOptions<Handle>;
  readonly #handling: Handling<Handle>;
  readonly #metrics: ConsumerMetrics;
  readonly #workingMilliseconds: number;
  readonly #noteProgress: NoteProgress;
  /** where they are handled in the order of their stream */
  readonly #order: StreamOrder | undefined;
  /** how often messages have come to this process that it has not handled by themselves */
  readonly #deliveries = new LRUCache<number, Deliveries>({ max: remembered });

  constructor(
    options: BatchesOptions<Handle>,
    handling: Handling<Handle>,
    metrics: ConsumerMetrics,
    ackWaitMilliseconds: number,
    noteProgress: NoteProgress,
    order?: StreamOrder,
  ) {
    this.#options = options;
    this.#order = order;
    this.#noteProgress = noteProgress;
    this.#handling = handling;
    this.#metrics = metrics;
    this.#workingMilliseconds = ackWaitMilliseconds / 3;
  }

  /** Handles messages until there are none any more, or it is stopped: what is left then goes to another replica. */
  async handleAll(messages: AsyncIterable<JsMsg>, stopping: AbortSignal): Promise<void> {
    let storing = Promise.resolve();
    const { mostTogether = mostMessages } = this.#options;
    try {
      for await (const some of asTheyCome(messages, mostTogether)) {
        // those that come again come among later ones
        if (this.#order) some.sort((one, other) => one.seq - other.seq);
        if (stopping.aborted) {
          for (const message of some) message.nak();
          continue;
        }
        // tells NATS that they are still being worked on
        const working = setInterval(() => some.forEach(stillWorking), this.#workingMilliseconds);
        try {
          const parts = await this.#check(some);
          await storing;
          storing = this.#handle(parts, stopping).finally(() => clearInterval(working));
        } catch (error) {
          clearInterval(working);
          throw error;
        }
      }
    } finally {
      // also where nothing comes any more: what is fetched next comes after it
      await storing;
    }
  }

  /** Finds out whose word they are, and prepares what can be handled together. */
  async #check(messages: readonly JsMsg[]): Promise<Part<Handle>[]> {
    const parts: Part<Handle>[] = [];
    for (let first = 0; first < messages.length; first += checkedAtOnce) {
      if (first > 0) await endOfTurn(undefined);
      const some = messages.slice(first, first + checkedAtOnce);
      const received = await Promise.all(some.map((message) => this.#checkOne(message)));
      const suspects = await this.#suspectsAmong(some, received);
      some.forEach((message, index) => {
        const checked = received[index];
        this.#addTo(parts, message, checked && !suspects.has(checked) ? checked : undefined);
      });
    }
    return parts;
  }

  /** @returns undefined when it is to be handled by itself */
  async #checkOne(message: JsMsg): Promise<Received | undefined> {
    const { senderOf, stream } = this.#options;
    try {
      const sent = sentMessageOf(message, stream.name);
      const sender = await senderOf(sent);
      return {
        ...{ message: envelopeOf(sent), position: message.seq, sender },
        ...{ arrivedAt: sent.time, aheadMilliseconds: aheadMilliseconds(sent) },
      };
    } catch {
      // handled alone it fails again, and the error is reported then
      return undefined;
    }
  }

  /** With those before it, where it can be handled together with them. */
  #addTo(parts: Part<Handle>[], message: JsMsg, received: Received | undefined): void {
    const last = parts.at(-1);
    const isNext = last && 'many' in last && this.#isNext(last, message);
    const batch = isNext ? last : { checked: [], many: this.#options.handleMany() };
    if (!received || !isAdded(batch.many, received)) return void parts.push(message);
    batch.checked.push({ message, received });
    if (batch !== last) parts.push(batch);
  }

  /** Whether nothing is left out between a batch and a message, where that matters. */
  #isNext({ checked }: Batch<Handle>, { seq }: JsMsg): boolean {
    const end = checked.at(-1)?.message.seq ?? seq;
    return !this.#order || seq <= end + 1;
  }

  /** Those that another process has had and did not end. Where it did, they come again since NATS has lost that it said so. */
  async #suspectsAmong(
    messages: readonly JsMsg[],
    received: readonly (Received | undefined)[],
  ): Promise<ReadonlySet<Received>> {
    const { sql, name } = this.#options;
    const hadByAnother = messages.map((message) => !this.#cameToUsAlone(message));
    const suspects = received.filter(
      (each, index): each is Received => each !== undefined && hadByAnother[index] === true,
    );
    if (suspects.length === 0) return new Set();
    const ids = suspects.map(({ message }) => message.id);
    const ended = await sql
      .query<{ message_id: string }>(
        'SELECT message_id FROM inbox WHERE consumer = $1 AND message_id = ANY ($2::uuid[])',
        [name, ids],
      )
      // handled alone it fails again, and the error is reported then
      .catch(() => []);
    const known = new Set(ended.map(({ message_id }) => message_id));
    return new Set(suspects.filter(({ message }) => !known.has(message.id.toLowerCase())));
  }

  /** Notes that it has come, and whether each time that it was delivered it was to this process. */
  #cameToUsAlone({ info }: JsMsg): boolean {
    const { streamSequence, timestampNanos: storedAt, deliveryCount } = info;
    const known = this.#deliveries.get(streamSequence);
    const count = known?.storedAt === storedAt ? known.count + 1 : 1;
    this.#deliveries.set(streamSequence, { storedAt, count });
    return deliveryCount <= count;
  }

  /** Never rejects. */
  async #handle(parts: readonly Part<Handle>[], stopping: AbortSignal): Promise<void> {
    for (const part of parts) {
      const messages = 'many' in part ? part.checked.map(({ message }) => message) : [part];
      await this.#order?.handleBefore(messages[0]?.seq ?? 0, stopping);
      if (stopping.aborted) messages.forEach((message) => message.nak());
      else if (!('many' in part)) await this.#handleAlone(part);
      else if (!(await this.#handleTogether(part)))
        for (const { message } of part.checked) await this.#handleAlone(message);
    }
  }

  /** From now on it is always handled by itself. */
  async #handleAlone(message: JsMsg): Promise<void> {
    const { streamSequence, timestampNanos: storedAt } = message.info;
    this.#deliveries.set(streamSequence, { storedAt, count: -Infinity });
    await this.#handling.handle(message);
  }

  /** @returns whether they have had their effect */
  async #handleTogether(batch: Batch<Handle>): Promise<boolean> {
    const { name, log } = this.#options;
    const ended = this.#metrics.handling.startTimer({ consumer: name });
    const count = batch.checked.length;
    try {
      const effect = withoutContext(() => this.#store(batch));
      await asPartOfTheirTraces(this.#options, batch.checked, effect);
    } catch (error) {
      ended({ outcome: 'failed' });
      log.warn('messages could not be handled together; each is handled by itself', {
        ...{ consumer: name, count, error },
      });
      return false;
    }
    ended({ outcome: 'done' });
    this.#metrics.handled.inc({ consumer: name }, count);
    for (const { message } of batch.checked) message.ack();
    return true;
  }

  async #store({ checked, many }: Batch<Handle>): Promise<void> {
    const { name, work } = this.#options;
    const ids = checked.map(({ received }) => received.message.id.toLowerCase());
    await work(system, async (tx) => {
      const added = await addToInbox(tx, name, ids);
      // one that came twice is new once
      const fresh = checked.filter((_, index) => added.delete(ids[index] ?? ''));
      const isNew = new Set(fresh.map(({ received }) => received));
      await many.store(tx, (received) => isNew.has(received));
      await this.#noteProgress(tx, Math.max(...checked.map(({ message }) => message.seq)));
    });
  }
}

/** What cannot be added fails again when it is handled alone, and the error is reported then. */
function isAdded<Handle>(many: Many<Handle>, received: Received): boolean {
  try {
    many.add(received);
    return true;
  } catch {
    return false;
  }
}

/** @returns those that were not there */
async function addToInbox(sql: Sql, consumer: string, ids: readonly string[]): Promise<Set<string>> {
  // in one order for all replicas, so that none waits for another that waits for it
  const sorted = [...new Set(ids)].sort();
  const [row] = await sql.query<{ added: string[] | null }>(
    `WITH added AS (
       INSERT INTO inbox (consumer, message_id) SELECT $1, id FROM unnest($2::uuid[]) AS id
       ON CONFLICT DO NOTHING RETURNING message_id)
     SELECT CASE WHEN count(*) < cardinality($2::uuid[]) THEN coalesce(array_agg(message_id::text), '{}') END AS added
     FROM added`,
    [consumer, sorted],
  );
  // nearly always it is all of them, and then it does not say which
  return new Set(row?.added ?? sorted);
}

/** What has come when it is asked for, at least one message at a time. */
async function* asTheyCome(messages: AsyncIterable<JsMsg>, most: number): AsyncGenerator<JsMsg[]> {
  const iterator = messages[Symbol.asyncIterator]();
  const nothing = Symbol('nothing');
  const ask = () => {
    const asked = iterator.next();
    // kept for the reader, who may come later
    asked.catch(() => undefined);
    return asked;
  };
  let next = ask();
  for (;;) {
    const first = await next;
    if (first.done) return;
    const some = [first.value];
    let bytes = first.value.data.length;
    next = ask();
    // messages that are there already come before the end of this turn of the event loop
    let turn = endOfTurn(nothing);
    let before = some.length;
    while (some.length < most && bytes < mostBytes) {
      const now = await Promise.race([next, turn]);
      if (typeof now === 'symbol') {
        if (some.length === before) break;
        before = some.length;
        turn = endOfTurn(nothing);
        continue;
      }
      // the generator ends when it is asked for the next ones
      if (now.done) break;
      some.push(now.value);
      bytes += now.value.data.length;
      next = ask();
    }
    yield some;
  }
}

const endOfTurn = <T>(value: T) => new Promise<T>((resolve) => void setImmediate(resolve, value));
