import { setTimeout as pause } from 'node:timers/promises';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import { connectBroker, type Login } from '@sluice/testing';

const stream = 'day';
/** longer than a broker is away, so that a message that is sent again is stored once */
const duplicateWindowMs = 30 * 60_000;

/**
 * A publisher and a consumer of a broker, each with a connection of its own that connects again by itself. A message that was not
 * acknowledged is sent again under its id, as clients of JetStream do.
 */
export class Messages {
  readonly #connections: NatsConnection[];
  readonly #ended = new AbortController();
  readonly #sent = new Set<number>();
  readonly #received = new Map<number, number>();
  #sentAgain = 0;
  #longestMs = 0;
  readonly #publishing: Promise<void>;
  readonly #consuming: Promise<void>;

  private constructor(publisher: NatsConnection, consumer: NatsConnection, everyMs: number) {
    this.#connections = [publisher, consumer];
    this.#publishing = this.#publish(publisher, everyMs);
    this.#consuming = this.#consume(consumer);
  }

  static async begin(endpoint: string, login: Login, everyMs: number): Promise<Messages> {
    const options = { reconnect: true, maxReconnectAttempts: -1, reconnectTimeWait: 500 };
    const connect = async () => await connectBroker(endpoint, login, options);
    const [publisher, consumer] = await Promise.all([connect(), connect()]);
    const { streams, consumers } = await jetstreamManager(publisher);
    await streams.delete(stream).catch(() => undefined);
    await streams.add({ name: stream, subjects: [stream], duplicate_window: nanos(duplicateWindowMs) });
    await consumers.add(stream, { durable_name: stream, ack_policy: 'explicit' });
    return new Messages(publisher, consumer, everyMs);
  }

  /** Ends them once all that was acknowledged has been received, or has not come for so long. */
  async end(patienceMs: number): Promise<{ line: string; lost: number }> {
    this.#ended.abort();
    await this.#publishing;
    const deadline = Date.now() + patienceMs;
    while (this.#lost > 0 && Date.now() < deadline) await pause(200);
    await Promise.all(this.#connections.map(async (connection) => await connection.close()));
    await this.#consuming;
    const lost = this.#lost;
    const twice = [...this.#received.values()].filter((count) => count > 1).length;
    const line = `${this.#sent.size} messages acknowledged (${this.#sentAgain} sends repeated, longest ${Math.round(this.#longestMs / 1_000)} s), ${this.#received.size} received (${twice} more than once), ${lost} lost`;
    return { line, lost };
  }

  get #lost(): number {
    return [...this.#sent].filter((number) => !this.#received.has(number)).length;
  }

  async #publish(connection: NatsConnection, everyMs: number): Promise<void> {
    const broker = jetstream(connection, { timeout: 5_000 });
    for (let number = 0; !this.#ended.signal.aborted; number++) {
      const begun = Date.now();
      for (;;) {
        try {
          await broker.publish(stream, String(number), { msgID: String(number) });
          break;
        } catch {
          this.#sentAgain++;
          await pause(500);
        }
      }
      this.#sent.add(number);
      this.#longestMs = Math.max(this.#longestMs, Date.now() - begun);
      await pause(everyMs);
    }
  }

  async #consume(connection: NatsConnection): Promise<void> {
    while (!connection.isClosed())
      try {
        const consumer = await jetstream(connection, { timeout: 5_000 }).consumers.get(stream, stream);
        for await (const message of await consumer.fetch({ max_messages: 50, expires: 2_000 })) {
          const number = Number(message.string());
          this.#received.set(number, (this.#received.get(number) ?? 0) + 1);
          message.ack();
        }
      } catch {
        await pause(500);
      }
  }
}
