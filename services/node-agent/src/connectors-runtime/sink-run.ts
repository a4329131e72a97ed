import { setTimeout as sleep } from 'node:timers/promises';
import type { OutgoingMessage, Rejected, Sink, SinkPlugin, StreamBinding } from '@sluice/connectors';
import { CallLate } from '@sluice/controller/calls';
import { reasonOf } from '@sluice/system';
import { groupOf, type Consumer, type Delivery } from '../runtimes/broker-client.ts';
import { Attempts, limited, pause } from './attempts.ts';
import { keepDeadLetters, type DeadLetter } from './dead-letters.ts';
import type { Run } from './instance-run.ts';
import { outgoing, readContent, Undecodable } from './messages.ts';

/** how long to wait for the first message of a batch before asking again, in milliseconds */
const idleWait = 5_000;
/** bytes of one batch: what an instance may hold, for each of its streams */
const batchBytes = 4 * 2 ** 20;

/** Hands messages of the broker on to a destination until it is to stop. @throws ConfigRefused */
export async function runSink(run: Run, plugin: SinkPlugin): Promise<void> {
  const destination = new Destination(run, plugin);
  try {
    await together(run, (binding) => followStream(run, binding, destination));
  } finally {
    await destination.close();
  }
}

/** Does the same for each stream; when one of them cannot go on the others end as well. */
async function together(run: Run, follow: (binding: StreamBinding) => Promise<void>): Promise<void> {
  const following = run.config.streams.map(async (binding) => {
    try {
      await follow(binding);
    } catch (error) {
      run.end();
      throw error;
    }
  });
  await Promise.allSettled(following);
  await Promise.all(following);
}

async function followStream(run: Run, binding: StreamBinding, destination: Destination): Promise<void> {
  const { signal, limits } = run;
  const part = `${binding.stream} ${groupOf(run.instance, binding)}`;
  const attempts = new Attempts(run, part);
  while (!signal.aborted) {
    try {
      await destination.opened();
      const consumer = await run.broker.consume(run.instance, binding, limits.acknowledge);
      attempts.begun();
      if (consumer.unacknowledged > 0) await pause(limits.acknowledge, signal);
      for (;;) {
        const batch = await nextBatch(run, binding, consumer);
        if (batch.length > 0) await deliver(run, binding, destination, batch, attempts);
        if (signal.aborted) return;
        attempts.succeeded();
      }
    } catch (error) {
      await attempts.failed(error);
    }
  }
}

/** Waits for a first message, and from then on for the others as long as the configuration says. */
async function nextBatch(
  { broker, signal }: Run,
  { batch_length, poll_interval }: StreamBinding,
  consumer: Consumer,
): Promise<readonly Delivery[]> {
  // twice: the broker counts its own words as well, and a single message always has to fit
  const bytes = Math.max(batchBytes, 2 * broker.largestMessage);
  const first = await consumer.next({ count: 1, waitMs: idleWait, bytes }, signal);
  if (first.length === 0 || batch_length === 1) return first;
  const more = { count: batch_length - 1, waitMs: poll_interval, bytes };
  return [...first, ...(await consumer.next(more, signal).catch(() => []))];
}

/** Acknowledged is what the destination has taken, what is kept as a dead letter, and what was filtered. */
async function deliver(
  run: Run,
  binding: StreamBinding,
  destination: Destination,
  batch: readonly Delivery[],
  attempts: Attempts,
): Promise<void> {
  const { metrics, broker, instance, limits } = run;
  metrics.messages_consumed += batch.length;
  const { messages, letters, filtered } = prepare(run, binding, batch);
  const working = setInterval(() => batch.forEach((message) => message.working()), limits.acknowledge / 3);
  try {
    const rejected = messages.length === 0 ? [] : await writeUntilTaken(run, destination, messages, attempts);
    letters.push(...lettersOf(messages, rejected ?? []));
    if (rejected === null || !(await keepUntilKept(run, letters, attempts)))
      return batch.forEach((message) => message.nak());
    for (const message of batch) message.ack();
    // those that do not get through come again
    await limited(() => broker.flush(), limits.write, run.late).catch(() => undefined);
    metrics.messages_filtered += filtered;
    metrics.messages_processed += messages.length;
    metrics.messages_sent += messages.length - rejected.length;
    metrics.errors += letters.length;
    for (const { id, reason } of letters.slice(0, 3))
      run.context.log('warn', 'a message became a dead letter', { id, reason, instance: instance.key });
  } finally {
    clearInterval(working);
  }
}

