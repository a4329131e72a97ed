import { BatchSink } from '../batch-sink.ts';
import { KafkaCluster, kafkaFields } from '../kafka.ts';
import { KafkaProducer, partOf, type Part } from '../kafka-producer.ts';
import { filledIn, headerOf, templatePattern } from '../messages.ts';
import type { OutgoingMessage, PluginConfig, PluginContext, Rejected, SinkPlugin } from '../plugin.ts';
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

class KafkaSink extends BatchSink<Part, KafkaCluster> {
  readonly #producer: KafkaProducer;
  /** ends with the write before: sequence numbers want one at a time */
  #before: Promise<void> = Promise.resolve();

  constructor(config: PluginConfig, context: PluginContext) {
    super(config, new KafkaCluster(config, context));
    this.#producer = new KafkaProducer(this.server, this.progress, context);
  }

  override async write(batch: readonly OutgoingMessage[], signal: AbortSignal): Promise<Rejected[]> {
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const before = this.#before;
    this.#before = before.then(() => done);
    try {
      await before;
      signal.throwIfAborted();
      return await super.write(batch, signal);
    } finally {
      resolve();
    }
  }

  protected override partOf(message: OutgoingMessage): Part | string {
    const topic = filledIn(text(this.config, 'topic'), message);
    if (!/^(?!\.{1,2}$)[A-Za-z0-9._-]{1,249}$/.test(topic))
      return 'Its topic has a name that Kafka does not permit';
    const keyHeader = optionalText(this.config, 'key_header');
    const key = keyHeader === null ? undefined : headerOf(message, keyHeader);
    return partOf(message, topic, key ?? message.id);
  }

  protected override async send(parts: readonly Part[], signal: AbortSignal): Promise<void> {
    await this.#producer.send(parts, signal);
  }
}
