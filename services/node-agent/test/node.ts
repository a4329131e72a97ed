import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type ConnectionOptions, type NatsConnection } from '@nats-io/transport-node';
import type { Heartbeat } from '@sluice/contracts';
import { natsServerProgram } from '@sluice/embedded';
import { findProcesses, identify, sendSignal, withArgument } from '@sluice/system';
import { compiledCode } from '@sluice/testing';
import { z } from 'zod';
import { credentials, startTestSupervisor, type FirstBroker, type TestSupervisor } from './supervisor.ts';

const agentProgram = join(import.meta.dirname, '../src/main.ts');
const pidFileSchema = z.object({ pid: z.int() });

export const running = ({ runtimes }: Heartbeat) => runtimes[0]?.status === 'running';
export const failed = ({ runtimes }: Heartbeat) => runtimes[0]?.status === 'failed';

export interface AgentProcess {
  child: ChildProcess;
  messages: string[];
  lines: string[];
  /** Resolves with what it wrote to stderr and its exit code. */
  ended: Promise<{ code: number | null; errors: string }>;
}

/** A node with a folder of its own: one supervisor, and as many agents after one another as a test wants. */
export interface TestNode {
  home: string;
  /** what is not in that folder: its sealing key, and what its programs read as files */
  keyFile: string;
  runtimeFolder: string;
  supervisor: TestSupervisor;
  /** @param other another program than the node's own */
  startAgent: (environment?: Record<string, string>, other?: string) => AgentProcess;
  brokerPid: () => Promise<number>;
  gatewayPids: () => Promise<number[]>;
  connectorsPids: () => Promise<number[]>;
  remove(): Promise<void>;
}

const nodes: TestNode[] = [];

export async function removeNodes(): Promise<void> {
  await Promise.all(nodes.splice(0).map((node) => node.remove()));
}

interface NodeOptions {
  program?: string;
  /** what the first desired state has that is not as usual */
  broker?: FirstBroker;
  environment?: Record<string, string>;
}

export async function createNode({
  program = agentProgram,
  broker,
  environment: usual,
}: NodeOptions = {}): Promise<TestNode> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'sluice-node-')));
  const supervisor = await startTestSupervisor(broker);
  const natsServer = await natsServerProgram();
  await writeFile(join(home, 'enrolment-token'), supervisor.token, { mode: 0o600 });
  const elsewhere = await realpath(await mkdtemp(join(tmpdir(), 'sluice-node-keys-')));
  const [keyFile, runtimeFolder] = [join(elsewhere, 'sealing-key'), join(elsewhere, 'runtime')];
  await writeFile(keyFile, newSealingKey(), { mode: 0o600 });
  const agents: AgentProcess[] = [];
  const pidOf = async (file: string) =>
    pidFileSchema.parse(JSON.parse(await readFile(join(home, file), 'utf8'))).pid;
  const node: TestNode = {
    ...{ home, keyFile, runtimeFolder },
    supervisor,
    startAgent: (environment = {}, other = program) => {
      const agent = startProcess(other, {
        AGENT_HOME: home,
        AGENT_SEALING_KEY_FILE: keyFile,
        AGENT_RUNTIME_DIR: runtimeFolder,
        AGENT_SUPERVISOR_URL: supervisor.url,
        NATS_SERVER_PATH: natsServer,
        ...usual,
        ...environment,
      });
      agents.push(agent);
      return agent;
    },
    brokerPid: () => pidOf('broker.pid'),
    gatewayPids: () => findProcesses(withArgument(join(home, 'gateway'))),
    connectorsPids: () => findProcesses(withArgument(join(home, 'connectors'))),
    remove: async () => {
      for (const { child, ended } of agents) {
        child.kill('SIGKILL');
        await ended;
      }
      for (const pid of [...(await node.gatewayPids()), ...(await node.connectorsPids())])
        sendSignal(pid, 'SIGKILL');
      const pid = await node.brokerPid().catch(() => null);
      if (pid !== null && (await identify(pid)) !== null) process.kill(pid, 'SIGKILL');
      await supervisor.goAway();
      for (const folder of [home, elsewhere])
        await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      const broken = supervisor.refusals.filter((refusal) => refusal.endsWith(' 422'));
      if (broken.length > 0) throw new Error(`the agent broke the contract: ${broken.join(', ')}`);
    },
  };
  nodes.push(node);
  return node;
}

export const newSealingKey = () => `1:${randomBytes(32).toString('base64')}\n`;

export const endpointOf = (port: number | null) => (port === null ? '' : `127.0.0.1:${port}`);

export async function runningNode(options?: NodeOptions) {
  const node = await createNode(options);
  const agent = node.startAgent();
  const { broker_tcp, broker_websocket } = (await node.supervisor.heard(running)).ports;
  return { ...node, agent, tcp: endpointOf(broker_tcp), websocket: endpointOf(broker_websocket) };
}

function startProcess(program: string, environment: Record<string, string>): AgentProcess {
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, ...compiledCode(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const messages: string[] = [];
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    messages.push(z.object({ message: z.string() }).parse(JSON.parse(line)).message);
    if (process.env.SHOW_AGENT) console.log(line);
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const ended = once(child, 'close').then(([code]: (number | null)[]) => ({ code: code ?? null, errors }));
  return { child, messages, lines, ended };
}

/** A stock client with the deployment's credentials, which does not try again. */
export async function client(server: string, options: ConnectionOptions = {}): Promise<NatsConnection> {
  const { username: user, password: pass } = credentials;
  return await connect({ servers: server, user, pass, reconnect: false, timeout: 5_000, ...options });
}

export async function streams(connection: NatsConnection): Promise<JetStreamManager> {
  return await jetstreamManager(connection);
}

/** Publishes messages `0` … `count - 1` to `orders.new`, each acknowledged as stored. */
export async function publish(connection: NatsConnection, count: number): Promise<void> {
  const publisher = jetstream(connection);
  for (let sent = 0; sent < count; sent += 100) {
    const batch = Array.from({ length: Math.min(100, count - sent) }, (_, index) => String(sent + index));
    await Promise.all(batch.map((text) => publisher.publish('orders.new', text)));
  }
}

export async function readAll(connection: NatsConnection): Promise<string[]> {
  const consumer = await jetstream(connection).consumers.get('orders');
  const { num_pending } = await consumer.info();
  const messages: string[] = [];
  if (num_pending === 0) return messages;
  for await (const message of await consumer.fetch({ max_messages: num_pending }))
    messages.push(message.string());
  return messages;
}
