import { isIP } from 'node:net';
import { checkServerIdentity, type ConnectionOptions as TlsOptions } from 'node:tls';
import type { Connection, SASLOptions } from '@platformatic/kafka';
import type { ConfigEntry } from '@sluice/contracts';
import { abortable } from '@sluice/controller/calls';
import { checkHost } from './dial.ts';
import { forwardOnly } from './kafka-batches.ts';
import { excerptOf } from './messages.ts';
import { ConfigRefused, type PluginConfig, type PluginContext } from './plugin.ts';
import { choice, field, list, optionalText, text, tlsFields } from './schema.ts';

type Client = typeof import('@platformatic/kafka');

const brokerPattern = '(?:[A-Za-z0-9_.-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}\\])(?::[0-9]{1,5})?';

export const kafkaFields: readonly ConfigEntry[] = [
  field('brokers', 'list', 'Brokers', 'each as name or name:port; they name the others of the cluster', {
    required: true,
    min: 1,
    max: 20,
    pattern: brokerPattern,
    destination: 'host',
  }),
  ...tlsFields,
  {
    ...choice('sasl', 'Login', 'the SASL mechanism', ['none', 'plain', 'scram-sha-256', 'scram-sha-512']),
    destination: 'value',
  },
  field('username', 'string', 'User name', 'for the login', { max: 200 }),
  field('password', 'secret', 'Password', 'of the user'),
];

export interface KafkaTopic {
  /** the broker's error, by its number; 0 without one */
  errorCode: number;
  /** by partition the number of its leader; -1 without one */
  leaders: ReadonlyMap<number, number>;
}

interface Broker {
  host: string;
  port: number;
}

interface Link {
  connection: Connection;
  received: number;
  most: number;
}

const connectMs = 10_000;
const requestMs = 30_000;
const mostAnswerBytes = 4 * 1_048_576;

/**
 * The connections to the brokers of a cluster, one to each, made when they are needed. The library neither takes a socket nor a lookup
 * where it does without TLS. So a name is resolved by the rules on destinations here, and the library connects to the address.
 */
export class KafkaCluster {
  readonly #config: PluginConfig;
  readonly #context: PluginContext;
  readonly #seeds: readonly Broker[];
  readonly #links = new Map<string, Promise<Link>>();
  #brokers = new Map<number, Broker>();
  #isClosed = false;

