import pg from 'pg';
import type { Log } from '../log.ts';
import { NotReady } from '../problem.ts';
import { connectionOptions } from './postgres.ts';

/** how often it is asked whether the connection still is one */
const checkMilliseconds = 10_000;
const answerMilliseconds = 2_000;

/**
 * Listens to PostgreSQL's NOTIFY on a connection of its own. After a lost connection every listener is called once,
 * since notifications may have been missed; listeners must also work without being called (they poll as a fallback).
 */
export class Notifications {
  readonly #url: string;
  readonly #log: Log;
  readonly #verify: (client: pg.ClientBase) => Promise<void>;
  readonly #listeners = new Map<string, Set<(payload: string) => void>>();
  #client: pg.Client | undefined;
  #checking: Promise<unknown> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param verify compares the database with the one before; after each connection, and while it is checked */
  constructor(url: string, log: Log, verify: (client: pg.ClientBase) => Promise<void> = async () => {}) {
    this.#url = url;
    this.#log = log;
    this.#verify = verify;
  }

  /** Connects and keeps connected until `close`. Rejects only when the first connection fails. */
  async open(): Promise<void> {
    await this.#connect();
    this.#timer = setInterval(() => void this.check().catch(() => undefined), checkMilliseconds);
  }

  /** Calls `listener` with the payload of each notification on `channel` (an identifier, not user input). */
  async listen(channel: string, listener: (payload: string) => void): Promise<() => void> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(listener));
    await this.#client?.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    return () => listeners.delete(listener);
  }

  /**
   * Asks the database for an answer, without a connection that others could keep. Where none comes the connection goes, and is
   * made anew. @throws Error when there is none
   */
  async check(): Promise<void> {
    if (!this.#client) throw new NotReady('no connection to the database');
    this.#checking ??= this.#checked(this.#client).finally(() => {
      this.#checking = undefined;
    });
    await this.#checking;
  }

  async #checked(client: pg.Client): Promise<void> {
    await answerOf(client);
    await this.#verify(client);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#client?.end();
  }

  async #connect(): Promise<void> {
    const client = new pg.Client(connectionOptions(this.#url));
    client.on('notification', ({ channel, payload = '' }) => {
      for (const listener of this.#listeners.get(channel) ?? []) this.#tell(listener, payload);
    });
    client.on('error', (error) =>
      this.#log.warn('the database connection for notifications was lost', { error }),
    );
    // one that never got this far ends too, and rejects besides: only one of the two may lead to the next attempt
    client.once('end', () => {
      if (this.#client === client) this.#reconnect();
    });
    await client.connect();
    try {
      await this.#verify(client);
      for (const channel of this.#listeners.keys())
        await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    this.#client = client;
    if (this.#closed) await client.end();
  }

  #reconnect(): void {
    if (this.#closed) return;
    this.#client = undefined;
    setTimeout(() => {
      if (this.#closed) return;
      this.#connect().then(
        () => this.#wakeAll(),
        () => this.#reconnect(),
      );
    }, 250).unref();
  }

  #wakeAll(): void {
    for (const listeners of this.#listeners.values())
      for (const listener of listeners) this.#tell(listener, '');
  }

  /** What one listener throws is not the others' affair, nor that of the connection. */
  #tell(listener: (payload: string) => void, payload: string): void {
    try {
      listener(payload);
    } catch (error) {
      this.#log.error('a listener to notifications failed', { error });
    }
  }
}

/** Ends a connection on which no answer comes. @throws Error then */
async function answerOf(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => void client.end(), answerMilliseconds);
  await client.query('SELECT 1').finally(() => clearTimeout(timer));
}
