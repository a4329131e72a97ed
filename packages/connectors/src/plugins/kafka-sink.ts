import { KafkaCluster, kafkaFields } from '../kafka.ts';
import { KafkaProducer, partOf, type Part } from '../kafka-producer.ts';
import { filledIn, templatePattern } from '../messages.ts';
import type { OutgoingMessage, PluginConfig, PluginContext, Rejected, Sink, SinkPlugin } from '../plugin.ts';
import { Progress } from '../progress.ts';
import { field, optionalText, text } from '../schema.ts';

/** Writes messages to topics of a Kafka cluster, all replicas of which have them before they count as written. */
export const kafkaSink: SinkPlugin = {
  type: 'sink',
  key: 'kafka',
  schema: [
    ...kafkaFields,
    field(
      'topic',
      'string',
      'Topic',
      'its name, which may hold {stream}, {topic}, {yyyy}, {mm}, {dd} and {hh}',
      {
        required: true,
        max: 249,
        pattern: templatePattern('[A-Za-z0-9._-]'),
      },
    ),
    field(
      'key_header',
      'string',
      'Key',
      'the header with the key; without it the key is the id of the message',
      {
        max: 200,
      },
    ),
  ],
  async open(config, context) {
    return new KafkaSink(config, context);
  },
};

class KafkaSink implements Sink {
  readonly #config: PluginConfig;
  readonly #cluster: KafkaCluster;
  readonly #producer: KafkaProducer;
  readonly #progress = new Progress();
  /** ends with the write before: sequence numbers want one at a time */
  #before: Promise<void> = Promise.resolve();

  constructor(config: PluginConfig, context: PluginContext) {
    this.#config = config;
    this.#cluster = new KafkaCluster(config, context);
    this.#producer = new KafkaProducer(this.#cluster, this.#progress, context);
  }

  async write(batch: readonly OutgoingMessage[], signal: AbortSignal): Promise<Rejected[]> {
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const before = this.#before;
    this.#before = before.then(() => done);
    try {
      await before;
      signal.throwIfAborted();
      await this.#producer.send(this.#partsOf(batch), signal);
      return this.#progress.finish(batch);
    } finally {
      resolve();
    }
  }

  async close(): Promise<void> {
    this.#cluster.close();
  }

  #partsOf(batch: readonly OutgoingMessage[]): Part[] {
    const keyHeader = optionalText(this.#config, 'key_header');
    return this.#progress.left(batch).flatMap((message) => {
      const topic = filledIn(text(this.#config, 'topic'), message);
      if (/^(?!\.{1,2}$)[A-Za-z0-9._-]{1,249}$/.test(topic)) {
        const key = keyHeader === null ? undefined : headerOf(message, keyHeader);
        return [partOf(message, topic, key ?? message.id)];
      }
      this.#progress.refused(message, 'Its topic has a name that Kafka does not permit');
      return [];
    });
  }
}

/** Headers are told apart without regard to upper case. */
function headerOf({ headers }: OutgoingMessage, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return Object.entries(headers).find(([key]) => key.toLowerCase() === wanted)?.[1];
}
