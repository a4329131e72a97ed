import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import {
  addReplicatedStream,
  connectBrokers,
  countLost,
  eventually,
  publishSteadily,
  readStream,
  repository,
  startStack,
  type Login,
  type Stack,
} from '@sluice/testing';
import { endRun, numberSetting, reasonOf, say } from '../long-run.ts';
import { createManaged, deploymentsPath, tcpOnly } from '../story.ts';
import { serveNumbers } from './numbers.ts';
import { reportOf, type Disturbance } from './report.ts';

/**
 * A cluster of three under load: one publisher, acknowledged message by message, and a source that reads numbers from a server, while a
 * broker is killed every half a minute, and an upgrade restarts all of them in the middle. Nothing acknowledged may be lost, and no number
 * be missing or there twice. Says how long the publisher had to wait at most, and when. Exit code 1 when something was wrong.
 *
 * `CLUSTER_MINUTES` (10), `CLUSTER_KILL_SECONDS` (30).
 */
const minutes = numberSetting('CLUSTER_MINUTES', 10);
const killMilliseconds = numberSetting('CLUSTER_KILL_SECONDS', 30) * 1_000;
/** within which the cluster has to be whole again, or ready */
const readyMilliseconds = 180_000;

interface Live {
  status: string;
  status_reason: string | null;
  tier: string;
  nodes: { id: number; leader: boolean | null; status: string; endpoints: { broker_tcp: string | null } }[];
}

/** The catalogue of the repository, in which everybody may have clusters. */
async function catalogueWithClusters(folder: string): Promise<string> {
  const text = await readFile(join(repository, 'infra/catalogue.yaml'), 'utf8');
  const file = join(folder, 'catalogue.yaml');
  const switched = text
    .replace(/(- key: cluster\n(?: {4}.*\n)*? {4}available: )false/, '$1true')
    .replaceAll('cluster_enabled: false', 'cluster_enabled: true')
    .replaceAll(/nodes_per_deployment_limit: \d+/g, 'nodes_per_deployment_limit: 5');
  await writeFile(file, switched);
  return file;
}

/** @throws Error when the answer is not `status` */
async function expectStatus(answer: Promise<{ status: number; body: unknown }>, status: number) {
  const { status: is, body } = await answer;
  if (is !== status) throw new Error(`${is} instead of ${status}: ${JSON.stringify(body)}`);
}

async function createCluster(stack: Stack): Promise<{ path: string; id: number }> {
  const environments = `/tenants/${stack.tenant_id}/divisions/${stack.division_id}/environments`;
  const { body } = await stack.main.post<{ id: number }>(environments, { name: 'clusters' });
  const { deploymentId: id } = await createManaged(stack, body.id, 'orders', { cluster: 'cluster' });
  return { id, path: `${deploymentsPath(stack, body.id)}/${id}` };
}

const folder = await mkdtemp(join(tmpdir(), 'sluice-cluster-'));
process.env['CATALOGUE_FILE'] = await catalogueWithClusters(folder);
const stack = await startStack();
say(`the stack is in ${stack.home}; ${minutes} minutes`);
const region = stack.supervisor('cloud_a');
const { id, path } = await createCluster(stack);

/** The deployment as its region shows it, which has to hear of it first; on a machine at load it is asked again. */
async function live(): Promise<Live> {
  const deadline = Date.now() + readyMilliseconds;
  for (;;) {
    const answer = await region.get<Live>(`/deployments/${id}`);
    if (answer.status === 200) return answer.body;
    const isLater = answer.status === 404 || answer.status >= 429;
    if (!isLater || Date.now() > deadline) throw new Error(`the deployment is not shown: ${answer.status}`);
    await delay(1_000);
  }
}

async function until(what: string, holds: (deployment: Live) => boolean): Promise<Live> {
  const deadline = Date.now() + readyMilliseconds;
  for (;;) {
    const deployment = await live();
    if (holds(deployment)) return deployment;
    if (Date.now() > deadline) throw new Error(`${what}: ${JSON.stringify(deployment)}`);
    await delay(250);
  }
}

const isWhole = ({ status, nodes }: Live) =>
  status === 'initialized' &&
  nodes.every((node) => node.status === 'healthy') &&
  nodes.some(({ leader }) => leader === true);

const ready = await until('not ready', isWhole);
await expectStatus(
  region.post(`/deployments/${id}/access_rules`, {
    ...{ name: 'all', cidr_blocks: ['127.0.0.0/8'] },
    rules: tcpOnly,
  }),
  201,
);

/** Has a source take a new number each tenth of a second into the stream NUMBERS. */
async function addSource(url: string): Promise<void> {
  const activation = { connector_type: 'source', connector_key: 'http', instance_key: 'numbers' };
  // offered as soon as the region has reported its features
  await eventually(() => expectStatus(stack.main.post(`${path}/connectors/activate`, activation), 202));
  const plugin_config = { url, id: 'id', cursor: 'id', cursor_parameter: 'after', interval: '500ms' };
  const values = { enabled: true, streams: [{ stream: 'NUMBERS', topics: ['numbers'] }], plugin_config };
  const configs = `/deployments/${id}/configs/connector:source:numbers`;
  await eventually(() => expectStatus(region.post(configs, { activate: true, values }), 201));
}

