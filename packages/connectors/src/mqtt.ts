import type { Socket } from 'node:net';
import type { ConfigEntry } from '@sluice/contracts';
import type { IClientOptions, MqttClient } from 'mqtt';
import { checkHost, dial } from './dial.ts';
import { toldBy } from './messages.ts';
import { ConfigRefused, type PluginConfig, type PluginContext } from './plugin.ts';
import { choice, field, optionalText, text, tlsFields } from './schema.ts';

/** What plugins that speak to a broker of MQTT read of it. */
export const mqttFields: readonly ConfigEntry[] = [
  field('host', 'string', 'Host', 'a name or an address', { required: true, max: 255, destination: 'host' }),
  field('port', 'int', 'Port', 'of the broker', { default: 8883, min: 1, max: 65_535, destination: 'value' }),
  ...tlsFields,
  choice('version', 'Version', 'of MQTT', ['5', '3.1.1']),
  field('client_id', 'string', 'Client id', 'without one it is made of the name of the instance', {
    max: 200,
    pattern: '[A-Za-z0-9._:-]+',
  }),
  field('username', 'string', 'User name', 'for the login', { max: 200 }),
  field('password', 'secret', 'Password', 'of the user'),
];

const connectMs = 10_000;
const keepAliveSeconds = 60;
/** of one packet that comes */
const mostPacketBytes = 4 * 1_048_576;

/** The connection to a broker. It is made when it is needed, and again after it has ended. */
export class MqttServer {
  readonly #config: PluginConfig;
  readonly #context: PluginContext;
  readonly #options: IClientOptions;
  readonly #begin: (client: MqttClient) => void;
  #connection: Promise<MqttClient> | null = null;

  /**
   * @param begin called with each new connection, before it is made: messages of a session come at once
   * @throws ConfigRefused for a host that may not be connected to, and a password without a user
   */
  constructor(
    config: PluginConfig,
    context: PluginContext,
    options: IClientOptions = {},
    begin: (client: MqttClient) => void = () => {},
  ) {
    this.#config = config;
    this.#context = context;
    this.#options = options;
    this.#begin = begin;
    if (optionalText(config, 'password') !== null && optionalText(config, 'username') === null)
      throw new ConfigRefused('username is missing');
    checkHost(config, context.destinations);
  }

  get isVersion5(): boolean {
    return text(this.#config, 'version') === '5';
  }

  /** Does `work` on the connection. A failure ends it, and so does `signal`. @throws Error without a secret */
  async use<T>(signal: AbortSignal, work: (client: MqttClient) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const aborted = Promise.withResolvers<never>();
    aborted.promise.catch(() => {});
    const abort = () => aborted.reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    const connection = (this.#connection ??= this.#connect());
    try {
      const done = connection.then(async (client) => {
        const closed = Promise.withResolvers<never>();
        closed.promise.catch(() => {});
        const end = () => closed.reject(new Error('The connection to the broker has ended'));
        client.once('close', end);
        try {
          if (!client.connected) end();
          return await Promise.race([closed.promise, work(client)]);
        } finally {
          client.off('close', end);
        }
      });
      done.catch(() => {});
      return await Promise.race([done, aborted.promise]);
    } catch (error) {
      this.#drop(connection);
      if (signal.aborted) throw error;
      throw new Error(this.told((error as Error).message), { cause: error });
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** What the broker has said, as people may read it. */
  told(message: string): string {
    return toldBy(message, [optionalText(this.#config, 'password')]);
  }

  close(): void {
    if (this.#connection) this.#drop(this.#connection);
  }

  #drop(connection: Promise<MqttClient>): void {
    if (this.#connection === connection) this.#connection = null;
    connection.then(
      (client) => client.end(true),
      () => {},
    );
  }

  async #connect(): Promise<MqttClient> {
    const { MqttClient: Client } = await import('mqtt');
    const opened = Promise.withResolvers<void>();
    opened.promise.catch(() => {});
    const password = optionalText(this.#config, 'password');
    const username = optionalText(this.#config, 'username');
    const client = new Client((self) => this.#stream(self, opened.reject), {
      ...this.#options,
      protocolVersion: this.isVersion5 ? 5 : 4,
      clientId: optionalText(this.#config, 'client_id') ?? `sluice-${this.#context.instanceKey}`,
      ...(username !== null && { username }),
      ...(password !== null && { password }),
      connectTimeout: connectMs,
      keepalive: keepAliveSeconds,
      // the runtime tries again, in growing pauses
      reconnectPeriod: 0,
      resubscribe: false,
      queueQoSZero: false,
      ...(this.isVersion5 && {
        properties: { ...this.#options.properties, maximumPacketSize: mostPacketBytes },
      }),
    });
    this.#begin(client);
    client.once('connect', () => opened.resolve());
    // without a listener an error would end the process
    client.on('error', (error) => opened.reject(error));
    client.once('close', () => opened.reject(new Error('The broker has ended the connection')));
    try {
      await opened.promise;
      return client;
    } catch (error) {
      client.end(true);
      throw error;
    }
  }

  /** The library would connect by itself; what connectors dial goes by the rules on destinations. */
  #stream(client: MqttClient, fail: (error: Error) => void): Socket {
    const socket = dial(this.#config, this.#context.destinations);
    socket.on('error', fail);
    // the library reads packets of any size
    let received = 0;
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > mostPacketBytes)
        socket.destroy(new Error('The broker has sent a packet that is too large'));
    });
    client.on('packetreceive', () => {
      received = 0;
    });
    return socket;
  }
}
