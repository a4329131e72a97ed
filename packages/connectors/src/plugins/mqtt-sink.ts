import type { IClientPublishOptions, MqttClient } from 'mqtt';
import { BatchSink, type Part } from '../batch-sink.ts';
import { filledIn, templatePattern } from '../messages.ts';
import { MqttServer, mqttFields } from '../mqtt.ts';
import type { OutgoingMessage, SinkPlugin } from '../plugin.ts';
import { choice, field, text } from '../schema.ts';

export const mqttSink: SinkPlugin = {
  type: 'sink',
  key: 'mqtt',
  schema: [
    ...mqttFields,
    field('topic', 'string', 'Topic', 'may hold {stream}, {topic}, {yyyy}, {mm}, {dd} and {hh}', {
      required: true,
      max: 1_000,
      pattern: templatePattern('[^{}+#\\p{Cc}]'),
    }),
    choice('qos', 'Quality of service', '1: at least once, 2: exactly once while the connection lasts', [
      '1',
      '2',
    ]),
    field('retain', 'bool', 'Retain', 'whether the broker keeps the last message of each topic', {
      default: false,
    }),
  ],
  open: async (config, context) => new MqttSink(config, new MqttServer(config, context, { clean: true })),
};

const inFlight = 50;
/** what MQTT 5 says of the message itself: malformed, its topic, its size, its payload */
const refusals = new Set([0x81, 0x90, 0x95, 0x99, 0x9a]);

class MqttSink extends BatchSink<Part, MqttServer> {
  protected override partOf(message: OutgoingMessage): Part {
    return { message };
  }

  protected override async send(parts: readonly Part[], signal: AbortSignal): Promise<void> {
    await this.server.use(signal, async (client) => {
      for (let first = 0; first < parts.length; first += inFlight) {
        const some = parts.slice(first, first + inFlight);
        const sent = await Promise.allSettled(some.map(({ message }) => this.#publish(client, message)));
        for (const one of sent) if (one.status === 'rejected') throw one.reason;
      }
    });
  }

  async #publish(client: MqttClient, message: OutgoingMessage): Promise<void> {
    const topic = filledIn(text(this.config, 'topic'), message);
    const options: IClientPublishOptions = {
      qos: text(this.config, 'qos') === '2' ? 2 : 1,
      retain: this.config['retain'] === true,
      ...(this.server.isVersion5 && {
        properties: { userProperties: { ...message.headers, 'svc-message': message.id } },
      }),
    };
    try {
      await client.publishAsync(topic, Buffer.from(message.payload), options);
      this.progress.taken(message);
    } catch (error) {
      const { code, message: reason } = error as Error & { code?: unknown };
      if (typeof code !== 'number' || !refusals.has(code)) throw error;
      this.progress.refused(message, this.server.excerpt(reason));
    }
  }
}
