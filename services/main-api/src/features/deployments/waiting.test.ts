import { client, eventually, type Answer } from '@sluice/testing';
import { idOf } from '#test/deployments.ts';
import { mainApi, refusal } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi({ replicas: 1 });
const region = on.region();
const a = on.tenants();

interface Waiting {
  acme: TestTenant;
  id: number;
  path: string;
  get: (headers: Record<string, string>, key?: string) => Promise<Answer & { milliseconds: number }>;
}

async function starter(): Promise<Waiting> {
  const acme = await a.tenant({ overrides: { api_keys_limit: 20 } });
  const made = await acme.starter();
  const path = String(made.headers.get('location'));
  return {
    acme,
    id: idOf(made),
    path,
    async get(headers, key = acme.key) {
      const begun = performance.now();
      const answer = await client(on.replica().url, key).request('GET', path, undefined, headers);
      return { ...answer, milliseconds: performance.now() - begun };
    },
  };
}

const whileWaiting = () => new Promise((resolve) => setTimeout(resolve, 300));

describe('Prefer: wait', () => {
  test('answers when the deployment has changed since the request', async () => {
    const { id, get } = await starter();
    const waiting = get({ prefer: 'respond-async, wait=20' });
    await whileWaiting();
    await region.status(id, 1, 'waiting_for_nodes');
    const { status, body, headers, milliseconds } = await waiting;
    expect([status, body['status']]).toEqual([200, 'waiting_for_nodes']);
    expect(headers.get('preference-applied')).toBe('wait=20');
    expect(milliseconds).toBeGreaterThan(250);
    expect(milliseconds).toBeLessThan(19_000);
  });

  test('answers at once what differs from If-None-Match, else when it does', async () => {
    const { acme, id, path, get } = await starter();
    const etag = String((await get({})).headers.get('etag'));
    await acme.admin.put(path, { description: 'another' });
    const late = await get({ 'if-none-match': etag, prefer: 'wait=20' });
    expect([late.status, late.body['description']]).toEqual([200, 'another']);
    const waiting = get({ 'if-none-match': String(late.headers.get('etag')), prefer: 'wait=20' });
    await whileWaiting();
    await region.status(id, 1, 'initialized');
    expect((await waiting).body).toMatchObject({ status: 'initialized' });
  });

  test('answers after the time what is there, or 304 to a client that has it', async () => {
    const { get } = await starter();
    const same = await get({ prefer: 'wait=1' });
    expect([same.status, same.headers.get('preference-applied')]).toEqual([200, 'wait=1']);
    expect(same.milliseconds).toBeGreaterThan(950);
    const had = await get({ 'if-none-match': String(same.headers.get('etag')), prefer: 'wait=1' });
    expect([had.status, had.headers.get('etag')]).toEqual([304, same.headers.get('etag')]);
    expect(had.milliseconds).toBeGreaterThan(950);
    expect((await get({ prefer: 'wait=0' })).headers.get('preference-applied')).toBeNull();
    expect((await get({ prefer: 'wait=soon' })).headers.get('preference-applied')).toBeNull();
  });

  test('does not count as slow in the metrics', async () => {
    const { get } = await starter();
    const counted = async (name: string) => {
      const text = await (await fetch(`${on.replica().url}/metrics`)).text();
      const lines = text
        .split('\n')
        .filter((line) => line.startsWith(name) && line.includes('"getDeployment"'));
      return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    };
    const all = () =>
      Promise.all([counted('sluice_http_requests_total'), counted('sluice_http_request_seconds_count')]);
    const [answered, timed] = await all();
    await get({ prefer: 'wait=1' });
    await eventually(async () => expect(await all()).toEqual([answered + 1, timed]));
    await get({});
    await eventually(async () => expect(await all()).toEqual([answered + 2, timed + 1]));
  });

  test('answers 404 when the deployment is gone meanwhile', async () => {
    const { acme, id, path, get } = await starter();
    await acme.admin.delete(path);
    const waiting = get({ prefer: 'wait=20' });
    await whileWaiting();
    await region.removed(id);
    expect(refusal(await waiting)).toBe('404 not_found');
  });

  test('asks for the right again before it answers', async () => {
    const { acme, id, get } = await starter();
    const expiry_at = new Date(Date.now() + 3_600_000).toISOString();
    const made = await acme.admin.post(`${acme.path}/api_keys`, {
      ...{ name: 'watcher', role_id: acme.roles.viewer, expiry_at },
    });
    const waiting = get({ prefer: 'wait=20' }, String(made.body['token']));
    await whileWaiting();
    await acme.admin.delete(`${acme.path}/api_keys/${Number(made.body['id'])}`);
    await region.status(id, 1, 'initialized');
    expect(refusal(await waiting)).toBe('401 unauthenticated');
  });

  test('holds fifty requests of a key, and answers the next at once', async () => {
    const { id, get } = await starter();
    const held = Array.from({ length: 50 }, () => get({ prefer: 'wait=20' }));
    await whileWaiting();
    const [next] = await Promise.all([get({ prefer: 'wait=20' })]);
    expect([next?.status, next?.headers.get('preference-applied')]).toEqual([200, null]);
    await region.status(id, 1, 'initialized');
    const answers = await Promise.all(held);
    expect(new Set(answers.map(({ body }) => body['status']))).toEqual(new Set(['initialized']));
    // all have given their place back
    expect((await get({ prefer: 'wait=1' })).headers.get('preference-applied')).toBe('wait=1');
  }, 30_000);
});
