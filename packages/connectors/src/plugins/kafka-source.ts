import { setTimeout as delay } from 'node:timers/promises';
import { answered, errorName, KafkaCluster, kafkaFields, type KafkaTopic } from '../kafka.ts';
import { fetchRecords, type FetchedPartition } from '../kafka-fetch.ts';
import { recordsOf } from '../kafka-records.ts';
import { ConfigRefused, type IncomingRecord, type PluginConfig } from '../plugin.ts';
import type { PluginContext, Source, SourceBatch, SourcePlugin } from '../plugin.ts';
import { choice, field, list, number, text } from '../schema.ts';

/**
 * Reads topics of a Kafka cluster. How far it has read is kept with the deployment, by partition; the cluster keeps no consumer group of
 * it. Each partition is read in order.
 */
export const kafkaSource: SourcePlugin = {
  type: 'source',
  key: 'kafka',
  schema: [
    ...kafkaFields,
    field('topics', 'list', 'Topics', 'those that are read', {
      required: true,
      min: 1,
      max: 20,
      pattern: '(?!\\.{1,2}$)[A-Za-z0-9._-]{1,249}',
    }),
    choice(
      'from',
      'Start',
      'of a topic that was not read before: its oldest record, or what is written from now on',
      ['earliest', 'latest'],
    ),
    field('batch_records', 'int', 'Records of a batch', 'at most', { default: 500, min: 1, max: 10_000 }),
    field('refresh', 'duration', 'Refresh', 'between looks for new partitions', {
      default: '30s',
      min: 100,
      max: 3_600_000,
    }),
  ],
  async open(config, context, position) {
    return new KafkaSource(config, context, readPosition(position));
  },
};

/** by topic and partition the offset of the next record */
type Offsets = Map<string, Map<number, bigint>>;

/** Offsets in base 36 by partition, so that the position holds some hundreds of them. */
function readPosition(position: string | null): Offsets {
  const topics = Object.entries(JSON.parse(position ?? '{}') as Record<string, string>);
  const offsetsOf = (written: string) =>
    written
      .split(',')
      .flatMap((digits, index): [number, bigint][] => (digits === '' ? [] : [[index, parsed(digits)]]));
  return new Map(topics.map(([topic, written]) => [topic, new Map(offsetsOf(written))]));
}

const parsed = (digits: string) =>
  [...digits].reduce((sum, digit) => sum * 36n + BigInt(parseInt(digit, 36)), 0n);

function writePosition(offsets: Offsets): string {
  const written = [...offsets].map(([topic, partitions]) => {
    const length = Math.max(-1, ...partitions.keys()) + 1;
    return [topic, Array.from({ length }, (_, index) => partitions.get(index)?.toString(36) ?? '').join()];
  });
  return JSON.stringify(Object.fromEntries(written));
}

interface Partition {
  topic: string;
  partition: number;
}
interface Fetched extends Partition {
  records: ReturnType<typeof recordsOf>;
}

const oldest = -2n;
const newest = -1n;
const offsetOutOfRange = 1;
const mostPosition = 4_000;
const fetchWaitMs = 500;
const fetchBytes = 4 * 1_048_576;
/** a broker answers with at least one batch of any size */
const mostFetchedBytes = 64 * 1_048_576;
const fullBatchBytes = 4 * 1_048_576;

class KafkaSource implements Source {
  readonly #config: PluginConfig;
  readonly #context: PluginContext;
  readonly #cluster: KafkaCluster;
  /** behind what was handed on */
  readonly #read: Offsets;
  readonly #queue: Fetched[] = [];
  #topics = new Map<string, KafkaTopic>();
  #refreshAt = 0;
  /** whether the position has changed without a record */
  #isMoved = false;
  #turn = 0;

  constructor(config: PluginConfig, context: PluginContext, read: Offsets) {
    this.#config = config;
    this.#context = context;
    this.#cluster = new KafkaCluster(config, context);
    this.#read = read;
  }

