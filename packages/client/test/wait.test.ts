import type { ServerResponse } from 'node:http';
import {
  createClient,
  waitForBackup,
  waitForDeployment,
  waitForTask,
  type DeploymentDetail,
} from '@sluice/client';
import { answerJson, answerProblem, faultyServer, type Received } from './fixtures/faulty-server.ts';

type Look = (answer: ServerResponse, number: number, request: Received) => void;

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** A client of an installation with deployment 5, whose looks are answered like this. */
async function against(look: Look) {
  const looks: Received[] = [];
  const server = await faultyServer((answer, request) => {
    if (!request.url.endsWith('/structure')) return look(answer, looks.push(request) - 1, request);
    const deployment = {
      id: 5,
      name: 'orders',
      cloud: 'cloud_a',
      region: 'us-east-1',
      supervisor_url: server.url,
    };
    answerJson(answer, 200, {
      id: 1,
      divisions: [{ id: 2, environments: [{ id: 3, deployments: [deployment] }] }],
    });
  });
  open.push(server);
  return {
    looks,
    client: createClient({ url: server.url, apiKey: 'key', tenant: 1, attempts: 1 }),
    deployment_id: 5,
  };
}

/** Answers with these statuses, one after the other, and then with the last. */
const statuses =
  (...all: string[]): Look =>
  (answer, number) =>
    answerJson(answer, 200, { name: 'orders', status: all[number] ?? all.at(-1), status_reason: 'no node' });

test('each change is reported once, and the last state returned', async () => {
  const { client, deployment_id } = await against(
    statuses('creating', 'creating', 'waiting_for_nodes', 'initialized'),
  );
  const seen: string[] = [];
  const onProgress = ({ status }: DeploymentDetail) => void seen.push(status);
  expect(await waitForDeployment({ client, deployment_id, onProgress })).toMatchObject({
    status: 'initialized',
  });
  expect(seen).toEqual(['creating', 'waiting_for_nodes', 'initialized']);
});

test('a server that waits itself is asked again at once, about what the client has seen', async () => {
  const { client, deployment_id, looks } = await against((answer, number) => {
    const deployment = { status: number < 100 ? 'creating' : 'initialized', status_reason: `step ${number}` };
    answerJson(answer, 200, deployment, { etag: `"${number}"`, 'preference-applied': 'wait=30' });
  });
  const begun = performance.now();
  await waitForDeployment({ client, deployment_id });
  // 100 pauses would be 12 s at least
  expect(performance.now() - begun).toBeLessThan(10_000);
  expect(looks[0]?.headers).not.toHaveProperty('prefer');
  expect(looks[1]?.headers).toMatchObject({ prefer: 'wait=30', 'if-none-match': '"0"' });
});

test('304 means that nothing has changed', async () => {
  const { client, deployment_id } = await against((answer, number) => {
    if (number === 1) answer.writeHead(304, { 'preference-applied': 'wait=30' }).end();
    else answerJson(answer, 200, { status: number === 0 ? 'creating' : 'initialized' }, { etag: '"a"' });
  });
  const seen: string[] = [];
  await waitForDeployment({ client, deployment_id, onProgress: ({ status }) => seen.push(status) });
  expect(seen).toEqual(['creating', 'initialized']);
});

test('what has failed is not waited for, unless failures are tolerated', async () => {
  const failing = await against(statuses('creating', 'failed', 'initialized'));
  await expect(waitForDeployment(failing)).rejects.toMatchObject({
    code: 'wait_failed',
    detail: 'The deployment orders has failed: no node.',
  });
  const tolerant = await against(statuses('creating', 'failed', 'initialized'));
  expect(await waitForDeployment({ ...tolerant, toleratesFailure: true })).toMatchObject({
    status: 'initialized',
  });
  const deleted = await against(statuses('deleting'));
  await expect(waitForDeployment(deleted)).rejects.toMatchObject({ code: 'wait_failed' });
});

test('a deployment that is gone', async () => {
  const leaving: Look = (answer, number) =>
    number === 0 ? answerJson(answer, 200, { status: 'deleting' }) : answerProblem(answer, 404, 'not_found');
  expect(await waitForDeployment({ ...(await against(leaving)), until: 'gone' })).toBeUndefined();
  expect(
    await waitForDeployment({ ...(await against(leaving)), deployment_id: 6, until: 'gone' }),
  ).toBeUndefined();
  await expect(waitForDeployment({ ...(await against(leaving)), deployment_id: 6 })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('a deployment is not gone because something in between does not find the service', async () => {
  const { client, deployment_id } = await against((answer) => answer.writeHead(404).end('default backend'));
  await expect(waitForDeployment({ client, deployment_id, until: 'gone' })).rejects.toMatchObject({
    code: 'unexpected_answer',
  });
});

test('a failure that is retryable is waited out, another one is not', async () => {
  const { client, deployment_id } = await against((answer, number) =>
    number === 1
      ? answerProblem(answer, 503, 'unavailable')
      : statuses('creating', '', 'initialized')(answer, number, {} as Received),
  );
  await waitForDeployment({ client, deployment_id });
  const forbidden = await against((answer) => answerProblem(answer, 403, 'forbidden'));
  await expect(waitForDeployment(forbidden)).rejects.toMatchObject({ code: 'forbidden' });
});

test('time ends it, also while a look is not answered', async () => {
  const silent = await against(() => undefined);
  await expect(waitForDeployment({ ...silent, timeoutMs: 299.5 })).rejects.toMatchObject({
    code: 'wait_timed_out',
    retryable: true,
  });
});

test('as long as it may take is longer than timers can be', async () => {
  const { client, deployment_id } = await against(statuses('creating', 'initialized'));
  await waitForDeployment({ client, deployment_id, timeoutMs: Infinity });
});

test('tasks and backups that fail say why', async () => {
  const failed: Look = (answer) => answerJson(answer, 200, { status: 'failed', error: 'the disk is full' });
  const own = await against(failed);
  await expect(waitForTask({ ...own, task_id: 7 })).rejects.toThrow(
    'The task 7 is failed: the disk is full.',
  );
  await expect(waitForBackup({ ...own, backup_id: 8 })).rejects.toThrow(
    'The backup 8 is failed: the disk is full.',
  );
  expect(own.looks.map(({ url }) => url)).toEqual(['/deployments/5/tasks/7', '/deployments/5/backups/8']);
});
