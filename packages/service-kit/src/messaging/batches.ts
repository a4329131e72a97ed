import type { JsMsg } from '@nats-io/jetstream';
import type { Sql } from '../database/sql.ts';
import { leastRecentlyUsed } from '../least-recently-used.ts';
import { system } from '../origin.ts';
import { withoutContext } from '../request-context.ts';
import type { ConsumerMetrics } from './consumer-metrics.ts';
import type { ConsumerOptions, Received } from './consumer-options.ts';
import { sentMessageOf } from './dead-letters.ts';
import { envelopeOf, type Envelope } from './envelope.ts';
import { stillWorking, type Handling } from './handling.ts';
import { asPartOfItsTrace } from './message-trace.ts';

/** messages that are handled in one transaction at most */
const mostMessages = 500;
/** what they may take in memory together, in bytes */
const mostBytes = 4 * 1024 * 1024;
/** messages of which it is known how often they have come, more than can be under way */
const remembered = 10_000;

/** A message that may take effect together with others: its word is known to be its sender's. */
interface Checked {
  message: JsMsg;
  envelope: Envelope;
}

/** Some messages as they came: those that can be handled together, or one that is handled by itself. */
type Part = Checked[] | JsMsg;

/**
 * Handles messages that come in numbers many at a time: while the effect of some is being stored, the signatures of the next are
 * checked. What is not as it should be, has failed before or fails together with others is handled by itself (`Handling`), in its
 * place; and so is what another process has had and did not end. What came again to this process alone, since it took long to get
 * to it, has evidently ended none.
 */
export class Batches<Handle extends Sql> {
  readonly #options: ConsumerOptions<Handle>;
  readonly #handling: Handling<Handle>;
  readonly #metrics: ConsumerMetrics;
  readonly #workingMilliseconds: number;
  /** how often messages have come to this process that it has not handled by themselves */
  readonly #deliveries = leastRecentlyUsed<string, { count: number }>(remembered);

  constructor(
    options: ConsumerOptions<Handle>,
    handling: Handling<Handle>,
    metrics: ConsumerMetrics,
    ackWaitMilliseconds: number,
  ) {
    this.#options = options;
    this.#handling = handling;
    this.#metrics = metrics;
    this.#workingMilliseconds = ackWaitMilliseconds / 3;
  }

  /** Handles messages until there are none any more, or it is told to stop: what is left then goes to another replica. */
  async handleAll(messages: AsyncIterable<JsMsg>, stopping: AbortSignal): Promise<void> {
    let storing = Promise.resolve();
    for await (const some of asTheyCome(messages)) {
      if (stopping.aborted) {
        for (const message of some) message.nak();
        continue;
      }
      // tells NATS that they are still being worked on
      const working = setInterval(() => some.forEach(stillWorking), this.#workingMilliseconds);
      try {
        const parts = await this.#check(some);
        await storing;
        storing = this.#handle(parts).finally(() => clearInterval(working));
      } catch (error) {
        clearInterval(working);
        throw error;
      }
    }
    await storing;
  }

  /** Finds out whose word they are, all at the same time. */
  async #check(messages: readonly JsMsg[]): Promise<Part[]> {
    const checked = await Promise.all(messages.map((message) => this.#checkOne(message)));
    const parts: Part[] = [];
    for (const one of checked) {
      const last = parts.at(-1);
      if (!('envelope' in one)) parts.push(one);
      else if (Array.isArray(last)) last.push(one);
      else parts.push([one]);
    }
    return parts;
  }

  async #checkOne(message: JsMsg): Promise<Checked | JsMsg> {
    const { senderOf, stream } = this.#options;
    if (!this.#cameToUsAlone(message)) return message;
    try {
      const sent = sentMessageOf(message, stream.name);
      await senderOf(sent);
      return { message, envelope: envelopeOf(sent) };
    } catch {
      // by itself it is found out again, and told
      return message;
    }
  }

  /** Notes that it has come, and whether each time that it was delivered it was to this process. */
  #cameToUsAlone(message: JsMsg): boolean {
    const known = this.#deliveries.get(placeOf(message)) ?? { count: 0 };
    known.count += 1;
    this.#deliveries.set(placeOf(message), known);
    return message.info.deliveryCount <= known.count;
  }

  /** Never rejects. */
  async #handle(parts: readonly Part[]): Promise<void> {
    for (const part of parts) {
      if (!Array.isArray(part)) await this.#handleAlone(part);
      else if (!(await this.#handleTogether(part)))
        for (const { message } of part) await this.#handleAlone(message);
    }
  }

  /** From now on it is always handled by itself. */
  async #handleAlone(message: JsMsg): Promise<void> {
    this.#deliveries.set(placeOf(message), { count: -Infinity });
    await this.#handling.handle(message);
  }

  /** @returns whether they have had their effect */
  async #handleTogether(batch: readonly Checked[]): Promise<boolean> {
    const { name, log } = this.#options;
    const ended = this.#metrics.handling.startTimer({ consumer: name });
    try {
      const effect = withoutContext(() => this.#store(batch));
      await Promise.all(
        batch.map(({ message, envelope }) =>
          asPartOfItsTrace(this.#options, message, envelope, () => effect),
        ),
      );
    } catch (error) {
      ended({ outcome: 'failed' });
      log.warn('messages could not be handled together; each is handled by itself', {
        ...{ consumer: name, count: batch.length, error },
      });
      return false;
    }
    ended({ outcome: 'done' });
    this.#metrics.handled.inc({ consumer: name }, batch.length);
    for (const { message } of batch) message.ack();
    return true;
  }

  async #store(batch: readonly Checked[]): Promise<void> {
    const { name, work, handleMany } = this.#options;
    await work(system, async (tx) => {
      // in one order for all replicas, so that none waits for another that waits for it
      const ids = batch.map(({ envelope }) => envelope.id.toLowerCase()).sort();
      const rows = await tx.query<{ message_id: string }>(
        `INSERT INTO inbox (consumer, message_id) SELECT $1, id FROM unnest($2::uuid[]) AS id
         ON CONFLICT DO NOTHING RETURNING message_id`,
        [name, ids],
      );
      const isNew = new Set(rows.map(({ message_id }) => message_id));
      const received: Received[] = batch
        // one that came twice is new once
        .filter(({ envelope }) => isNew.delete(envelope.id.toLowerCase()))
        .map(({ message, envelope }) => ({ message: envelope, position: message.seq }));
      await handleMany?.(received, tx);
    });
  }
}

/** In a stream that may have been made anew. */
const placeOf = ({ seq, info }: JsMsg) => `${seq} ${info.timestampNanos}`;

/** What has come when it is asked for, at least one message at a time. */
async function* asTheyCome(messages: AsyncIterable<JsMsg>): AsyncGenerator<JsMsg[]> {
  const iterator = messages[Symbol.asyncIterator]();
  const nothing = Symbol('nothing');
  let next = iterator.next();
  for (;;) {
    const first = await next;
    if (first.done) return;
    const some = [first.value];
    let bytes = first.value.data.length;
    next = iterator.next();
    while (some.length < mostMessages && bytes < mostBytes) {
      const now = await Promise.race([next, untilNow(nothing)]);
      // the generator's end is told when it is asked for the next ones
      if (typeof now === 'symbol' || now.done) break;
      some.push(now.value);
      bytes += now.value.data.length;
      next = iterator.next();
    }
    yield some;
  }
}

/** Later than whatever is there already. */
const untilNow = <T>(value: T) => new Promise<T>((resolve) => void setImmediate(resolve, value));
