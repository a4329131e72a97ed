import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { aDeployment, eventually, newerAgent } from '@sluice/testing';
import { connectTo, untilGone, untilStatus, type Deployment } from '#test/client.ts';
import { supervisor } from '#test/region.ts';
import { readAgentRecord } from '@sluice/driver-local/testing/fixtures/internals.ts';

const region = supervisor({ per: 'test' });

const folderOf = (node: number) => join(region.nodesFolder, String(node));
const nodeOf = (deployment: Deployment) => deployment.nodes[0]?.id ?? 0;

async function buildsOf(deployments: readonly Deployment[]) {
  const records = await Promise.all(
    deployments.map((deployment) => readAgentRecord(folderOf(nodeOf(deployment)))),
  );
  return records.map((record) => record?.build);
}

/** Deployments by the supervisor at `url`, and a connection to each. */
async function runningDeployments(url: string, key: string, count: number) {
  const shapes = Array.from({ length: count }, () => aDeployment());
  for (const shape of shapes) await region.apply(shape);
  const deployments = await Promise.all(
    shapes.map(({ id }) => untilStatus(url, key, id, 'initialized', 25_000)),
  );
  const connections = await Promise.all(deployments.map((deployment) => connectTo(url, key, deployment)));
  return { deployments, connections };
}

test('agents of the release before are replaced by those of the next and back, and no client notices', async () => {
  const key = await region.key();
  const former = await region.start();
  const { deployments, connections } = await runningDeployments(former.url, key, 2);
  for (const connection of connections) {
    await (await jetstreamManager(connection)).streams.add({ name: 'KEPT', subjects: ['kept'] });
  }
  const builds = await buildsOf(deployments);
  // beside each other they leave each other's agents alone
  const next = await region.start({ LOCAL_AGENT_ENTRY: await newerAgent('agent') });
  expect(await buildsOf(deployments)).toEqual(builds);
  await former.stop();
  for (const connection of connections) await jetstream(connection).publish('kept', 'one');
  await eventually(async () => {
    for (const build of await buildsOf(deployments)) expect([undefined, ...builds]).not.toContain(build);
  });
  for (const connection of connections) await jetstream(connection).publish('kept', 'two');
  const [build = ''] = await buildsOf(deployments);
  await eventually(async () => {
    const shown = await untilStatus(next.url, key, deployments[0]!.id, 'initialized');
    expect(shown.nodes).toMatchObject([{ status: 'healthy', agent_version: `1.0.0+${build}` }]);
  });
  const back = await region.start();
  await next.stop();
  await eventually(async () => expect(await buildsOf(deployments)).toEqual(builds));
  for (const connection of connections) {
    await jetstream(connection).publish('kept', 'three');
    const { state } = await (await jetstreamManager(connection)).streams.info('KEPT');
    expect(state.messages).toBe(3);
    expect(connection.stats().inMsgs).toBeGreaterThan(0);
    expect(connection.isClosed()).toBe(false);
  }
  for (const deployment of deployments) {
    await eventually(async () =>
      expect(await region.processesOf(nodeOf(deployment))).toEqual({ agents: 1, gateways: 1, brokers: 1 }),
    );
    await region.remove(deployment.id);
  }
  for (const deployment of deployments) {
    await untilGone(back.url, key, deployment.id);
    expect(await region.processesOf(nodeOf(deployment))).toEqual({ agents: 0, gateways: 0, brokers: 0 });
  }
}, 60_000);

test('a newer agent that does not start leaves the one that works, and its deployment healthy', async () => {
  const key = await region.key();
  const former = await region.start();
  const { deployments, connections } = await runningDeployments(former.url, key, 1);
  const builds = await buildsOf(deployments);
  const broken = await newerAgent('agent');
  await writeFile(broken, "import { appendFileSync } from 'node:fs'; appendFileSync('starts', 'x');");
  await region.start({ LOCAL_AGENT_ENTRY: broken });
  await former.stop();
  for (const deployment of deployments)
    await eventually(() => readFile(join(folderOf(nodeOf(deployment)), 'starts')));
  expect(await buildsOf(deployments)).toEqual(builds);
  for (const connection of connections) await connection.flush();
}, 60_000);