  async read(signal: AbortSignal): Promise<SourceBatch> {
    for (;;) {
      if (Date.now() >= this.#refreshAt) await this.#refresh(signal);
      if (this.#queue.length === 0 && !this.#isMoved) await this.#fetch(signal);
      const { records, failures } = this.#take();
      if (failures[0]) await this.#failed(failures, records.length > 0, signal);
      if (records.length === 0 && !this.#isMoved) continue;
      this.#isMoved = false;
      return { records, position: writePosition(this.#read) };
    }
  }

  async close(): Promise<void> {
    this.#cluster.close();
  }

  /** Looks for topics and partitions. What comes with a partition that is new is new as well, also when only new records are wanted. */
  async #refresh(signal: AbortSignal): Promise<void> {
    const names = [...new Set(list(this.#config, 'topics'))];
    const topics = await this.#cluster.topics(names, signal);
    for (const name of names) {
      const topic = topics.get(name);
      const code = topic?.errorCode ?? 0;
      if (!topic || code !== 0)
        throw new Error(`The topic ${name}: ${await errorName(code === 0 ? 3 : code)}`);
      const known = this.#read.get(name);
      const unread = [...topic.leaders.keys()].filter((partition) => !known?.has(partition));
      if (unread.length === 0) continue;
      const start = known || text(this.#config, 'from') === 'earliest' ? oldest : newest;
      const found = await this.#offsets(name, topic, unread, start, signal);
      this.#read.set(name, new Map([...(known ?? []), ...found]));
      this.#isMoved = true;
    }
    for (const name of this.#read.keys()) if (!names.includes(name)) this.#read.delete(name);
    if (writePosition(this.#read).length > mostPosition)
      throw new ConfigRefused('The topics have too many partitions for one source');
    this.#topics = topics;
    this.#refreshAt = Date.now() + number(this.#config, 'refresh');
  }

  async #offsets(
    name: string,
    { leaders }: KafkaTopic,
    partitions: readonly number[],
    timestamp: bigint,
    signal: AbortSignal,
  ): Promise<[number, bigint][]> {
    const found: [number, bigint][] = [];
    for (const [leader, own] of byLeader(partitions, (partition) => leaders.get(partition) ?? -1)) {
      const asked = own.map((partitionIndex) => ({ partitionIndex, currentLeaderEpoch: -1, timestamp }));
      const { topics } = await this.#cluster.ask(leader, signal, (connection, client) =>
        answered(client.listOffsetsV5.api.async(connection, -1, 1, [{ name, partitions: asked }])),
      );
      for (const { partitionIndex, errorCode, offset } of topics.flatMap((topic) => topic.partitions)) {
        if (errorCode !== 0) throw new Error(`${name}/${partitionIndex}: ${await errorName(errorCode)}`);
        found.push([partitionIndex, offset]);
      }
    }
    return found;
  }

  /** Asks all leaders at once. What one of them fails to do does not hold up the others, as long as these have records. */
  async #fetch(signal: AbortSignal): Promise<void> {
    const all = [...this.#read].flatMap(([topic, partitions]) =>
      [...partitions.keys()].flatMap((partition): (Partition & { leader: number })[] => {
        const leader = this.#topics.get(topic)?.leaders.get(partition);
        return leader === undefined ? [] : [{ topic, partition, leader }];
      }),
    );
    // a broker fills its answer from the first partition on
    const first = all.length === 0 ? 0 : this.#turn++ % all.length;
    const fair = [...all.slice(first), ...all.slice(0, first)];
    const asked = await Promise.allSettled(
      [...byLeader(fair, ({ leader }) => leader)].map(([leader, own]) =>
        this.#fetchFrom(leader, own, signal),
      ),
    );
    signal.throwIfAborted();
    const failures = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
    if (failures[0]) {
      this.#refreshAt = 0;
      await this.#failed(failures, this.#queue.length > 0 || this.#isMoved, signal);
    }
    // a topic without partitions
    if (all.length === 0) await delay(fetchWaitMs, undefined, { signal });
  }

  /** @throws the first of the failures where there is nothing else to hand on */
  async #failed(failures: readonly Error[], isOtherwise: boolean, signal: AbortSignal): Promise<void> {
    if (!isOtherwise && failures[0]) throw failures[0];
    for (const { message } of failures)
      this.#context.log('warn', 'a partition of Kafka could not be read', { reason: message });
    await delay(fetchWaitMs, undefined, { signal });
  }

  async #fetchFrom(leader: number, partitions: readonly Partition[], signal: AbortSignal): Promise<void> {
    if (leader < 0) throw new Error(`${partitions[0]?.topic}/${partitions[0]?.partition} has no leader`);
    const topics = [...Map.groupBy(partitions, ({ topic }) => topic)].map(([topicId, own]) => ({
      topicId,
      partitions: own.map(({ topic, partition }) => ({
        partition,
        currentLeaderEpoch: -1,
        fetchOffset: this.#read.get(topic)?.get(partition) ?? 0n,
        lastFetchedEpoch: -1,
        partitionMaxBytes: fetchBytes / 4,
      })),
    }));
    const { errorCode, partitions: answers } = await this.#cluster.ask(
      leader,
      signal,
      (connection, client) =>
        fetchRecords(client, connection, topics, { waitMs: fetchWaitMs, mostBytes: fetchBytes }),
      mostFetchedBytes,
    );
    if (errorCode !== 0) throw new Error(`The broker ${leader}: ${await errorName(errorCode)}`);
    const failures: Error[] = [];
    for (const answer of answers)
      await this.#takeIn(answer, signal).catch((error: unknown) => failures.push(error as Error));
    if (failures[0]) throw failures[0];
  }

  async #takeIn(answer: FetchedPartition, signal: AbortSignal): Promise<void> {
    const { topic, partition, errorCode } = answer;
    const offset = this.#read.get(topic)?.get(partition);
    if (offset === undefined) return;
    if (errorCode === offsetOutOfRange) return await this.#startAgain({ topic, partition }, offset, signal);
    if (errorCode !== 0) throw new Error(`${topic}/${partition}: ${await errorName(errorCode)}`);
    if (answer.sent.length === 0) return;
    const records = recordsOf(await import('@platformatic/kafka'), { topic, partition, offset }, answer);
    this.#queue.push({ topic, partition, records });
  }

  /**
   * What was to be read next has been deleted, or the topic was made again. Reading goes on with the oldest record that there is, so that
   * no more is passed over than is gone.
   */
  async #startAgain({ topic, partition }: Partition, offset: bigint, signal: AbortSignal): Promise<void> {
    const known = this.#topics.get(topic);
    if (!known) return;
    const [found] = await this.#offsets(topic, known, [partition], oldest, signal);
    if (!found) return;
    this.#read.get(topic)?.set(partition, found[1]);
    this.#isMoved = true;
    this.#context.log('warn', 'the offset is out of range: reading goes on with the oldest record', {
      ...{ topic, partition, offset: String(offset), oldest: String(found[1]) },
    });
  }

  /** The next records of those that were fetched; moves the position behind them. What cannot be read does not hold up other partitions. */
  #take(): { records: IncomingRecord[]; failures: Error[] } {
    const taken: IncomingRecord[] = [];
    const failures: Error[] = [];
    let bytes = 0;
    const most = number(this.#config, 'batch_records');
    for (
      let one = this.#queue[0];
      one && taken.length < most && bytes < fullBatchBytes;
      one = this.#queue[0]
    ) {
      const { topic, partition, records } = one;
      try {
        const { done, value } = records.next();
        this.#read.get(topic)?.set(partition, done ? value : value.next);
        if (done) this.#queue.shift();
        else {
          taken.push(value.record);
          bytes += value.record.payload.byteLength;
        }
      } catch (error) {
        this.#queue.shift();
        const offset = this.#read.get(topic)?.get(partition);
        const reason = (error as Error).message;
        failures.push(new Error(`${topic}/${partition} from ${offset} on: ${reason}`, { cause: error }));
      }
    }
    return { records: taken, failures };
  }
}

const byLeader = <T>(partitions: readonly T[], leaderOf: (partition: T) => number) =>
  Map.groupBy(partitions, leaderOf);
