import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Cloud, DeploymentId, Topology } from '@sluice/contracts';
import { natsServerProgram } from '@sluice/embedded';
import { createLog, readConfig, type Log } from '@sluice/service';
import {
  client,
  eventually,
  freePort,
  ServiceFixture,
  testFolder,
  type FixtureOptions,
  type TestReplica,
} from '@sluice/testing';
import { startSupervisor, type ReconcilerParts } from '../src/app.ts';
import { environmentOf, supervisorEnvironment } from '../src/config.ts';
import { playMainApi } from './main-api.ts';
import { nodeProcesses } from './node-processes.ts';

/** A supervisor in a process of its own. */
export interface ReplicaProcess {
  url: string;
  stop(): Promise<void>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
}

type MainApi = Awaited<ReturnType<typeof playMainApi>>;
type Nodes = ReturnType<typeof nodeProcesses>;

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const settings = {
  SECRETS_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
  HEARTBEAT_SECONDS: '0.5',
  BROKER_PLAIN_TEXT: 'true',
};

/** The supervisor of a region, whose main-api the test plays. Closing it ends everything, agents and brokers included. */
export const supervisor = (options?: RegionOptions) => new Region(options);

export interface RegionOptions extends FixtureOptions {
  /** the region that it serves */
  place?: { cloud: Cloud; region: string };
}

export class Region extends ServiceFixture {
  #parts:
    | { nodesFolder: string; keysFolder: string; backupsFolder: string; nodes: Nodes; mainApi: MainApi }
    | undefined;

  constructor({ place = { cloud: 'cloud_a', region: 'us-east-1' }, ...options }: RegionOptions = {}) {
    super(startWith(), {
      sender: `supervisor/${place.cloud}/${place.region}`,
      playsMainApi: true,
      ...options,
      environment: { CLOUD: place.cloud, REGION: place.region, ...settings, ...options.environment },
    });
    this.beforeStart(async () => {
      const nodesFolder = await testFolder();
      const nodes = nodeProcesses(nodesFolder);
      const backupsFolder = await testFolder();
      this.environment['LOCAL_NODES_DIR'] = nodesFolder;
      const keysFolder = await testFolder();
      this.environment['LOCAL_KEYS_DIR'] = keysFolder;
      this.environment['LOCAL_RUNTIME_DIR'] = await testFolder();
      this.environment['BACKUPS_DIR'] = backupsFolder;
      this.environment['NATS_SERVER_PATH'] = await natsServerProgram();
      const mainApi = await playMainApi(this.nats, this.topology, place);
      this.#parts = { nodesFolder, keysFolder, backupsFolder, nodes, mainApi };
      this.onClose(async () => {
        await this.stopAll();
        await nodes.endAll();
        mainApi.close();
      });
    });
  }

  get names(): Topology {
    return this.topology;
  }
  get nodesFolder(): string {
    return this.#opened.nodesFolder;
  }
  get keysFolder(): string {
    return this.#opened.keysFolder;
  }
  get backupsFolder(): string {
    return this.#opened.backupsFolder;
  }

  /** Commands as main-api gives them, and its grants. */
  readonly apply: MainApi['apply'] = (...command) => this.#opened.mainApi.apply(...command);
  readonly upgrade: MainApi['upgrade'] = (...command) => this.#opened.mainApi.upgrade(...command);
  readonly extend: MainApi['extend'] = (...command) => this.#opened.mainApi.extend(...command);
  readonly remove: MainApi['remove'] = (...command) => this.#opened.mainApi.remove(...command);
  readonly disown: MainApi['disown'] = (...command) => this.#opened.mainApi.disown(...command);
  readonly activate: MainApi['activate'] = (...command) => this.#opened.mainApi.activate(...command);
  readonly deleteInstance: MainApi['deleteInstance'] = (named) => this.#opened.mainApi.deleteInstance(named);
  readonly key: MainApi['key'] = (...grant) => this.#opened.mainApi.key(...grant);

  /** What runs in the folder of the nodes. */
  readonly processesOf: Nodes['processesOf'] = (nodeId) => this.#opened.nodes.processesOf(nodeId);
  readonly usersOf: Nodes['usersOf'] = (nodeId) => this.#opened.nodes.usersOf(nodeId);
  readonly agentOf: Nodes['agentOf'] = (nodeId) => this.#opened.nodes.agentOf(nodeId);
  readonly loseNode: Nodes['loseNode'] = (nodeId) => this.#opened.nodes.loseNode(nodeId);
  readonly nodeFolders: Nodes['nodeFolders'] = () => this.#opened.nodes.nodeFolders();

  /**
   * Marks a deployment as being deleted, and leaves it so: another replica has its lease, and has not got far. What a reconciler of this
   * one has begun counts no more.
   */
  async holdDeletion(id: DeploymentId): Promise<void> {
    await this.sql(
      `UPDATE reconciliations SET fence = fence + 1, leased_by = 'another', leased_until = clock_timestamp() + interval '1 hour'
       WHERE deployment_id = $1`,
      [id],
    );
    await this.sql('UPDATE deployments SET deleted_by = created_by WHERE id = $1', [id]);
  }

  /** Starts a replica with `parts` in the place of the reconciler's own. */
  startWith(
    parts: Partial<ReconcilerParts>,
    more: { log?: Log; environment?: Record<string, string> } = {},
  ): Promise<TestReplica> {
    return this.start(more.environment, startWith(parts, more.log));
  }

  /** Starts a replica in a process of its own, on a port that is free. */
  async spawn(port: number, more: Record<string, string> = {}): Promise<ReplicaProcess> {
    const url = `http://${more['HOST'] ?? '127.0.0.1'}:${port}`;
    const child = spawn(process.execPath, [main], {
      env: { PATH: process.env.PATH, ...this.environment, ...more, PORT: String(port), PUBLIC_URL: url },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    const end = (signal: NodeJS.Signals) => async () => {
      child.kill(signal);
      await ended;
    };
    this.onClose(end('SIGTERM'));
    // a machine on which others start as well takes its time
    const patience = { timeoutMs: 50_000 };
    await eventually(async () => expect((await client(url).get('/healthz')).status).toBe(200), patience);
    return { url, stop: end('SIGTERM'), kill: end('SIGKILL') };
  }

  get #opened() {
    if (!this.#parts) throw new Error('The region is not open: use it in a hook or a test.');
    return this.#parts;
  }
}

/** Agents call the supervisor at its public address, so its port has to be known before it listens. */
function startWith(parts: Partial<ReconcilerParts> = {}, log?: Log) {
  return async (environment: Record<string, string>) => {
    const port = String(await freePort());
    const PUBLIC_URL = `http://${environment['HOST'] ?? '127.0.0.1'}:${port}`;
    const config = readConfig(parts.registry ? environmentOf(parts.registry) : supervisorEnvironment, {
      ...environment,
      PORT: port,
      PUBLIC_URL,
    });
    return await startSupervisor(config, log ?? createLog('supervisor', config.LOG_LEVEL), parts);
  };
}
