import type { Answer } from '@sluice/testing';
import { mainApi, refusal } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi();
const region = on.region();
const a = on.tenants();

const kinds = ['division', 'environment', 'deployment'] as const;

async function made(acme: TestTenant, kind: (typeof kinds)[number]): Promise<string> {
  const starter = await acme.starter();
  const division = await acme.admin.post(`${acme.path}/divisions`, { name: 'other' });
  const environment = await acme.admin.post(`${acme.divisionPath}/environments`, { name: 'other' });
  const all = { division, environment, deployment: starter };
  return String(all[kind].headers.get('location'));
}

const etagOf = ({ headers }: Answer) => String(headers.get('etag'));

describe.each(kinds)('a %s', (kind) => {
  test('has an ETag, by which a client that has it is answered 304', async () => {
    const acme = await a.tenant();
    const path = await made(acme, kind);
    const read = await acme.admin.get(path);
    expect(etagOf(read)).toMatch(/^"[\w-]{22}"$/);
    expect(etagOf(await acme.admin.get(path))).toBe(etagOf(read));
    const known = (tags: string) => acme.admin.request('GET', path, undefined, { 'if-none-match': tags });
    for (const tags of [etagOf(read), `"other", W/${etagOf(read)}`, '*']) {
      const same = await known(tags);
      expect([tags, same.status, etagOf(same)]).toEqual([tags, 304, etagOf(read)]);
    }
    expect((await known('"other"')).status).toBe(200);
    await acme.admin.put(path, { description: 'changed' });
    const changed = await known(etagOf(read));
    expect([changed.status, changed.body['description']]).toEqual([200, 'changed']);
  });

  test('is changed and deleted only as the client knows it, where it says so', async () => {
    const acme = await a.tenant();
    const path = await made(acme, kind);
    const send = (method: string, tag: string, body?: object) =>
      acme.admin.request(method, path, body, { 'if-match': tag });
    const first = etagOf(await acme.admin.get(path));
    const changed = await send('PUT', first, { description: 'one' });
    expect(changed.status).toBe(204);
    await region.event(`${kind}_updated`, changed.headers);
    for (const [method, body] of [['PUT', { description: 'two' }], ['DELETE']] as [string, object?][]) {
      expect(refusal(await send(method, first, body))).toBe('412 changed_meanwhile');
      expect(refusal(await send(method, `W/${first}`, body))).toBe('412 changed_meanwhile');
    }
    expect((await acme.admin.get(path)).body['description']).toBe('one');
    const second = etagOf(await acme.admin.get(path));
    expect((await send('PUT', `"other", ${second}`, { description: 'three' })).status).toBe(204);
    expect((await send('PUT', '*', { description: 'four' })).status).toBe(204);
    expect((await send('DELETE', etagOf(await acme.admin.get(path)))).status).toBeLessThan(300);
  });

  test('is changed by one of two who have read the same', async () => {
    const acme = await a.tenant();
    const path = await made(acme, kind);
    const tag = etagOf(await acme.admin.get(path));
    const answers = await acme.race((to, position) =>
      to.request('PUT', path, { description: `by ${position}` }, { 'if-match': tag }),
    );
    expect(answers).toEqual(['204', '412 changed_meanwhile']);
  });
});

const grants = { permissions: { tenant: ['info:read'] } };
const channel = { channel: 'email', destination: 'ops@acme.example' };

test.each<[string, (acme: TestTenant) => Promise<Answer | undefined>]>([
  ['tenant', async () => undefined],
  ['role', (acme) => acme.admin.post(`${acme.path}/roles`, { name: 'operator', ...grants })],
  ['channel', (acme) => acme.admin.post(`${acme.path}/channels`, { name: 'ops', ...channel })],
])('a %s is changed only as the client knows it, and by one of two', async (_, make) => {
  const acme = await a.tenant();
  const made = await make(acme);
  const path = made ? String(made.headers.get('location')) : acme.path;
  const change = (to: typeof acme.admin, name: string, tag: string) =>
    to.request('PUT', path, { name }, { 'if-match': tag });
  const first = etagOf(await acme.admin.get(path));
  const answers = await acme.race((to, position) => change(to, `by ${position}`, first));
  expect(answers).toEqual(['204', '412 changed_meanwhile']);
  expect((await change(acme.admin, 'third', etagOf(await acme.admin.get(path)))).status).toBe(204);
  expect(refusal(await change(acme.admin, 'fourth', first))).toBe('412 changed_meanwhile');
  expect((await acme.admin.get(path)).body['name']).toBe('third');
});

