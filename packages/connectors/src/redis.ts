import type { Redis } from 'ioredis';
import type { ConfigEntry } from '@sluice/contracts';
import { dialled, limitReceived } from './dial.ts';
import { KeptServer, unlessEnded } from './kept-connection.ts';
import { ConfigRefused, type PluginConfig, type PluginContext } from './plugin.ts';
import { field, number, optionalText, tlsFields } from './schema.ts';

export const redisFields: readonly ConfigEntry[] = [
  field('host', 'string', 'Host', 'a name or an address', { required: true, max: 255, destination: 'host' }),
  field('port', 'int', 'Port', 'of the server', { default: 6379, min: 1, max: 65_535, destination: 'value' }),
  ...tlsFields,
  field('username', 'string', 'User name', 'without one that of the server, default', { max: 200 }),
  field('password', 'secret', 'Password', 'of the user'),
  field('database', 'int', 'Database', 'its number', { default: 0, min: 0, max: 65_535 }),
];

const mostAnswerBytes = 1_048_576;

interface Connection {
  redis: Redis;
  begin: () => void;
  failure: () => Error | null;
}

export class RedisServer extends KeptServer<Connection> {
  /** @throws ConfigRefused for a host that may not be connected to, and a user without a password */
  constructor(config: PluginConfig, context: PluginContext) {
    if (optionalText(config, 'username') !== null && optionalText(config, 'password') === null)
      throw new ConfigRefused('password is missing');
    super(config, context, { end: ({ redis }) => redis.disconnect() });
  }

  /** Without its cause: that has the command, which may have the password. */
  protected override readable(error: Error): Error {
    return new Error(this.excerpt(reasonIn(error)));
  }

  async write<T>(signal: AbortSignal, work: (redis: Redis) => Promise<T>): Promise<T> {
    return await this.use(signal, async ({ redis, begin, failure }) => {
      begin();
      try {
        return await work(redis);
      } catch (error) {
        throw failure() ?? error;
      }
    });
  }

  protected override async connect(signal: AbortSignal, ended: () => void): Promise<Connection> {
    const { AbstractConnector, Redis: Client } = await import('ioredis');
    const socket = await dialled(this.config, this.context.destinations, signal);
    const begin = limitReceived(socket, mostAnswerBytes, 'The server has sent an answer');
    let failure: Error | null = null;
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
    const end = () => {
      socket.destroy();
      redis.disconnect();
    };
    const opening = redis.connect().then(() => this.#login(redis));
    await unlessEnded(signal, end, opening).catch((error: unknown) => {
      throw failure ?? error;
    });
    return { redis, begin, failure: () => failure };
  }

  /** Not left to the library, which writes to the console where a server wants no password. */
  async #login(redis: Redis): Promise<void> {
    const password = optionalText(this.config, 'password');
    const username = optionalText(this.config, 'username');
    if (password !== null) await redis.call('AUTH', ...(username === null ? [] : [username]), password);
    const database = number(this.config, 'database');
    if (database !== 0) await redis.call('SELECT', database);
    // for people who look at the server; not all let a client have a name
    await redis.call('CLIENT', 'SETNAME', `sluice-${this.context.instanceKey}`).catch(() => {});
  }
}

/** Of a transaction that was discarded: the error of the command that it was discarded for. */
function reasonIn(error: Error & { previousErrors?: unknown }): string {
  const [first] = Array.isArray(error.previousErrors) ? (error.previousErrors as unknown[]) : [];
  return first instanceof Error ? first.message : error.message;
}
