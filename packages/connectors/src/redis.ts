import type { Redis } from 'ioredis';
import type { ConfigEntry } from '@sluice/contracts';
import { checkHost, dialled } from './dial.ts';
import { KeptConnection } from './kept-connection.ts';
import { toldBy } from './messages.ts';
import { ConfigRefused, type PluginConfig, type PluginContext } from './plugin.ts';
import { field, number, optionalText, tlsFields } from './schema.ts';

/** What plugins that speak to Redis read of their server. */
export const redisFields: readonly ConfigEntry[] = [
  field('host', 'string', 'Host', 'a name or an address', { required: true, max: 255, destination: 'host' }),
  field('port', 'int', 'Port', 'of the server', { default: 6379, min: 1, max: 65_535, destination: 'value' }),
  ...tlsFields,
  field('username', 'string', 'User name', 'without one that of the server, default', { max: 200 }),
  field('password', 'secret', 'Password', 'of the user'),
  field('database', 'int', 'Database', 'its number', { default: 0, min: 0, max: 65_535 }),
];

/** of what a server answers to one batch */
const mostAnswerBytes = 1_048_576;

interface Connection {
  redis: Redis;
  /** counts what the server answers from now on */
  begin: () => void;
  /** why it has ended */
  failure: () => Error | null;
}

/** The connection to a server. It is made when it is needed, and again after it has ended. */
export class RedisServer {
  readonly #config: PluginConfig;
  readonly #context: PluginContext;
  readonly #connection: KeptConnection<Connection>;

  /** @throws ConfigRefused for a host that may not be connected to, and a user without a password */
  constructor(config: PluginConfig, context: PluginContext) {
    this.#config = config;
    this.#context = context;
    if (optionalText(config, 'username') !== null && optionalText(config, 'password') === null)
      throw new ConfigRefused('password is missing');
    checkHost(config, context.destinations);
    this.#connection = new KeptConnection(
      (signal, ended) => this.#connect(signal, ended),
      ({ redis }) => redis.disconnect(),
    );
  }

  /** Does `work` on the connection. A failure ends it, and so does `signal`. @throws Error without a secret */
  async use<T>(signal: AbortSignal, work: (redis: Redis) => Promise<T>): Promise<T> {
    try {
      return await this.#connection.use(signal, async ({ redis, begin, failure }) => {
        begin();
        try {
          return await work(redis);
        } catch (error) {
          throw failure() ?? error;
        }
      });
    } catch (error) {
      if (signal.aborted) throw error;
      // not with its cause: that has the command, which may have the password
      // eslint-disable-next-line preserve-caught-error
      throw new Error(toldBy(reasonIn(error as Error), [optionalText(this.#config, 'password')]));
    }
  }

  close(): void {
    this.#connection.close();
  }

  async #connect(signal: AbortSignal, ended: () => void): Promise<Connection> {
    const { AbstractConnector, Redis: Client } = await import('ioredis');
    const socket = await dialled(this.#config, this.#context.destinations, signal);
    let received = 0;
    let failure: Error | null = null;
    // the library reads answers of any size
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > mostAnswerBytes)
        socket.destroy(new Error('The server has sent an answer that is too large'));
    });
    /** The library would connect by itself; what connectors dial goes by the rules on destinations. */
    class Dialled extends AbstractConnector {
      constructor() {
        super(0);
      }
      override async connect() {
        return socket;
      }
      override disconnect() {
        socket.destroy();
      }
    }
    const redis = new Client({
      Connector: Dialled,
      lazyConnect: true,
      protocol: 2,
      // the runtime tries again, in growing pauses
      retryStrategy: null,
      enableOfflineQueue: false,
      enableReadyCheck: false,
      disableClientInfo: true,
    });
    redis.on('error', (error) => (failure ??= error));
    redis.on('end', () => {
      failure ??= new Error('The server has ended the connection');
      ended();
    });
    const end = () => socket.destroy();
    signal.addEventListener('abort', end, { once: true });
    try {
      await redis.connect();
      await this.#login(redis);
    } catch (error) {
      redis.disconnect();
      throw failure ?? error;
    } finally {
      signal.removeEventListener('abort', end);
    }
    return { redis, begin: () => (received = 0), failure: () => failure };
  }

  /** Not left to the library, which writes to the console where a server wants no password. */
  async #login(redis: Redis): Promise<void> {
    const password = optionalText(this.#config, 'password');
    const username = optionalText(this.#config, 'username');
    if (password !== null) await redis.call('AUTH', ...(username === null ? [] : [username]), password);
    const database = number(this.#config, 'database');
    if (database !== 0) await redis.call('SELECT', database);
    // for people who look at the server; not all let a client have a name
    await redis.call('CLIENT', 'SETNAME', `sluice-${this.#context.instanceKey}`).catch(() => {});
  }
}

/** Of a transaction that was discarded: the error of the command that it was discarded for. */
function reasonIn(error: Error & { previousErrors?: unknown }): string {
  const [first] = Array.isArray(error.previousErrors) ? (error.previousErrors as unknown[]) : [];
  return first instanceof Error ? first.message : error.message;
}
