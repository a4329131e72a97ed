import type { Socket } from 'node:net';
import type { ConfigEntry } from '@sluice/contracts';
import type { IClientOptions, MqttClient } from 'mqtt';
import { dial, limitReceived } from './dial.ts';
import { KeptServer, unlessEnded } from './kept-connection.ts';
import { ConfigRefused, type PluginConfig, type PluginContext } from './plugin.ts';
import { choice, field, optionalText, text, tlsFields } from './schema.ts';

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
const mostPacketBytes = 4 * 1_048_576;

export class MqttServer extends KeptServer<MqttClient> {
  readonly #options: IClientOptions;
  readonly #begin: (client: MqttClient) => void;

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
    if (optionalText(config, 'password') !== null && optionalText(config, 'username') === null)
      throw new ConfigRefused('username is missing');
    super(config, context, { end: (client) => client.end(true) });
    this.#options = options;
    this.#begin = begin;
  }

  get isVersion5(): boolean {
    return text(this.config, 'version') === '5';
  }

  protected override async connect(signal: AbortSignal, ended: (error: Error) => void): Promise<MqttClient> {
    const { MqttClient: Client } = await import('mqtt');
    signal.throwIfAborted();
    const opened = Promise.withResolvers<void>();
    const password = optionalText(this.config, 'password');
    const username = optionalText(this.config, 'username');
    const client = new Client((self) => this.#stream(self, opened.reject), {
      ...this.#options,
      protocolVersion: this.isVersion5 ? 5 : 4,
      clientId: optionalText(this.config, 'client_id') ?? `sluice-${this.context.instanceKey}`,
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
    client.once('close', () => {
      const error = new Error('The broker has ended the connection');
      opened.reject(error);
      ended(error);
    });
    await unlessEnded(signal, () => client.end(true), opened.promise);
    return client;
  }

  /** The library would connect by itself; what connectors dial goes by the rules on destinations. */
  #stream(client: MqttClient, fail: (error: Error) => void): Socket {
    const socket = dial(this.config, this.context.destinations);
    socket.on('error', fail);
    client.on('packetreceive', limitReceived(socket, mostPacketBytes, 'The broker has sent a packet'));
    return socket;
  }
}
