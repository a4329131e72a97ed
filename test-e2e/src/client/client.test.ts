import { setTimeout as delay } from 'node:timers/promises';
import {
  createActivity,
  createApiKey,
  createClient,
  createConfig,
  createDivision,
  createEnvironment,
  createManagedDeployment,
  createSnapshot,
  createTask,
  deleteApiKey,
  followLogs,
  getDeploymentAtSupervisor,
  getTenantSummary,
  listApiKeys,
  listDivisions,
  listLogLines,
  listSnapshots,
  paginate,
  waitForDeployment,
  waitForSnapshot,
  waitForTask,
  type SluiceClient,
  type StoredLine,
} from '@sluice/client';
import { anyStack, eventually, faultProxy, testFolder, type Stack } from '@sluice/testing';
import { node20, readTour, runTour } from './readme.ts';

/** packages/client against a whole stack. */

let stack: Stack;
let client: SluiceClient;
let path: { tenant_id: number };
beforeAll(async () => {
  stack = await anyStack();
  client = createClient({ url: stack.base_url, auditUrl: stack.audit_url, apiKey: stack.api_key });
  path = { tenant_id: stack.tenant_id };
}, 240_000);
afterAll(() => stack.remove());

test('the examples of its README run on the oldest Node that it is for, and print what it says', async () => {
  const tour = await readTour();
  const node = await node20();
  if (node === undefined) console.warn('There is no Node 20 on this machine: the tour runs on a newer one.');
  const printed = await runTour(node ?? process.execPath, tour, stack, await testFolder());
  const expected = tour.printed.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*');
  expect(printed).toMatch(new RegExp(`^${expected}$`));
}, 240_000);

const portOf = (url: string) => Number(new URL(url).port);

test('a write whose answer is lost is sent again and has its effect once', async () => {
  const proxy = await faultProxy(portOf(stack.base_url));
  const retried: string[] = [];
  const throughProxy = createClient({
    url: `http://127.0.0.1:${proxy.port}`,
    apiKey: stack.api_key,
    onRetry: ({ error }) => retried.push(error.code),
  });
  proxy.loseAnswer();
  const { data, response } = await createDivision({ client: throughProxy, path, body: { name: 'once' } });
  expect(response.headers.get('idempotent-replayed')).toBe('true');
  expect(retried[0]).toBe('connection_failed');
  const named: number[] = [];
  for await (const { id, name } of paginate(listDivisions, { client, path }))
    if (name === 'once') named.push(id);
  expect(named).toEqual([data.id]);
  proxy.close();
});

test('a page that is read while entries are added and removed has each that stays, and none twice', async () => {
  const expiry_at = new Date(Date.now() + 86_400_000).toISOString();
  const add = async (name: string) =>
    (await createApiKey({ client, path, body: { name, permissions: { tenant: ['info:read'] }, expiry_at } }))
      .data.id;
  const first: number[] = [];
  for (let number = 0; number < 8; number++) first.push(await add(`key ${number}`));
  const read: number[] = [];
  for await (const { id } of paginate(listApiKeys, { client, path }, { results: 2 })) {
    read.push(id);
    // newest first: one at the head appears, and two that were read are gone
    if (read.length === 3) await add('added meanwhile');
    if (read.length === 5)
      for (const api_key_id of read.slice(0, 3))
        await deleteApiKey({ client, path: { ...path, api_key_id } });
  }
  expect(new Set(read).size).toBe(read.length);
  expect(read).toEqual(expect.arrayContaining(first));
});

test('errors of each layer', async () => {
  const bad = createDivision({ client, path, body: { name: ' ' } });
  await expect(bad).rejects.toMatchObject({
    code: 'invalid_request',
    field_issues: [{ path: '/body/name' }],
  });
  const stranger = createClient({ url: stack.base_url, auditUrl: stack.audit_url, apiKey: 'svc_wrong' });
  await expect(createDivision({ client: stranger, path, body: { name: 'a' } })).rejects.toMatchObject({
    code: 'unauthenticated',
    status: 401,
    requestId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
  });
  const [region] = stack.supervisors;
  const at = createClient({ url: stack.base_url, supervisors: stack.supervisors, apiKey: 'svc_wrong' }).at(
    region ?? '',
  );
  await expect(getTenantSummary({ client: at, path })).rejects.toMatchObject({ status: 401 });
  await expect(client.locate(999_999)).rejects.toMatchObject({ code: 'not_found', status: 404 });
});

