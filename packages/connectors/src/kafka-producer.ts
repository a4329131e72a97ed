import type { MessageRecord, produceV8 } from '@platformatic/kafka';
import { answered, errorName, type KafkaCluster, type KafkaTopic } from './kafka.ts';
import type { OutgoingMessage, PluginContext } from './plugin.ts';
import { halves, pieces, type Progress } from './progress.ts';

export interface Part {
  message: OutgoingMessage;
  topic: string;
  record: MessageRecord;
  bytes: number;
}

interface Piece {
  topic: string;
  partition: number;
  parts: readonly Part[];
}

type Queues = Map<string, Piece[]>;

const pieceBytes = 512 * 1_024;
/** what a record and its place in a batch add, at most */
const overhead = 70;
const writeMs = 20_000;

/** The errors of Kafka by which it refuses records as such: too large, invalid, with a time that it does not take. */
const refusals = [10, 18, 32, 87];
/** The sequence has been written before. */
const duplicate = 46;
/** The cluster has lost what it knew of the producer: another one begins. */
const producerLost = [45, 47, 59, 90];
/** Some replicas may have the records. */
const timedOut = 7;
const inDoubt = [timedOut, 20];
const unknownTopic = 3;
const invalidTopic = 17;
const forbidden = [31, 53];

/**
 * A message as a record of Kafka. Its timestamp is the time of sending: brokers forget the sequence numbers of a producer whose newest
 * record is older than `producer.id.expiration.ms` (a day), and would write a repetition of an older record twice.
 */
export function partOf(message: OutgoingMessage, topic: string, key: string): Part {
  const { id, stream, topic: from, payload, published_at } = message;
  const headers = {
    ...message.headers,
    'svc-message': id,
    'svc-stream': stream,
    'svc-topic': from,
    'svc-published-at': published_at.toISOString(),
  };
  const written = Object.entries(headers).map(
    ([name, value]) => [Buffer.from(name), Buffer.from(value)] as const,
  );
  const record: MessageRecord = {
    topic,
    key: Buffer.from(key),
    value: Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength),
    headers: new Map(written),
    timestamp: BigInt(Date.now()),
  };
  const named = written.reduce((sum, [name, value]) => sum + name.length + value.length + 10, 0);
  return { message, topic, record, bytes: payload.byteLength + Buffer.byteLength(key) + named + overhead };
}

/**
 * Writes in order, by partition, with acknowledgement by all replicas in sync. What is in doubt, since the answer did not come, is sent
 * again with the same sequence number, so that the cluster writes it once.
 */
export class KafkaProducer {
  readonly #cluster: KafkaCluster;
  readonly #progress: Progress;
  readonly #context: PluginContext;
  /** null for a cluster that does not permit it to be idempotent */
  #identity: { id: bigint; epoch: number } | null | undefined;
  #sequences = new Map<string, number>();
  #doubtful: Piece[] = [];

  constructor(cluster: KafkaCluster, progress: Progress, context: PluginContext) {
    this.#cluster = cluster;
    this.#progress = progress;
    this.#context = context;
  }

