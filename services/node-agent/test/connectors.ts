import { once } from 'node:events';
import { join } from 'node:path';
import { jetstreamManager, type StreamConfig } from '@nats-io/jetstream';
import { connect, nkeyAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import { plugins, type ConnectorPlugin, type OutgoingMessage, type Rejected } from '@sluice/connectors';
import { idOf, type ConnectorInstanceId } from '@sluice/contracts';
import { natsPublicKey } from '@sluice/embedded';
import { openControlLink, says, socketPath, startProgram } from '@sluice/system/control';
import { createLog } from '@sluice/system/log';
import { eventually, newNatsSeed, ownNats, testFolder, type OwnServer } from '@sluice/testing';
import type {
  InstanceReport,
  RuntimeRequest,
  RuntimeState,
  RuntimeStatus,
  WantedInstance,
} from '../src/connectors-runtime/protocol.ts';
import { ConnectorsRuntime } from '../src/connectors-runtime/runtime.ts';

export class TestDestination {
  readonly taken: OutgoingMessage[] = [];
  opened = 0;
  attempts = 0;
  /** Decides on a batch; what it throws has it come again. */
  onWrite: (
    batch: readonly OutgoingMessage[],
    signal: AbortSignal,
  ) => Promise<readonly Rejected[]> | readonly Rejected[] = () => [];

  get texts(): string[] {
    return this.taken.map(({ payload }) => Buffer.from(payload).toString());
  }
}

/** A sink whose destinations are those of the test, by the name in its configuration. */
export function testSink(destinations: Map<string, TestDestination>, key = 'test'): ConnectorPlugin {
  const name = { rules: [{ rule: 'required' as const }], requirements: [], editable: true, secret: false };
  return {
    type: 'sink',
    key,
    schema: [{ key: 'name', name: 'Name', description: '', default_value: null, kind: 'string', ...name }],
    open: async (config) => {
      const destination = destinations.get(String(config['name']));
      if (!destination) throw new Error('there is no such destination');
      destination.opened++;
      return {
        write: async (batch, signal) => {
          destination.attempts++;
          const rejected = await destination.onWrite(batch, signal);
          const ids = new Set(rejected.map(({ id }) => id));
          destination.taken.push(...batch.filter(({ id }) => !ids.has(id)));
          return rejected;
        },
        close: async () => undefined,
      };
    },
  };
}

export class TestNode {
  readonly destinations = new Map<string, TestDestination>();
  readonly seed = newNatsSeed();
  readonly logged: string[] = [];
  readonly #runtimes: ConnectorsRuntime[] = [];
  #server: OwnServer | undefined;
  #client: NatsConnection | undefined;
  #instances = 0;

  async start(): Promise<void> {
    this.#server = await ownNats([{ nkey: natsPublicKey(this.seed) }]);
    await this.reconnect();
  }

  async close(): Promise<void> {
    await Promise.all(this.#runtimes.map((runtime) => runtime.end()));
    await this.#client?.close();
    await this.#server?.remove();
  }

  get server(): OwnServer {
    if (!this.#server) throw new Error('not started');
    return this.#server;
  }
  get client(): NatsConnection {
    if (!this.#client) throw new Error('not started');
    return this.#client;
  }

  async reconnect(): Promise<void> {
    await this.#client?.close();
    const authenticator = nkeyAuthenticator(new TextEncoder().encode(this.seed));
    this.#client = await connect({ servers: this.server.url, authenticator });
  }

  async addStream(name: string, more: Partial<StreamConfig> = {}): Promise<void> {
    const manager = await jetstreamManager(this.client);
    await manager.streams.add({ name, subjects: [`${name}.*`], ...more });
  }

  get access(): RuntimeState['broker'] {
    return { runtime: 'nats', port: this.server.port, process: '1', secret: this.seed, tls: null };
  }

  async runtime(more: readonly ConnectorPlugin[] = [], folder?: string): Promise<ConnectorsRuntime> {
    const runtime = new ConnectorsRuntime({
      folder: folder ?? (await testFolder()),
      build: 'test',
      log: (_level, message) => void this.logged.push(message),
      onChange: () => undefined,
      plugins: [...plugins, testSink(this.destinations), ...more],
      limits: { write: 400, publish: 5_000, ending: 400, acknowledge: 1_000, pause: { first: 10, cap: 50 } },
    });
    this.#runtimes.push(runtime);
    return runtime;
  }

  destination(name: string): TestDestination {
    const destination = new TestDestination();
    this.destinations.set(name, destination);
    return destination;
  }

  instance(values: Record<string, unknown> | null, more: Partial<WantedInstance> = {}): WantedInstance {
    const id = ++this.#instances;
    return {
      ...{ id: idOf<ConnectorInstanceId>(id), type: 'sink', connector_key: 'test', key: `instance-${id}` },
      config: values && { id: 100 + id, version: 1, values },
      ...more,
    };
  }
}

export const reportOf = (runtime: ConnectorsRuntime, { id }: WantedInstance): InstanceReport | undefined =>
  runtime.status.instances.find((report) => report.id === id);

export async function untilStatus(
  runtime: ConnectorsRuntime,
  instance: WantedInstance,
  expected: Partial<InstanceReport>,
): Promise<InstanceReport> {
  return await eventually(() => {
    const report = reportOf(runtime, instance);
    expect(report).toMatchObject(expected);
    if (!report) throw new Error('no report');
    return report;
  });
}

export class RuntimeProcesses {
  readonly #kills: (() => Promise<void>)[] = [];

  async start(folder: string, state: RuntimeState): Promise<{ kill(): Promise<void> }> {
    const main = join(import.meta.dirname, '../src/connectors-runtime/main.ts');
    const child = startProgram({ node: process.execPath, program: main, build: 'test' }, folder, 'inherit');
    const kill = async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    };
    this.#kills.push(kill);
    await says(child, 'ready', 'connectors runtime');
    const log = createLog({ service: 'test', level: 'error' });
    const link = await openControlLink<RuntimeRequest, RuntimeStatus>(socketPath(folder, child.pid ?? 0), {
      ...{ name: 'connectors runtime', answerLimit: 5_000, log, onClose: () => undefined },
    });
    await link?.ask({ apply: state }, 5_000);
    return { kill };
  }

  async killAll(): Promise<void> {
    await Promise.all(this.#kills.splice(0).map((kill) => kill()));
  }
}