const login = (await region.get<Login>(`/deployments/${id}/credentials`)).body;
const endpoints = ready.nodes.map((node) => node.endpoints.broker_tcp);
const connection = await connectBrokers(endpoints, login, { waitOnFirstConnect: true });
await addReplicatedStream(connection, 'ORDERS', 'orders');
const publisher = publishSteadily(connection, 'orders');
const numbers = await serveNumbers(100);
await addSource(numbers.url);
say('the cluster is ready, the publisher and the source at work');

async function brokerOf(node: number): Promise<number> {
  const text = await readFile(join(stack.home, 'nodes/cloud_a', String(node), 'broker.pid'), 'utf8');
  return (JSON.parse(text) as { pid: number }).pid;
}

/** The name in the cluster of the node that leads the stream. */
async function leaderOf(client: NatsConnection): Promise<string | undefined> {
  const streams = await jetstreamManager(client, { timeout: 10_000 });
  return (await streams.streams.info('ORDERS')).cluster?.leader;
}

const disturbances: Disturbance[] = [];
const wrong: string[] = [];

/** Disturbs the cluster, and waits until it is whole again and the publisher goes on. */
async function disturb(name: string, act: () => Promise<void>, over: (deployment: Live) => boolean) {
  publisher.forgetGap();
  const [from, before] = [Date.now(), publisher.acknowledged];
  await act();
  await delay(1_000);
  await until(name, (deployment) => over(deployment) && publisher.acknowledged > before + 10);
  const gap = publisher.longestGap;
  disturbances.push({ name, gap, milliseconds: Date.now() - from });
  say(
    `${name}: over after ${((Date.now() - from) / 1_000).toFixed(1)} s, longest gap ${(gap / 1_000).toFixed(2)} s`,
  );
}

/** Waits until the source has taken all numbers. @returns how many there are, are missing, and are there more than once */
async function untilRead(made: number): Promise<{ made: number; missing: number; repeated: number }> {
  const streams = await jetstreamManager(connection, { timeout: 10_000 });
  const state = async () => (await streams.streams.info('NUMBERS')).state.messages;
  await eventually(async () => assert((await state()) >= made), { timeoutMs: readyMilliseconds }).catch(
    () => undefined,
  );
  const texts = await readStream(connection, 'NUMBERS');
  const ids = new Set(texts.map((text) => (JSON.parse(text) as { id: number }).id));
  const missing = Array.from({ length: made }, (_, index) => index + 1).filter((one) => !ids.has(one)).length;
  const repeated = texts.length - ids.size;
  if (missing > 0) wrong.push(`the source has left out ${missing} of ${made} numbers`);
  if (repeated > 0) wrong.push(`${repeated} numbers are there more than once`);
  return { made, missing, repeated };
}

try {
  const end = Date.now() + minutes * 60_000;
  let upgraded = false;
  for (let turn = 0; Date.now() < end; turn++) {
    const startedAt = Date.now();
    if (!upgraded && startedAt > end - minutes * 30_000) {
      upgraded = true;
      await disturb(
        'upgrade',
        () => expectStatus(stack.main.post(`${path}/upgrade`, { tier: 'medium' }), 202),
        (deployment) => deployment.tier === 'medium' && isWhole(deployment),
      );
    }
    const { nodes } = await live();
    const leader = await leaderOf(connection);
    const leads = ({ id: node }: { id: number }) => leader === `node-${node}`;
    // every second time the one that leads the stream, and the others in turn
    const followers = nodes.filter((node) => !leads(node));
    const victim = turn % 2 === 0 ? nodes.find(leads) : followers[(turn >> 1) % followers.length];
    if (!victim) {
      await delay(1_000);
      continue;
    }
    const name = leads(victim) ? 'kill of the leader of the stream' : 'kill of another node';
    const kill = async () => void process.kill(await brokerOf(victim.id), 'SIGKILL');
    await disturb(name, kill, isWhole);
    await delay(Math.max(0, Math.min(end, startedAt + killMilliseconds) - Date.now()));
  }
} catch (error) {
  wrong.push(reasonOf(error));
}
await publisher.stop();
const lost = await countLost(connection, 'ORDERS', publisher.acknowledged);
if (lost > 0) wrong.push(`${lost} acknowledged messages are lost`);
const read = await untilRead(numbers.stop());
numbers.close();
await connection.close();
console.log(reportOf({ acknowledged: publisher.acknowledged, lost, disturbances, ...read }));
await rm(folder, { recursive: true, force: true });
await endRun(stack, wrong);