function prepare({ config }: Run, binding: StreamBinding, batch: readonly Delivery[]) {
  const messages: OutgoingMessage[] = [];
  const letters: DeadLetter[] = [];
  let filtered = 0;
  for (const one of batch) {
    const message = outgoing(binding, one);
    try {
      const content = readContent(binding.schema, config.transforms, message.payload, message.headers);
      if (content === null) filtered++;
      else messages.push({ ...message, ...content });
    } catch (error) {
      if (!(error instanceof Undecodable)) throw error;
      letters.push({ ...message, reason: error.message });
    }
  }
  return { messages, letters, filtered };
}

function lettersOf(messages: readonly OutgoingMessage[], rejected: readonly Rejected[]): DeadLetter[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  return rejected.flatMap(({ id, reason }) => {
    const message = byId.get(id);
    return message ? [{ ...message, reason }] : [];
  });
}

/** @returns messages that the destination will never take; null when the run had to stop before */
async function writeUntilTaken(
  run: Run,
  destination: Destination,
  messages: readonly OutgoingMessage[],
  attempts: Attempts,
): Promise<readonly Rejected[] | null> {
  while (!run.signal.aborted) {
    try {
      const rejected = await destination.write(messages);
      attempts.succeeded();
      return rejected;
    } catch (error) {
      await attempts.failed(error);
    }
  }
  return null;
}

async function keepUntilKept(run: Run, letters: readonly DeadLetter[], attempts: Attempts): Promise<boolean> {
  for (;;) {
    try {
      const { broker, instance, limits, late } = run;
      await limited(() => keepDeadLetters(broker, instance, letters), limits.publish, late);
      return true;
    } catch (error) {
      await attempts.failed(new Error(`dead letters cannot be kept: ${reasonOf(error)}`));
      if (run.signal.aborted) return false;
    }
  }
}

/** The sink of a run: opened when it is first needed, and anew after it has hung; written to by one stream after the other. */
class Destination {
  readonly #run: Run;
  readonly #plugin: SinkPlugin;
  #sink: Promise<Sink> | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(run: Run, plugin: SinkPlugin) {
    this.#run = run;
    this.#plugin = plugin;
  }

  /** Resolves once there is a sink. @throws what the plugin throws */
  async opened(): Promise<Sink> {
    const { config, context, limits, signal } = this.#run;
    const opening = (this.#sink ??= limited(
      () => this.#plugin.open(config.plugin_config, context),
      limits.write,
      signal,
    ));
    try {
      return await opening;
    } catch (error) {
      if (this.#sink === opening) this.#sink = null;
      throw error;
    }
  }

  async write(messages: readonly OutgoingMessage[]): Promise<readonly Rejected[]> {
    const turn = this.#last.then(() => this.#write(messages));
    this.#last = turn.catch(() => undefined);
    return await turn;
  }

  async #write(messages: readonly OutgoingMessage[]): Promise<readonly Rejected[]> {
    const { limits, signal, late } = this.#run;
    if (signal.aborted) throw new Error('stopped');
    const sink = await this.opened();
    try {
      return await limited((attempt) => sink.write(messages, attempt), limits.write, late);
    } catch (error) {
      if (error instanceof CallLate) this.#discard(sink);
      throw error;
    }
  }

  /** What hangs may hang for good. */
  #discard(sink: Sink): void {
    this.#sink = null;
    void endQuietly(sink, this.#run.limits.ending);
  }

  async close(): Promise<void> {
    const sink = await this.#sink?.catch(() => null);
    this.#sink = null;
    if (sink) await endQuietly(sink, this.#run.limits.ending);
  }
}

export async function endQuietly(sink: { close(): Promise<void> }, milliseconds: number): Promise<void> {
  const closing = Promise.resolve()
    .then(() => sink.close())
    .catch(() => undefined);
  await Promise.race([closing, sleep(milliseconds, undefined, { ref: false })]);
}