  /** Resolves when each part has been taken or refused. @throws Error when some have to be sent again */
  async send(parts: readonly Part[], signal: AbortSignal): Promise<void> {
    if (parts.length === 0) return;
    const known = new Set(this.#doubtful.flatMap((piece) => piece.parts.map(({ message }) => message.id)));
    const left = parts.filter(({ message }) => !known.has(message.id));
    const names = [...new Set([...left, ...this.#doubtful].map(({ topic }) => topic))];
    const topics = await this.#cluster.topics(names, signal);
    await this.#identify(signal);
    const failures: Error[] = [];
    const queues = await this.#queue(left, topics, failures);
    while (queues.size > 0) await this.#sendFirst(queues, topics, failures, signal);
    // what is in doubt may be of another stream, whose write fails by itself
    if (failures[0] && this.#progress.left(parts.map(({ message }) => message)).length > 0) throw failures[0];
  }

  async #identify(signal: AbortSignal): Promise<void> {
    if (this.#identity !== undefined) return;
    const { errorCode, producerId, producerEpoch } = await this.#cluster.ask(
      null,
      signal,
      (connection, client) => answered(client.initProducerIdV2.api.async(connection, null, 60_000)),
    );
    if (errorCode !== 0 && !forbidden.includes(errorCode))
      throw new Error(`The cluster gives no producer id: ${await errorName(errorCode)}`);
    this.#identity = errorCode === 0 ? { id: producerId, epoch: producerEpoch } : null;
    this.#sequences = new Map();
    if (this.#identity === null)
      this.#context.log(
        'warn',
        'the user may not write idempotently: what is sent again may be written twice',
      );
  }

  async #queue(left: readonly Part[], topics: Map<string, KafkaTopic>, failures: Error[]): Promise<Queues> {
    const { murmur2 } = await import('@platformatic/kafka');
    const queues: Queues = new Map();
    for (const piece of this.#doubtful)
      queues.set(keyOf(piece), [...(queues.get(keyOf(piece)) ?? []), piece]);
    const chosen = new Map<string, Part[]>();
    for (const part of left) {
      const { errorCode = unknownTopic, leaders } = topics.get(part.topic) ?? {};
      if (errorCode === invalidTopic) this.#progress.refused(part.message, 'Kafka does not permit its topic');
      else if (errorCode !== 0 || !leaders?.size)
        failures.push(new Error(`The topic ${part.topic}: ${await errorName(errorCode)}`));
      else {
        // as clients of Kafka in Java do
        const partition = (murmur2(part.record.key ?? '') & 0x7fffffff) % leaders.size;
        part.record.partition = partition;
        const key = keyOf({ topic: part.topic, partition });
        chosen.set(key, [...(chosen.get(key) ?? []), part]);
      }
    }
    for (const [key, parts] of chosen) {
      const cut = pieces(parts, pieceBytes).map((piece) => ({
        topic: parts[0]?.topic ?? '',
        partition: parts[0]?.record.partition ?? 0,
        parts: piece,
      }));
      queues.set(key, [...(queues.get(key) ?? []), ...cut]);
    }
    return queues;
  }

  async #sendFirst(
    queues: Queues,
    topics: Map<string, KafkaTopic>,
    failures: Error[],
    signal: AbortSignal,
  ): Promise<void> {
    const first = [...queues.values()].flatMap(([piece]) => piece ?? []);
    const byLeader = Map.groupBy(
      first,
      ({ topic, partition }) => topics.get(topic)?.leaders.get(partition) ?? -1,
    );
    const fail = (piece: Piece, error: Error) => {
      queues.delete(keyOf(piece));
      failures.push(error);
    };
    const sending = [...byLeader].map(async ([leader, own]) => {
      if (leader < 0) {
        for (const piece of own) fail(piece, new Error(`${keyOf(piece)} has no leader`));
        return;
      }
      // until it is known what became of them
      const known = new Set(this.#doubtful);
      this.#doubtful.push(...own.filter((piece) => !known.has(piece)));
      try {
        const answers = await this.#produce(leader, own, signal);
        for (const piece of own) {
          const error = await this.#settle(piece, answers.get(keyOf(piece)), known.has(piece), queues);
          if (error) fail(piece, error);
        }
      } catch (error) {
        for (const piece of own) fail(piece, error as Error);
      }
    });
    await Promise.all(sending);
  }

  /** @returns by partition the error's number, and what the broker says of it */
  async #produce(leader: number, own: readonly Piece[], signal: AbortSignal) {
    const records = own.flatMap(({ parts }) => parts.map(({ record }) => record));
    const answer = await this.#cluster.ask(leader, signal, async (connection, client) => {
      const sequences = new client.NumericMap();
      for (const [key, sequence] of this.#sequences) sequences.set(key.replace(/\/(?=\d+$)/, ':'), sequence);
      const identity = this.#identity && {
        producerId: this.#identity.id,
        producerEpoch: this.#identity.epoch,
        sequences,
      };
      return await answered(client.produceV8.api.async(connection, -1, writeMs, records, { ...identity }));
    });
    const { responses } = answer as produceV8.ProduceResponse;
    return new Map(
      responses.flatMap(({ name, partitionResponses }) =>
        partitionResponses.map((one) => [keyOf({ topic: name, partition: one.index }), one] as const),
      ),
    );
  }

  /** @returns why it has to be sent again. What was in doubt stays so: this answer says nothing of the attempt before */
  async #settle(
    piece: Piece,
    answer: produceV8.ProduceResponsePartition | undefined,
    wasDoubtful: boolean,
    queues: Queues,
  ): Promise<Error | null> {
    const code = answer?.errorCode ?? timedOut;
    const key = keyOf(piece);
    if (code === 0 || code === duplicate) {
      for (const { message } of piece.parts) this.#progress.taken(message);
      this.#sequences.set(key, ((this.#sequences.get(key) ?? 0) + piece.parts.length) & 0x7fffffff);
      this.#replace(piece, [], queues);
      return null;
    }
    if (refusals.includes(code)) {
      await this.#refuse(piece, code, answer?.errorMessage ?? '', queues);
      return null;
    }
    if (producerLost.includes(code)) this.#identity = undefined;
    else if (!wasDoubtful && !inDoubt.includes(code))
      this.#doubtful = this.#doubtful.filter((one) => one !== piece);
    return new Error(`${key}: ${await errorName(code)}`);
  }

  /** What the broker refuses is halved until the records are found that it does not take. */
  async #refuse(piece: Piece, code: number, detail: string, queues: Queues): Promise<void> {
    const [only] = piece.parts;
    if (only && piece.parts.length === 1) {
      this.#progress.refused(
        only.message,
        `Kafka refuses it: ${await errorName(code)} ${detail}`.trim().slice(0, 300),
      );
      return this.#replace(piece, [], queues);
    }
    this.#replace(
      piece,
      halves(piece.parts).map((parts) => ({ ...piece, parts })),
      queues,
    );
  }

  #replace(piece: Piece, by: readonly Piece[], queues: Queues): void {
    this.#doubtful = this.#doubtful.filter((one) => one !== piece);
    const rest = [...by, ...(queues.get(keyOf(piece)) ?? []).slice(1)];
    if (rest.length > 0) queues.set(keyOf(piece), rest);
    else queues.delete(keyOf(piece));
  }
}

const keyOf = ({ topic, partition }: { topic: string; partition: number }) => `${topic}/${partition}`;
