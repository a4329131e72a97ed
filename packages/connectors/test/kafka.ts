import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Admin, Consumer, Producer, type MessageToProduce } from '@platformatic/kafka';
import type { ConfigValue } from '@sluice/contracts';
import { eventually, startKafka, type KafkaServer } from '@sluice/testing';

export interface ReadRecord {
  key: string;
  value: string;
  partition: number;
  headers: Record<string, string>;
}

export class TestKafka {
  readonly server: KafkaServer;
  readonly #options: { clientId: string; bootstrapBrokers: string[]; strict: true };
  readonly admin: Admin;
  readonly producer: Producer;

  constructor(server: KafkaServer) {
    this.server = server;
    this.#options = { clientId: 'test', bootstrapBrokers: [server.address], strict: true };
    this.admin = new Admin(this.#options);
    this.producer = new Producer(this.#options);
  }

  /** Null where there is no Java, after a line that says so. */
  static async start(): Promise<TestKafka | null> {
    const server = await startKafka();
    if (!server) return null;
    const kafka = new TestKafka(server);
    await kafka.ready();
    return kafka;
  }

  /** Waits until the broker gives out producer ids: at first it has none. */
  async ready(): Promise<void> {
    await eventually(() => this.producer.initIdempotentProducer({}));
  }

  get values(): Record<string, ConfigValue> {
    return { brokers: [this.server.address], tls: 'disable' };
  }

  async topic(partitions = 1, settings: Record<string, string> = {}): Promise<string> {
    const name = `topic-${randomUUID().slice(0, 8)}`;
    const configs = Object.entries(settings).map(([key, value]) => ({ name: key, value }));
    await this.admin.createTopics({ topics: [name], partitions, replicas: 1, configs });
    // its leaders take a moment to know that they are
    await eventually(() => this.count(name, partitions));
    return name;
  }

  async send(topic: string, values: readonly string[], more: Partial<MessageToProduce> = {}): Promise<void> {
    const messages = values.map((value) => ({ partition: 0, ...more, topic, value: Buffer.from(value) }));
    await this.producer.send({ messages, acks: -1 });
  }

  transactional(): Producer {
    return new Producer({ ...this.#options, idempotent: true, transactionalId: randomUUID() });
  }

  async records(topic: string, count: number): Promise<ReadRecord[]> {
    const consumer = new Consumer({ ...this.#options, groupId: randomUUID(), maxWaitTime: 200 });
    const stream = await consumer.consume({ topics: [topic], mode: 'earliest', autocommit: false });
    const read: ReadRecord[] = [];
    try {
      if (count === 0) return read;
      for await (const { key, value, partition, headers } of stream) {
        const named = [...headers].map(([name, text]) => [String(name), String(text)]);
        const about = Object.fromEntries(named) as Record<string, string>;
        read.push({ key: String(key), value: String(value), partition, headers: about });
        if (read.length >= count) break;
      }
      return read;
    } finally {
      await consumer.close(true);
    }
  }

  async count(topic: string, partitions = 1): Promise<number> {
    const at = async (timestamp: bigint) => {
      const asked = Array.from({ length: partitions }, (_, partitionIndex) => ({
        partitionIndex,
        timestamp,
      }));
      const [found] = await this.admin.listOffsets({ topics: [{ name: topic, partitions: asked }] });
      return found?.partitions.reduce((sum, { offset }) => sum + Number(offset), 0) ?? 0;
    };
    return (await at(-1n)) - (await at(-2n));
  }

  /** Passes on to the broker what reaches the port that it names at its stray address; loses the first `answers`. */
  async losing(answers: number): Promise<{ close(): void }> {
    const sockets = new Set<Socket>();
    let left = answers;
    const proxy = createServer((client) => {
      const broker = connect(Number(this.server.strayAddress.split(':')[1]), '127.0.0.1');
      for (const [one, other] of [
        [client, broker],
        [broker, client],
      ] as const) {
        sockets.add(one);
        one.on('error', () => undefined).once('close', () => other.destroy());
      }
      client.pipe(broker);
      broker.on('data', (answer: Buffer) => {
        if (left-- > 0) client.destroy();
        else client.write(answer);
      });
    });
    proxy.listen(this.server.strayAdvertisedPort, '127.0.0.1');
    await once(proxy, 'listening');
    return {
      close: () => {
        for (const socket of sockets) socket.destroy();
        proxy.close();
      },
    };
  }

  async remove(): Promise<void> {
    await Promise.all([this.admin.close(), this.producer.close()].map((closing) => closing.catch(() => {})));
    await this.server.remove();
  }
}

export function kafkaTest(
  name: string,
  kafka: () => TestKafka | null,
  work: (kafka: TestKafka) => Promise<void>,
): void {
  test(name, async () => {
    const started = kafka();
    if (started) await work(started);
  });
}
