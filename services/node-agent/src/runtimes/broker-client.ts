import type { StreamBinding } from '@sluice/connectors';

export interface BrokerAccess {
  runtime: string;
  port: number;
  /** identifies the process: another one is connected to anew */
  process: string;
  /** of the program's own login; another program behind the port could not use what is sent of it */
  secret: string;
  /** how the certificate is checked; null for connections without TLS */
  tls: { authority: string; server_name: string } | null;
  replicas?: number;
}

/** @throws Error when the broker does not answer, or refuses the login */
export type ConnectClient = (access: BrokerAccess) => Promise<BrokerClient>;

/** What a connector, or another program of the node, needs of a broker's streams. Each runtime implements it in its own terms. */
export interface BrokerClient {
  /** false once it is closed; a connection that is lost comes back by itself */
  readonly connected: boolean;
  readonly largestMessage: number;
  /** Creates the stream unless it is there, in any configuration. */
  ensureStream(stream: StreamSpec): Promise<Stream>;
  /** Resolves once the message cannot be lost. A message with the same id is stored once within minutes. */
  publish(message: Publication): Promise<void>;
  /**
   * Opens the consumer of a sink, and creates it, beginning with the oldest message, if it is not there.
   * @throws Waiting while there is no such stream, ConfigRefused for a group that cannot be shared
   */
  consume(instance: InstanceName, binding: StreamBinding, acknowledgeMs: number): Promise<Consumer>;
  flush(): Promise<void>;
  openPosition(id: number): Promise<Position>;
  forget(isGone: (id: number) => boolean): Promise<void>;
  close(): Promise<void>;
}

export interface StreamSpec {
  name: string;
  description: string;
  topics: readonly string[];
  maxBytes: number;
  maxAgeMs?: number;
  maxMessagesPerTopic?: number;
}

export interface Stream {
  takes(topic: string): boolean;
}

export type Headers = Readonly<Record<string, string>>;

export interface Publication {
  /** the stream that has to store it */
  stream: string;
  topic: string;
  id: string;
  payload: Uint8Array;
  /** names that the broker takes as instructions are left out */
  headers: Headers;
}

export interface InstanceName {
  id: number;
  key: string;
}

export interface Consumer {
  /** messages given out by an earlier run and not acknowledged: they come again before newer ones */
  readonly unacknowledged: number;
  /**
   * The next messages, as many as arrive until `count` or the time is reached; none once `signal` is aborted.
   * @throws Error when the consumer or its stream is gone, or the broker does not answer
   */
  next(
    request: { count: number; waitMs: number; bytes: number },
    signal: AbortSignal,
  ): Promise<readonly Delivery[]>;
}

/** A message that a consumer has given out, until it is acknowledged. */
export interface Delivery {
  topic: string;
  payload: Uint8Array;
  headers: Headers;
  sequence: number;
  /** when the broker stored it: nanoseconds since 1970 */
  timestamp: bigint;
  ack(): void;
  /** It comes again at once. */
  nak(): void;
  /** It is still being worked on, and does not come again for a while. */
  working(): void;
}

export interface Position {
  readonly value: string | null;
  /** @throws Error also when another node has kept a position since: of two that work for one instance the later one goes on */
  keep(value: string): Promise<void>;
}

/** Nothing is wrong: something that is needed is not there yet. The message names it. */
export class Waiting extends Error {}

export const groupOf = ({ key }: InstanceName, { consumer_group }: StreamBinding) =>
  consumer_group ?? `connector-${key}`;

export const headerBytes = (headers: Headers): number =>
  Object.entries(headers).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value) + 8,
    0,
  );
