import { randomUUID } from 'node:crypto';
import type { IPublishPacket, MqttClient } from 'mqtt';
import { brokerHeaders, isLine } from '../messages.ts';
import { MqttServer, mqttFields } from '../mqtt.ts';
import type {
  IncomingRecord,
  PluginConfig,
  PluginContext,
  Source,
  SourceBatch,
  SourcePlugin,
} from '../plugin.ts';
import { field, list, number } from '../schema.ts';

/**
 * Subscribes to topics of a broker of MQTT. The broker keeps the session: it sends again what was not acknowledged, and a message is
 * acknowledged once it is in the deployment's broker. One at a time is under way.
 */
export const mqttSource: SourcePlugin = {
  type: 'source',
  key: 'mqtt',
  schema: [
    ...mqttFields,
    field('topics', 'list', 'Topics', 'filters, which may hold + and #', {
      required: true,
      min: 1,
      max: 20,
      pattern: '[^\\p{Cc}]{1,1000}',
    }),
    field(
      'session_expiry',
      'duration',
      'Session',
      'how long the broker keeps messages while the source is away',
      {
        default: '1d',
        min: 0,
        max: 30 * 24 * 3_600_000,
      },
    ),
  ],
  async open(config, context) {
    return new MqttSource(config, context);
  },
};

interface Waiting {
  record: IncomingRecord;
  acknowledge: () => void;
}

class MqttSource implements Source {
  readonly #config: PluginConfig;
  readonly #context: PluginContext;
  readonly #server: MqttServer;
  readonly #nonce = randomUUID();
  /** ids of messages by the number that the broker has given them last: an acknowledgement may be lost */
  readonly #ids = new Map<number, string>();
  #count = 0;
  #next = awaited<Waiting>();
  #handedOn: Waiting | null = null;

  constructor(config: PluginConfig, context: PluginContext) {
    this.#config = config;
    this.#context = context;
    const sessionExpiryInterval = Math.round(number(config, 'session_expiry') / 1_000);
    const properties = { sessionExpiryInterval, receiveMaximum: 100 };
    const isVersion5 = config['version'] === '5';
    this.#server = new MqttServer(
      config,
      context,
      { clean: false, ...(isVersion5 && { properties }) },
      (client) => this.#takeFrom(client),
    );
  }

  async read(signal: AbortSignal): Promise<SourceBatch> {
    return await this.#server.use(signal, async () => {
      const waiting = await this.#next.promise;
      this.#handedOn = waiting;
      return { records: [waiting.record], position: waiting.record.id };
    });
  }

  async acknowledge(): Promise<void> {
    const waiting = this.#handedOn;
    this.#handedOn = null;
    waiting?.acknowledge();
  }

  async close(): Promise<void> {
    await this.#server.close();
  }

  #takeFrom(client: MqttClient): void {
    // what an earlier connection has brought comes again on this one
    this.#next = awaited();
    this.#handedOn = null;
    client.handleMessage = (packet, done) => {
      this.#next.resolve({
        record: this.#recordOf(packet),
        acknowledge: () => {
          this.#next = awaited();
          done();
        },
      });
    };
    client.once('connect', () => this.#subscribe(client));
  }

  /** Not waited for: messages of the session come before the answer, and it is behind them. */
  #subscribe(client: MqttClient): void {
    const { reject } = this.#next;
    const fail = (error: Error) => {
      reject(error);
      this.#context.log('warn', 'the subscription has failed', {
        reason: this.#server.excerpt(error.message),
      });
      client.end(true);
    };
    client.subscribeAsync([...list(this.#config, 'topics')], { qos: 1 }).then((granted) => {
      const refused = granted.find(({ qos }) => qos >= 0x80);
      if (refused) fail(new Error(`The broker refuses the subscription to ${refused.topic}`));
    }, fail);
  }

  #recordOf(packet: IPublishPacket): IncomingRecord {
    const { topic, payload, properties, retain } = packet;
    return {
      id: this.#idOf(packet),
      payload: Buffer.from(payload),
      headers: {
        ...brokerHeaders(lastValues(properties?.userProperties ?? {}), 'mqtt'),
        ...(isLine(topic) && { 'mqtt-topic': topic }),
        ...(retain && { 'mqtt-retain': 'true' }),
      },
    };
  }

  /** One that comes again on another connection has the id that it had; after a restart of the runtime it has another. */
  #idOf({ dup, messageId }: IPublishPacket): string {
    const known = dup && messageId !== undefined ? this.#ids.get(messageId) : undefined;
    const id = known ?? `${this.#nonce}-${++this.#count}`;
    if (messageId !== undefined) this.#ids.set(messageId, id);
    return id;
  }
}

/** Its failure need not be waited for. */
function awaited<T>(): PromiseWithResolvers<T> {
  const one = Promise.withResolvers<T>();
  one.promise.catch(() => {});
  return one;
}

const lastValues = (properties: Record<string, string | string[]>): [string, string][] =>
  Object.entries(properties).map(([name, values]) => [name, [values].flat().at(-1) ?? '']);
