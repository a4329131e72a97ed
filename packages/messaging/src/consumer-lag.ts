import type { StreamDeclaration, Topology } from '@sluice/contracts';
import {
  JetStreamApiCodes,
  JetStreamApiError,
  jetstreamManager,
  type ConsumerInfo,
  type JetStreamManager,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Job } from '@sluice/controller';
import { Gauge, type Registry } from '@prometheus-io/client';
import type { Log } from '@sluice/service';

export interface ConsumerLagOptions {
  nats: NatsConnection;
  topology: Topology;
  streams: readonly StreamDeclaration[];
  metrics: Registry;
  log: Log;
}

/** the share of a stream's retention beyond which a consumer's oldest message raises an alarm */
const alarmingShare = 0.5;

/**
 * Measures how far the consumers of all services have got, also of those that are away: what waits for them, for how long,
 * and whether it comes near to being forgotten. Done by the owner of the streams, who alone may look at all of them.
 */
export class ConsumerLag {
  readonly #options: ConsumerLagOptions;
  readonly #pending: Gauge<'stream' | 'consumer'>;
  readonly #unacknowledged: Gauge<'stream' | 'consumer'>;
  readonly #redelivered: Gauge<'stream' | 'consumer'>;
  readonly #oldest: Gauge<'stream' | 'consumer'>;
  readonly #share: Gauge<'stream' | 'consumer'>;
  readonly #deadLetters: Gauge<'consumer'>;
  /** consumers that were logged */
  readonly #alarmed = new Set<string>();
  #manager: JetStreamManager | undefined;

  constructor(options: ConsumerLagOptions) {
    this.#options = options;
    const gauge = (name: string, help: string) =>
      new Gauge({ name, help, labelNames: ['stream', 'consumer'], registers: [options.metrics] });
    this.#pending = gauge('sluice_consumer_pending', 'Messages in a stream that a consumer has not handled');
    this.#unacknowledged = gauge(
      'sluice_consumer_unacknowledged',
      'Messages among them that were delivered and are not acknowledged yet',
    );
    this.#redelivered = gauge(
      'sluice_consumer_redelivered',
      'Messages among them that were delivered more than once',
    );
    this.#oldest = gauge('sluice_consumer_oldest_seconds', 'Age of the oldest message not handled');
    this.#share = gauge(
      'sluice_consumer_retention_used',
      'Age of the oldest message not handled, as a share of the time for which its stream keeps it',
    );
    this.#deadLetters = new Gauge({
      name: 'sluice_dead_letters',
      help: 'Dead letters that an operator has not handled yet',
      labelNames: ['consumer'],
      registers: [options.metrics],
    });
  }

  get job(): Job {
    return { name: 'consumer_lag', every: 15, run: () => this.#look() };
  }

  async #look(): Promise<void> {
    const { nats, streams } = this.#options;
    this.#manager ??= await jetstreamManager(nats, { checkAPI: false, timeout: 2_000 });
    const found = [];
    for (const stream of streams)
      for await (const info of this.#manager.consumers.list(stream.name))
        if (info.config.durable_name !== undefined)
          found.push({ stream, info, seconds: await this.#oldestSeconds(this.#manager, info) });
    // consumers that are gone are not reported any more
    const gauges = [this.#pending, this.#unacknowledged, this.#redelivered, this.#oldest, this.#share];
    for (const gauge of gauges) gauge.reset();
    for (const { stream, info, seconds } of found) this.#tell(stream, info, seconds);
    await this.#countDeadLetters(this.#manager);
  }

  async #countDeadLetters(manager: JetStreamManager): Promise<void> {
    const { streams, subjects } = this.#options.topology;
    const { state } = await manager.streams.info(streams.deadLetters.name, {
      subjects_filter: subjects.deadLetters,
    });
    this.#deadLetters.reset();
    const prefix = subjects.deadLetter('').length;
    for (const [subject, count] of Object.entries(state.subjects ?? {}))
      this.#deadLetters.set({ consumer: subject.slice(prefix) }, count);
  }

  async #oldestSeconds(manager: JetStreamManager, info: ConsumerInfo): Promise<number> {
    if (info.num_pending + info.num_ack_pending === 0) return 0;
    const query = { seq: info.ack_floor.stream_seq + 1, next_by_subj: info.config.filter_subject ?? '>' };
    try {
      const message = await manager.streams.getMessage(info.stream_name, query);
      return message ? Math.max(Date.now() - message.time.getTime(), 0) / 1000 : 0;
    } catch (error) {
      // it has been handled meanwhile
      if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.NoMessageFound) return 0;
      throw error;
    }
  }

  #tell({ name: stream, maxAgeSeconds }: StreamDeclaration, info: ConsumerInfo, seconds: number): void {
    const consumer = info.name;
    this.#pending.set({ stream, consumer }, info.num_pending + info.num_ack_pending);
    this.#unacknowledged.set({ stream, consumer }, info.num_ack_pending);
    this.#redelivered.set({ stream, consumer }, info.num_redelivered);
    this.#oldest.set({ stream, consumer }, seconds);
    if (maxAgeSeconds === 0) return;
    const share = seconds / maxAgeSeconds;
    this.#share.set({ stream, consumer }, share);
    if (share < alarmingShare) return void this.#alarmed.delete(consumer);
    if (this.#alarmed.has(consumer)) return;
    this.#alarmed.add(consumer);
    this.#options.log.error(
      'a consumer lags so far behind that messages may be forgotten before it has them',
      {
        ...{ stream, consumer, oldest_seconds: Math.round(seconds), kept_seconds: maxAgeSeconds },
      },
    );
  }
}