  /** @throws ConfigRefused for brokers that may not be connected to, and a login without a user */
  constructor(config: PluginConfig, context: PluginContext) {
    this.#config = config;
    this.#context = context;
    this.#seeds = list(config, 'brokers').map(brokerOf);
    if (text(config, 'sasl') !== 'none' && optionalText(config, 'username') === null)
      throw new ConfigRefused('username is missing');
    for (const { host } of this.#seeds) checkHost(host, context.destinations);
  }

  async topics(names: readonly string[], signal: AbortSignal): Promise<Map<string, KafkaTopic>> {
    const { brokers, topics } = await this.ask(null, signal, (connection, client) =>
      answered(client.metadataV9.api.async(connection, [...names], false)),
    );
    this.#brokers = new Map(brokers.map(({ nodeId, host, port }) => [nodeId, { host, port }]));
    return new Map(
      topics.map(({ name, errorCode, partitions }) => [
        name,
        { errorCode, leaders: new Map(partitions.map((one) => [one.partitionIndex, one.leaderId])) },
      ]),
    );
  }

  close(): void {
    this.#isClosed = true;
    for (const key of this.#links.keys()) this.#drop(key);
  }

  /** Asks one broker, or any of them for null. A failure ends the connection, and so does `signal`. */
  async ask<T>(
    node: number | null,
    signal: AbortSignal,
    request: (connection: Connection, client: Client) => Promise<T>,
    mostBytes = mostAnswerBytes,
  ): Promise<T> {
    signal.throwIfAborted();
    const client = await import('@platformatic/kafka');
    let key: string | null = null;
    try {
      const [found, link] = await abortable(this.#connected(this.#candidates(node), signal), signal);
      key = found;
      Object.assign(link, { received: 0, most: mostBytes });
      return await abortable(request(link.connection, client), signal);
    } catch (error) {
      if (key !== null) this.#drop(key);
      if (signal.aborted) throw error;
      throw this.#readable(error);
    }
  }

  #candidates(node: number | null): readonly Broker[] {
    if (node === null) {
      const isLinked = (broker: Broker) => this.#links.has(keyOf(broker));
      const all = [...this.#brokers.values(), ...this.#seeds];
      return [...all.filter(isLinked), ...this.#seeds, ...this.#brokers.values()];
    }
    const broker = this.#brokers.get(node);
    if (!broker) throw new Error(`The cluster names no broker ${node}`);
    return [broker];
  }

  async #connected(brokers: readonly Broker[], signal: AbortSignal): Promise<[string, Link]> {
    let failure: unknown = new Error('The cluster names no broker');
    for (const broker of new Map(brokers.map((one) => [keyOf(one), one])).values()) {
      signal.throwIfAborted();
      const key = keyOf(broker);
      try {
        return [key, await this.#linkTo(key, broker)];
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  async #linkTo(key: string, broker: Broker): Promise<Link> {
    if (this.#isClosed) throw new Error('The connector has ended');
    let link = this.#links.get(key);
    if (!link) {
      link = this.#connect(broker, () => {
        if (this.#links.get(key) === link) this.#links.delete(key);
      });
      this.#links.set(key, link);
    }
    try {
      return await link;
    } catch (error) {
      this.#drop(key);
      throw error;
    }
  }

  async #connect(broker: Broker, onClose: () => void): Promise<Link> {
    if (broker.port < 1 || broker.port > 65_535) throw new Error(`${keyOf(broker)} is no address`);
    const [first, ...others] = await this.#addressesOf(broker.host);
    const { Connection: Opened } = await import('@platformatic/kafka');
    let failure: unknown;
    for (const address of [first, ...others].slice(0, 4)) {
      const connection = new Opened(`sluice ${this.#context.instanceKey}`, this.#options(broker.host));
      // without a listener an error would end the process
      connection.on('error', () => {});
      connection.on('close', onClose);
      const link = { connection, received: 0, most: mostAnswerBytes };
      readForward(connection);
      try {
        const connecting = connection.connect(address, broker.port);
        connecting?.catch(() => {});
        guardReading(link, text(this.#config, 'tls') === 'verify');
        await connecting;
        if (this.#isClosed) throw new Error('The connector has ended');
        return link;
      } catch (error) {
        end(connection);
        failure = error;
      }
    }
    throw failure;
  }

  async #addressesOf(host: string): Promise<[string, ...string[]]> {
    this.#context.destinations.check(host);
    return await new Promise((resolve, reject) => {
      this.#context.destinations.lookup(host, { all: true }, (error, found) => {
        const [first, ...others] = typeof found === 'string' ? [found] : found.map(({ address }) => address);
        if (error) reject(error);
        else if (first === undefined) reject(new Error(`${host} has no address`));
        else resolve([first, ...others]);
      });
    });
  }

  #options(host: string) {
    const username = optionalText(this.#config, 'username') ?? '';
    const mechanism = text(this.#config, 'sasl').toUpperCase();
    const sasl = { mechanism, username, password: optionalText(this.#config, 'password') ?? '' };
    return {
      connectTimeout: connectMs,
      requestTimeout: requestMs,
      maxInflights: 1,
      ...(mechanism !== 'NONE' && { sasl: sasl as SASLOptions }),
      ...(text(this.#config, 'tls') === 'verify' && { tls: this.#tlsFor(host) }),
    };
  }

  /** The certificate has to be for the name, since the connection is made to its address. */
  #tlsFor(host: string): TlsOptions {
    const ca = optionalText(this.#config, 'tls_ca');
    return {
      rejectUnauthorized: true,
      checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate),
      ...(ca !== null && { ca }),
      ...(isIP(host) === 0 && { servername: host }),
    };
  }

  #drop(key: string): void {
    const link = this.#links.get(key);
    this.#links.delete(key);
    link?.then(
      ({ connection }) => end(connection),
      () => {},
    );
  }

  /** What has failed, with its causes, and without the password. */
  #readable(error: unknown): Error {
    const reasons = new Set<string>();
    for (let at: unknown = error; at instanceof Error && reasons.size < 4; at = at.cause)
      reasons.add(at.message);
    const excerpt = excerptOf([...reasons].join(': '), [optionalText(this.#config, 'password')]);
    return new Error(excerpt, { cause: error });
  }
}

/** An answer of Kafka, also when it holds errors: each topic and partition has its own. */
export async function answered<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    const { ResponseError } = await import('@platformatic/kafka');
    if (!(error instanceof ResponseError) || !('response' in error)) throw error;
    return error.response as T;
  }
}

export async function errorName(code: number): Promise<string> {
  const { protocolErrorsCodesById } = await import('@platformatic/kafka');
  return (protocolErrorsCodesById as Record<string, string>)[code] ?? `error ${code}`;
}

function brokerOf(written: string): Broker {
  const [, inBrackets, plain, port] = /^(?:\[(.*)\]|(.*?))(?::(\d+))?$/.exec(written) ?? [];
  return { host: inBrackets ?? plain ?? '', port: Number(port ?? 9092) };
}

const keyOf = ({ host, port }: Broker) => `${host}:${port}`;

function end(connection: Connection): void {
  // there is none before the first attempt to connect
  (connection.socket as typeof connection.socket | undefined)?.destroy();
}

/**
 * The library takes lengths below zero as they are: by those a broker could have it read the same bytes for ever. @see forwardOnly
 */
function readForward(connection: Connection): void {
  const send = connection.send.bind(connection);
  connection.send = (key, version, payload, parse, ...rest) =>
    send(
      ...([key, version, payload] as const),
      (id, k, v, reader) => parse(id, k, v, forwardOnly(reader)),
      ...rest,
    );
}

/** What a broker sends is bounded, and what the library cannot read ends the connection, not the process. */
function guardReading(link: Link, isTls: boolean): void {
  const { socket } = link.connection;
  socket.once(isTls ? 'secureConnect' : 'connect', () => {
    const readers = socket.listeners('data') as ((chunk: Buffer) => void)[];
    socket.removeAllListeners('data');
    socket.on('data', (chunk: Buffer) => {
      link.received += chunk.length;
      try {
        if (link.received > link.most)
          throw new Error(`The broker has sent more than ${link.most} bytes at once`);
        for (const reader of readers) reader.call(socket, chunk);
      } catch (error) {
        socket.destroy(error as Error);
      }
    });
  });
}
