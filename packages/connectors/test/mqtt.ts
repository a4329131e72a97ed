import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { createAuthority, issueCertificate } from '@sluice/system/authority';
import { freePort, testFolder } from '@sluice/testing';
import { Aedes, type Client } from 'aedes';
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { startProgram } from './program.ts';

export class TestMqtt {
  readonly port: number;
  readonly tlsPort: number;
  readonly ca: string;
  readonly #key: string;
  readonly #certificate: string;
  readonly #broker: Aedes;
  readonly #sockets = new Set<Socket>();
  #servers: Server[] = [];

  private constructor(broker: Aedes, ports: [number, number], tls: [string, string, string]) {
    this.#broker = broker;
    [this.port, this.tlsPort] = ports;
    [this.ca, this.#key, this.#certificate] = tls;
  }

  static async start(): Promise<TestMqtt> {
    const broker = await Aedes.createBroker();
    broker.authenticate = (_client, username, password, done) =>
      done(null, username === undefined || String(password) === 'secret-of-ada');
    const validity = { from: new Date(), days: 1 };
    const authority = await createAuthority('MQTT of tests', validity);
    const names = { dns: ['localhost'], addresses: [] };
    const { private_key, certificate } = await issueCertificate(authority, names, validity);
    const ports: [number, number] = [await freePort(), await freePort()];
    const mqtt = new TestMqtt(broker, ports, [authority.certificate, private_key, certificate]);
    await mqtt.listen();
    return mqtt;
  }

  get values() {
    return { host: '127.0.0.1', port: this.port, tls: 'disable', version: '3.1.1' };
  }

  async listen(): Promise<void> {
    const plain = createServer(this.#broker.handle);
    const tls = createTlsServer({ key: this.#key, cert: this.#certificate }, this.#broker.handle);
    tls.on('tlsClientError', () => {});
    this.#servers = [plain.listen(this.port, '127.0.0.1'), tls.listen(this.tlsPort, '127.0.0.1')];
    for (const server of this.#servers)
      server.on('connection', (socket) => {
        this.#sockets.add(socket);
        socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
      });
    await Promise.all(this.#servers.map((server) => once(server, 'listening')));
  }

  /** Ends all connections, and takes no more; sessions stay. */
  async hangUp(): Promise<void> {
    const closed = this.#servers.map((server) => once(server.close(), 'close'));
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(closed);
  }

  async subscription(clientId: string): Promise<void> {
    await new Promise<void>((resolve) => {
      const listener = (_: unknown, client: Client) => {
        if (client.id !== clientId) return;
        this.#broker.off('subscribe', listener);
        resolve();
      };
      this.#broker.on('subscribe', listener);
    });
  }

  client(options: IClientOptions = {}): Promise<MqttClient> {
    return connectAsync(`mqtt://127.0.0.1:${this.port}`, { protocolVersion: 4, ...options });
  }

  async remove(): Promise<void> {
    await this.hangUp();
    await new Promise<void>((resolve) => this.#broker.close(resolve));
  }
}

/** Mosquitto, which speaks MQTT 5. @returns its port, and what ends it; null, after a line that says so, where it is not installed */
export async function startMosquitto(): Promise<{ port: number; remove(): Promise<void> } | null> {
  const [folder, port] = [await testFolder(), await freePort()];
  const file = join(folder, 'mosquitto.conf');
  await writeFile(file, `listener ${port} 127.0.0.1\nallow_anonymous true\n`, { mode: 0o644 });
  const remove = await startProgram('mosquitto', ['-c', file], async () =>
    (await connectAsync(`mqtt://127.0.0.1:${port}`)).endAsync(),
  );
  return remove && { port, remove };
}
