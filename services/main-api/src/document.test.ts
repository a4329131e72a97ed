import { newApiToken } from '@sluice/contracts';
import { loadApiDocument, operationsOf, type OpenApiDocument } from '@sluice/http';
import { client } from '@sluice/testing';
import { mainApi, refusal } from '#test/main-api.ts';

let document: OpenApiDocument;

// all operations at once make a busy machine, which a lease has to outlast, and are more than a key may otherwise ask
const on = mainApi({ replicas: 1, environment: { GRANT_LEASE_SECONDS: '30', RATE_LIMIT_BURST: '10000' } });
const replica = on.replica();
const a = on.tenants();
beforeAll(async () => {
  document = await loadApiDocument(new URL('../openapi/', import.meta.url));
});

interface Request {
  name: string;
  method: string;
  path: string;
  takesBody: boolean;
}

/** Whether an API key can be used for it: neither public nor for people alone. */
const isKeyed = (permission: unknown) => permission !== 'public' && permission !== 'session';

/** Every operation for keys, at the tenant `tenantId` and with `id` for all other ids. */
function requests(tenantId: number | string, id: number | string = 1): Request[] {
  const keyed = operationsOf(document).filter(({ operation }) => isKeyed(operation['x-permission']));
  return keyed.map(({ path, method, operation }) => ({
    takesBody: operation.requestBody !== undefined,
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path: path
      .replace('{tenant_id}', String(tenantId))
      .replaceAll(/\{\w+_id\}/g, String(id))
      .replace('{cloud}', 'cloud_a')
      .replace('{region}', 'us-east-1'),
  }));
}

async function answers(
  all: Request[],
  key: string | undefined,
  body?: string,
): Promise<Record<string, unknown>> {
  const entries = await Promise.all(
    all.map(async ({ name, method, path }) => {
      const withBody = body !== undefined && method !== 'GET' && method !== 'DELETE';
      const answer = await client(replica.url, key).request(method, path, withBody ? body : undefined);
      return [name, refusal(answer)] as const;
    }),
  );
  return Object.fromEntries(entries);
}

const everywhere = (all: Request[], answer: unknown) =>
  Object.fromEntries(all.map(({ name }) => [name, answer]));

test('every operation refuses no key, a malformed key and an unknown key', async () => {
  const all = requests(1);
  expect(all.length).toBeGreaterThan(30);
  for (const key of [undefined, 'svc_short', `${newApiToken().slice(0, -1)}!`, newApiToken()])
    expect(await answers(all, key)).toEqual(everywhere(all, '401 unauthenticated'));
});

test("every operation refuses the key of another tenant, also at what doesn't exist", async () => {
  const [acme, other] = [await a.tenant(), await a.tenant()];
  for (const tenant of [other.id, 999999, '9223372036854775807']) {
    const all = requests(tenant, other.division).filter(({ name }) => name.includes('{tenant_id}'));
    expect(await answers(all, acme.key, '{}')).toEqual(everywhere(all, '403 forbidden'));
  }
});

test('every operation refuses a key that holds nothing, except to say who it is and what there is to have', async () => {
  const acme = await a.tenant();
  await acme.with({});
  const body = { name: 'none', permissions: {}, expiry_at: new Date(Date.now() + 60_000).toISOString() };
  const created = await acme.admin.post(`${acme.path}/api_keys`, body);
  // the feed of changes tells such a key of nothing
  const openToAll = [
    '/context',
    '/clouds',
    '/regions',
    '/tiers',
    '/storages',
    '/clusters',
    '/types',
    '/events/stream',
  ];
  const all = requests(acme.id, acme.division).filter(
    ({ name }) => !openToAll.some((ending) => name.endsWith(ending)),
  );
  expect(await answers(all, String(created.body['token']), '{}')).toEqual({
    ...everywhere(all, '403 forbidden'),
    'DELETE /tenants/{tenant_id}': '403 owner_only',
    // what it needs stands in the body
    'PUT /tenants/{tenant_id}/request_code': '400 invalid_request',
  });
});

test('every operation refuses ids that are none, and finds none of those beyond 2^53', async () => {
  const acme = await a.tenant();
  const all = (id: string) =>
    requests(acme.id, id).filter(({ name }) => /\{(?!tenant_id)\w+_id\}/.test(name));
  for (const id of ['x', '-1', '1.5', '9223372036854775808'])
    expect(await answers(all(id), acme.key, '{}')).toEqual(everywhere(all(id), '400 malformed_id'));
  for (const id of ['0', '9007199254740993', '9223372036854775807']) {
    const withoutBody = all(id).filter(({ method }) => method === 'GET' || method === 'DELETE');
    expect(await answers(withoutBody, acme.key)).toEqual(everywhere(withoutBody, '404 not_found'));
  }
});

test.each([
  ['broken JSON', '{"name":', 400],
  ['two megabytes', JSON.stringify({ name: 'x'.repeat(2 * 1024 * 1024) }), 413],
  ['an array', '[]', 400],
  ['null', 'null', 400],
  ['an unknown field', '{"colour":"red"}', 400],
  ['a NUL character', '{"name":"\\u0000"}', 400],
])('no operation that takes a body takes %s', async (_case, body, status) => {
  const acme = await a.tenant();
  const all = requests(acme.id, acme.division).filter(({ takesBody }) => takesBody);
  const found = await answers(all, acme.key, body);
  for (const [name, answer] of Object.entries(found))
    expect([name, answer]).toEqual([name, expect.stringMatching(`^${status} `)]);
});

test('a known path refuses another method, and an unknown path every one', async () => {
  const acme = await a.tenant();
  const patch = await client(replica.url, acme.key).request('PATCH', acme.path);
  expect([patch.status, patch.headers.get('allow')]).toEqual([405, 'GET, PUT, DELETE, HEAD']);
  expect(refusal(await acme.admin.get(`${acme.path}/nothing`))).toBe('404 unknown_path');
});
