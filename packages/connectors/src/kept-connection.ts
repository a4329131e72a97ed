import { abortable } from '@sluice/controller/calls';
import { checkHost } from './dial.ts';
import { excerptOf } from './messages.ts';
import { ConfigRefused, type PluginConfig, type PluginContext } from './plugin.ts';
import { optionalText, text } from './schema.ts';

interface KeptConnectionOptions<Client> {
  /**
   * Leaves nothing behind when it fails, and fails when `signal` is aborted. It calls `ended` when the connection ends by itself; work
   * under way then fails with the error, if there is one.
   */
  connect: (signal: AbortSignal, ended: (error?: Error) => void) => Promise<Client>;
  end: (client: Client) => unknown;
  /** ends a connection in an orderly way; `end` without it */
  quit?: (client: Client) => Promise<void>;
  /** true for an error that the server answered: the connection is as good as before */
  isAnswer?: (error: unknown) => boolean;
  readable?: (error: Error) => Error;
}

interface Current<Client> {
  client: Promise<Client>;
  ending: AbortController;
  lost: PromiseWithResolvers<never>;
}

/** One connection, made when it is needed and again after it has ended. */
export class KeptConnection<Client> {
  readonly #options: KeptConnectionOptions<Client>;
  #current: Current<Client> | null = null;

  constructor(options: KeptConnectionOptions<Client>) {
    this.#options = options;
  }

  /** Does `work` on the connection. A failure ends the connection, unless the server has answered, and so does `signal`. */
  async use<T>(signal: AbortSignal, work: (client: Client) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const { isAnswer, readable } = this.#options;
    const current = (this.#current ??= this.#begin());
    try {
      return await abortable(Promise.race([current.client.then(work), current.lost.promise]), signal);
    } catch (error) {
      if (!isAnswer?.(error) && this.#current === current) this.#drop();
      if (signal.aborted || error instanceof ConfigRefused || !readable) throw error;
      throw readable(error as Error);
    }
  }

  async close(): Promise<void> {
    const { quit } = this.#options;
    const current = this.#current;
    if (!quit || !current) return this.#drop();
    this.#current = null;
    current.ending.abort();
    await current.client.then(quit).catch(() => undefined);
  }

  #drop(): void {
    const current = this.#current;
    this.#current = null;
    current?.ending.abort();
    current?.client.then(this.#options.end).catch(() => undefined);
  }

  #begin(): Current<Client> {
    const ending = new AbortController();
    const lost = Promise.withResolvers<never>();
    lost.promise.catch(() => undefined);
    const ended = (error?: Error) => {
      if (this.#current?.ending === ending) this.#current = null;
      if (error) lost.reject(error);
    };
    const client = this.#options.connect(ending.signal, ended);
    client.catch(() => ended());
    return { client, ending, lost };
  }
}

/** A server at a configured host, with one connection. Its errors have no password. */
export abstract class KeptServer<Client> {
  protected readonly config: PluginConfig;
  protected readonly context: PluginContext;
  readonly #connection: KeptConnection<Client>;

  /** @throws ConfigRefused for a host that may not be connected to */
  constructor(
    config: PluginConfig,
    context: PluginContext,
    options: Pick<KeptConnectionOptions<Client>, 'end' | 'quit' | 'isAnswer'>,
  ) {
    this.config = config;
    this.context = context;
    checkHost(text(config, 'host'), context.destinations);
    this.#connection = new KeptConnection({
      ...options,
      connect: (signal, ended) => this.connect(signal, ended),
      readable: (error) => this.readable(error),
    });
  }

  protected abstract connect(signal: AbortSignal, ended: (error?: Error) => void): Promise<Client>;

  protected readable(error: Error): Error {
    return new Error(this.excerpt(error.message), { cause: error });
  }

  /** Does `work` on the connection. A failure ends the connection, unless the server has answered, and so does `signal`. */
  async use<T>(signal: AbortSignal, work: (client: Client) => Promise<T>): Promise<T> {
    return await this.#connection.use(signal, work);
  }

  excerpt(message: string): string {
    return excerptOf(message, [optionalText(this.config, 'password')]);
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }
}

/** Calls `end` when the signal is aborted before `opening` has settled, so that a connection that is not wanted any more is not made. */
export async function unlessEnded<T>(signal: AbortSignal, end: () => void, opening: Promise<T>): Promise<T> {
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    return await opening;
  } catch (error) {
    end();
    throw error;
  } finally {
    signal.removeEventListener('abort', end);
  }
}