const account = { cloud: 'cloud_a', name: 'Production', account_id: '123456789012' };
const joining = { block_external_invitations: false, enforce_domain_only_invitations: false };

test.each<[string, (acme: TestTenant) => Promise<string>, [object, object, object]]>([
  [
    'cloud account',
    async (acme) =>
      String((await acme.admin.post(`${acme.path}/cloud_accounts`, account)).headers.get('location')),
    [{ remarks: 'one' }, { remarks: 'two' }, { settings: null, status: 'locked' }],
  ],
  [
    'budget',
    async (acme) => {
      const made = await acme.admin.post(`${acme.path}/billing/budgets`, { name: 'all', amount: '10' });
      return String(made.headers.get('location'));
    },
    [{ name: 'one' }, { amount: '20' }, { amount: '30' }],
  ],
  [
    'billing address',
    async (acme) => `${acme.path}/billing/info`,
    [{ city: 'Bonn' }, { city: 'Ulm' }, { city: 'Jena', country: 'DE' }],
  ],
  [
    'join policy',
    async (acme) => `${acme.path}/config`,
    [
      { ...joining, join_policy: 'open' },
      { ...joining, join_policy: 'request_to_join' },
      { ...joining, join_policy: 'invite_only' },
    ],
  ],
])('a %s is changed only as the client knows it, and by one of two', async (_, make, changes) => {
  const acme = await a.tenant();
  const path = await make(acme);
  const [one, two, three] = changes;
  const change = (to: typeof acme.admin, body: object, tag: string) =>
    to.request('PUT', path, body, { 'if-match': tag });
  const first = etagOf(await acme.admin.get(path));
  const answers = await acme.race((to, position) => change(to, position === 0 ? one : two, first));
  expect(answers).toEqual(['204', '412 changed_meanwhile']);
  const now = await acme.admin.get(path);
  expect(refusal(await change(acme.admin, three, first))).toBe('412 changed_meanwhile');
  expect((await acme.admin.get(path)).body).toEqual(now.body);
  expect((await change(acme.admin, three, etagOf(now))).status).toBe(204);
  expect((await acme.admin.get(path)).body).toMatchObject(
    'amount' in three ? { amount_usd: '30.00' } : three,
  );
});

test('the structure has an ETag, lists have none', async () => {
  const acme = await a.tenant();
  const structure = await acme.admin.get(`${acme.path}/structure`);
  const headers = { 'if-none-match': etagOf(structure) };
  expect((await acme.admin.request('GET', `${acme.path}/structure`, undefined, headers)).status).toBe(304);
  await acme.admin.post(`${acme.path}/divisions`, { name: 'more' });
  expect((await acme.admin.request('GET', `${acme.path}/structure`, undefined, headers)).status).toBe(200);
  expect((await acme.admin.get(`${acme.path}/divisions`)).headers.get('etag')).toBeNull();
});

test('a refusal is not repeated under its Idempotency-Key to a request with another If-Match', async () => {
  const acme = await a.tenant();
  const put = (tag: string) =>
    acme.admin.request(
      'PUT',
      acme.divisionPath,
      { description: 'new' },
      {
        ...{ 'if-match': tag, 'idempotency-key': 'once' },
      },
    );
  for (let times = 0; times < 2; times++) expect(refusal(await put('"old"'))).toBe('412 changed_meanwhile');
  const tag = etagOf(await acme.admin.get(acme.divisionPath));
  expect(refusal(await put(tag))).toBe('409 idempotency_key_reused');
});