describe('a deployment', () => {
  let deployment_id: number;
  beforeAll(async () => {
    const { data: environment } = await createEnvironment({
      client,
      path: { ...path, division_id: stack.division_id },
      body: { name: 'production' },
    });
    const { data: deployment } = await createManagedDeployment({
      client,
      path: { ...path, division_id: stack.division_id, environment_id: environment.id },
      body: { name: 'orders', cloud: 'cloud_b', region: 'us-central1', tier: 'small', cluster: 'standalone' },
    });
    deployment_id = deployment.id;
    await waitForDeployment({ client, deployment_id, timeoutMs: 180_000 });
  }, 240_000);

  test('is found in its region, by a client that knows the Main API only', async () => {
    const fresh = createClient({ url: stack.base_url, apiKey: stack.api_key, tenant: stack.tenant_id });
    const { data } = await getDeploymentAtSupervisor({ client: fresh, path: { deployment_id } });
    expect(data).toMatchObject({ id: deployment_id, status: 'initialized' });
    expect(await fresh.locate(deployment_id)).toMatchObject({ cloud: 'cloud_b', region: 'us-central1' });
  });

  test('is waited for as long as it may take, and until it is no longer wanted', async () => {
    const stopped = { client, deployment_id, until: 'stopped' } as const;
    await expect(waitForDeployment({ ...stopped, timeoutMs: 600 })).rejects.toMatchObject({
      code: 'wait_timed_out',
    });
    const reason = new Error('not wanted');
    const controller = new AbortController();
    const waiting = waitForDeployment({ ...stopped, signal: controller.signal });
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });

  test('has tasks and snapshots that are waited for', async () => {
    const own = { deployment_id };
    await createConfig({
      client,
      path: { ...own, config_kind: 'broker' },
      body: { values: {}, activate: true },
    });
    const { data: task } = await createTask({ client, path: own, body: { type: 'broker:reconfigure' } });
    const seen: string[] = [];
    const done = await waitForTask({
      client,
      ...own,
      task_id: task.id,
      onProgress: ({ status }) => seen.push(status),
    });
    expect([done.status, seen.at(-1)]).toEqual(['completed', 'completed']);
    await createSnapshot({ client, path: own });
    const { data } = await listSnapshots({ client, path: own });
    const { status } = await waitForSnapshot({ client, ...own, snapshot_id: data.items[0]?.id ?? 0 });
    expect(status).toBe('completed');
  }, 240_000);

  test('has logs that are followed through a cut, each line once', async () => {
    const { url } = stack.supervisors.find(({ cloud }) => cloud === 'cloud_b') ?? { url: '' };
    const proxy = await faultProxy(portOf(url));
    const stop = new AbortController();
    const begun = new Date();
    const lines: StoredLine[] = [];
    let reconnects = 0;
    const following = (async () => {
      const throughProxy = client.at(`http://127.0.0.1:${proxy.port}`);
      const call = { client: throughProxy, path: { deployment_id }, query: { runtime: 'broker' } } as const;
      for await (const line of followLogs({
        ...call,
        since: begun,
        signal: stop.signal,
        onReconnect: () => reconnects++,
      }))
        lines.push(line);
    })();
    const restarts = () => lines.filter(({ message }) => message.includes('Server is ready')).length;
    const restart = async () => {
      await createActivity({ client, path: { deployment_id, runtime: 'broker', action: 'restart' } });
    };
    await restart();
    await eventually(() => expect(restarts()).toBe(1), { timeoutMs: 60_000 });
    proxy.disconnect();
    await restart();
    await eventually(async () => expect(await stored('Server is ready')).toHaveLength(2), {
      timeoutMs: 60_000,
    });
    proxy.restore();
    await restart();
    await eventually(() => expect(restarts()).toBe(3), { timeoutMs: 60_000 });
    // what is written at the end of a start
    await delay(1_000);
    stop.abort();
    await expect(following).rejects.toBe(stop.signal.reason);
    expect(reconnects).toBeGreaterThan(0);
    expect(lines.map(textOf).sort()).toEqual((await stored()).map(textOf).sort());
    proxy.close();

    async function stored(message?: string): Promise<StoredLine[]> {
      const query = {
        runtime: 'broker',
        from: begun.toISOString(),
        results: 100,
        ...(message && { message }),
      } as const;
      const all: StoredLine[] = [];
      for (let page = 1; ; page++) {
        const { data } = await listLogLines({ client, path: { deployment_id }, query: { ...query, page } });
        all.push(...data.items);
        if (page >= data.total_pages) return all;
      }
    }
  }, 240_000);
});

const textOf = ({ at, node_id, message }: StoredLine) => `${at} ${node_id} ${message}`;
