import { execFile } from 'node:child_process';
import { readFile, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { jetstreamManager } from '@nats-io/jetstream';
import { aDeployment, client, eventually } from '@sluice/testing';
import { connectTo, untilGone, untilStatus } from '#test/client.ts';
import { supervisor } from '#test/region.ts';

const region = supervisor({ per: 'test' });

async function runningDeployment() {
  const key = await region.key();
  const { url } = await region.start({ NODE_UNREACHABLE_SECONDS: '2' });
  const shape = aDeployment();
  await region.apply(shape);
  const deployment = await untilStatus(url, key, shape.id, 'initialized', 25_000);
  const node = shape.nodes[0]!.id;
  const [folder, keyFile] = [join(region.nodesFolder, String(node)), join(region.keysFolder, String(node))];
  return { url, key, deployment, node, folder, keyFile };
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

test("a node's folder has no password, and its key and what brokers read go with it", async () => {
  const { url, key, deployment, node, folder, keyFile } = await runningDeployment();
  const { body } = await client(url, key).get<{ password: string }>(
    `/deployments/${deployment.id}/credentials`,
  );
  const search = promisify(execFile)('grep', ['-rlE', `${body.password}|PRIVATE KEY`, folder]);
  await expect(search).rejects.toMatchObject({ code: 1, stdout: '' });
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
  // a link
  const runtime = dirname(await realpath(join(folder, 'broker.conf')));

  await region.remove(deployment.id);
  await untilGone(url, key, deployment.id);
  expect([await isThere(keyFile), await isThere(runtime)]).toEqual([false, false]);
  expect(await region.processesOf(node)).toEqual({ agents: 0, gateways: 0, brokers: 0 });
}, 60_000);

test('a node whose key is lost enrols anew, with its data', async () => {
  const { url, key, deployment, node, folder, keyFile } = await runningDeployment();
  const connection = await connectTo(url, key, deployment);
  await (await jetstreamManager(connection)).streams.add({ name: 'KEPT', subjects: ['kept'] });
  await connection.close();
  const identity = () => readFile(join(folder, 'identity.json'), 'utf8').catch(() => '');
  const former = await identity();
  await rm(keyFile);
  process.kill(await region.agentOf(node), 'SIGKILL');
  await eventually(async () => expect(await isThere(keyFile)).toBe(true), { timeoutMs: 20_000 });
  await eventually(async () => expect(await identity()).toMatch(/"enrolled_as":\{/), { timeoutMs: 20_000 });
  expect(await identity()).not.toBe(former);
  await eventually(
    async () =>
      expect((await untilStatus(url, key, deployment.id, 'initialized')).nodes).toMatchObject([
        { status: 'healthy' },
      ]),
    { timeoutMs: 20_000 },
  );
  const again = await connectTo(url, key, deployment);
  expect((await (await jetstreamManager(again)).streams.info('KEPT')).config.name).toBe('KEPT');
  await again.close();
}, 90_000);
