import { quiet } from '../widget-service.ts';
import {
  compileRole,
  frozenGrant,
  grantNameOf,
  idOf,
  newApiToken,
  keyGrantKey,
  noTenant,
  sessionGrantKey,
  tokenHash,
  type DivisionId,
  type EnvironmentId,
  type Grant,
  type TenantId,
} from '@sluice/contracts';
import { client, eventually, putGrant } from '@sluice/testing';
import express, { type ErrorRequestHandler, type Request, type Response } from 'express';
import { newSecret, sessionOfToken, terminalTokenOf } from '@sluice/grants';
import { Problem } from '@sluice/service';
import { grantOf, widgetService, type WidgetService } from '../widget-service.ts';
import {
  isAllowed,
  keyAuthorizer,
  type Location,
  listen,
  type Listening,
  type Declaration,
} from '@sluice/http';

const on = widgetService({ replicas: 1, environment: { GRANT_LEASE_SECONDS: '30' } });
let widgets: WidgetService;
let server: Listening;
let now = new Date();

beforeAll(async () => {
  widgets = on.replica().service;
  server = await listen(applicationThatTellsTheCaller(), {
    host: '127.0.0.1',
    port: 0,
    headersSeconds: 10,
    bodySeconds: 15,
    log: quiet,
  });
});
beforeEach(() => {
  now = new Date();
});
afterAll(() => server.stop(1));

/** Answers who the authorizer takes the caller for, or how it refuses. The request says what is declared. */
function applicationThatTellsTheCaller() {
  const { grants } = widgets.runtime;
  const byPath = keyAuthorizer({ grants, now: () => now });
  const reachedAt = (publicUrl: string) => keyAuthorizer({ grants, now: () => now, publicUrl });
  const located = keyAuthorizer({ grants, now: () => now, locate });
  const tell = (authorize: typeof byPath) => async (request: Request, response: Response) => {
    const declaration = JSON.parse(request.get('x-declaration') ?? '') as Declaration;
    const { tenantId, user, apiKey, session } = await authorize(request, declaration);
    response.json({ tenant: tenantId, user: user.name, key: apiKey?.id ?? null, session: session !== null });
  };
  const refuse: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
    if (!(error instanceof Problem)) return void response.status(500).end(String(error));
    response.status(error.status).json({ code: error.code });
  };
  return express()
    .all('/nobody', tell(byPath))
    .all('/by-http', tell(reachedAt('http://127.0.0.1')))
    .all('/by-https', tell(reachedAt('https://api.sluice.test')))
    .all('/tenants/:tenant_id', tell(byPath))
    .all('/tenants/:tenant_id/divisions/:division_id/environments/:environment_id', tell(byPath))
    .all('/deployments/:deployment_id', tell(located))
    .all('/located/:tenant_id', tell(located))
    .use(refuse);
}

/** Deployment 1 is in tenant 1, 2 in another tenant; there is no 3. */
async function locate({ deployment_id: id }: Record<string, string>): Promise<Location | null | undefined> {
  if (id === undefined) return undefined;
  if (id === '3') return null;
  return {
    tenant: idOf<TenantId>(id),
    division: idOf<DivisionId>(5),
    environment: idOf<EnvironmentId>(6),
  };
}

/** Puts a grant at a key, and waits until it is applied. */
async function put(key: string, grant: Grant): Promise<void> {
  const { grants } = widgets.runtime;
  await putGrant(widgets.runtime, key, grant);
  const name = grantNameOf(key)?.name ?? '';
  await eventually(async () => expect(await grants.find(name)).toMatchObject({ grant }));
}

async function keyWith(more: Partial<Grant> = {}): Promise<Record<string, string>> {
  const token = newApiToken();
  const grant = grantOf(more);
  await put(keyGrantKey(grant.tenant_id, tokenHash(token)), grant);
  return { 'svc-api-key': token };
}

/** Somebody who is signed in, and a member of tenant 1. */
async function signIn(more: Partial<Grant> = {}, member: Partial<Grant> = {}, token = newSecret()) {
  const { key, csrfToken } = sessionOfToken(token);
  await put(
    sessionGrantKey(noTenant, key),
    grantOf({ api_key: null, tenant_id: noTenant, permissions: compileRole({}), ...more }),
  );
  await put(sessionGrantKey(idOf<TenantId>(1), key), grantOf({ api_key: null, ...member }));
  return { cookie: { cookie: `sluice_session=${token}` }, csrf: { 'x-csrf-token': csrfToken } };
}

async function ask(
  path: string,
  headers: Record<string, string>,
  declaration: Declaration = { kind: 'authenticated' },
  method = 'GET',
) {
  const api = client(`http://127.0.0.1:${server.port}`);
  const sent = { ...headers, 'x-declaration': JSON.stringify(declaration) };
  const { status, body } = await api.request(method, path, undefined, sent);
  return { status, ...body };
}

const readEnvironment: Declaration = { kind: 'permission', scope: 'environment', permission: 'info:read' };
const readTenant: Declaration = { kind: 'permission', scope: 'tenant', permission: 'info:read' };

describe('a key', () => {
  test('makes its holder the caller', async () => {
    expect(await ask('/tenants/1', await keyWith())).toEqual({
      status: 200,
      tenant: 1,
      user: 'Ada',
      key: 1,
      session: false,
    });
  });

  test('that is frozen is refused with a code of its own, before its expiry', async () => {
    const expires_at = new Date(now.getTime() + 60_000).toISOString();
    const key = await keyWith(frozenGrant(grantOf({ expires_at })));
    expect(await ask('/tenants/1', key)).toEqual({ status: 401, code: 'credential_frozen' });
    expect(await ask('/nobody', key)).toEqual({ status: 401, code: 'credential_frozen' });
    now = new Date(now.getTime() + 60_000);
    expect(await ask('/tenants/1', key)).toEqual({ status: 401, code: 'unauthenticated' });
  });

  test('is refused from the instant of its expiry', async () => {
    const key = await keyWith({ expires_at: new Date(now.getTime() + 60_000).toISOString() });
    now = new Date(now.getTime() + 59_999);
    expect(await ask('/tenants/1', key)).toMatchObject({ status: 200 });
    now = new Date(now.getTime() + 1);
    expect(await ask('/tenants/1', key)).toEqual({ status: 401, code: 'unauthenticated' });
  });

  test('counts before a session', async () => {
    const { cookie } = await signIn();
    expect(await ask('/nobody', { ...(await keyWith()), ...cookie })).toMatchObject({
      key: 1,
      session: false,
    });
    expect(await ask('/nobody', { 'svc-api-key': 'svc_x', ...cookie })).toMatchObject({ status: 401 });
  });

  test('cannot do what takes a session, nor what takes an agent', async () => {
    expect(await ask('/nobody', await keyWith(), { kind: 'session' })).toMatchObject({
      code: 'session_required',
    });
    expect(await ask('/nobody', await keyWith(), { kind: 'agent' })).toMatchObject({
      code: 'unauthenticated',
    });
  });

  test("of the owner does what is the owner's, any other does not", async () => {
    expect(await ask('/tenants/1', await keyWith({ owner: true }), { kind: 'owner' })).toMatchObject({
      status: 200,
    });
    expect(await ask('/tenants/1', await keyWith(), { kind: 'owner' })).toMatchObject({ code: 'owner_only' });
  });

  test('is asked for its permission in the place that the path names', async () => {
    const key = await keyWith({
      permissions: compileRole({ divisions: { '5': { environments: { '6': ['info:read'] } } } }),
    });
    const at = (division: number, environment: number) =>
      ask(`/tenants/1/divisions/${division}/environments/${environment}`, key, readEnvironment);
    expect(await at(5, 6)).toMatchObject({ status: 200 });
    expect(await at(5, 7)).toMatchObject({ status: 403, code: 'forbidden' });
    expect(await at(4, 6)).toMatchObject({ status: 403, code: 'forbidden' });
  });
});

describe('an operation that more than one permission opens', () => {
  const read: Declaration = {
    kind: 'permission',
    scope: 'tenant',
    permission: 'division:read',
    or: { scope: 'division', permission: 'info:read' },
  };
  const at = (division: number) => `/tenants/1/divisions/${division}/environments/6`;

  test('takes the other one in its place, and nowhere else', async () => {
    const inOne = await keyWith({
      permissions: compileRole({ divisions: { '5': { permissions: ['info:read'] } } }),
    });
    expect(await ask(at(5), inOne, read)).toMatchObject({ status: 200 });
    expect(await ask(at(4), inOne, read)).toMatchObject({ status: 403 });
    const inAll = await keyWith({ permissions: compileRole({ division: ['info:read'] }) });
    expect(await ask(at(4), inAll, read)).toMatchObject({ status: 200 });
    // the path names no division: what is held in all of them is not the tenant's
    expect(await ask('/tenants/1', inAll, read)).toMatchObject({ status: 403 });
    // it names no tenant either: any place will do
    for (const key of [inOne, inAll]) expect(await ask('/nobody', key, read)).toMatchObject({ status: 200 });
    const nowhere = await keyWith({ permissions: compileRole({ division: ['environment:read'] }) });
    expect(await ask('/nobody', nowhere, read)).toMatchObject({ status: 403 });
  });

  test('takes keys of divisions in their own, where it says so', async () => {
    const permissions = compileRole({});
    const bound = await keyWith({ permissions, division_id: idOf<DivisionId>(5) });
    const shared: Declaration = { ...read, division_keys: true };
    expect(await ask(at(5), bound, shared)).toMatchObject({ status: 200 });
    expect(await ask('/tenants/1', bound, shared)).toMatchObject({ status: 200 });
    expect(await ask(at(4), bound, shared)).toMatchObject({ status: 403 });
    expect(await ask('/tenants/2', bound, shared)).toMatchObject({ status: 403 });
    expect(await ask(at(5), bound, read)).toMatchObject({ status: 403 });
    expect(await ask(at(5), await keyWith({ permissions }), shared)).toMatchObject({ status: 403 });
  });

  test('takes what is held in any place of the tenant, where it says so', async () => {
    const list: Declaration = {
      ...{ kind: 'permission', scope: 'environment', permission: 'deployment:read', anywhere: true },
    };
    const inOne = await keyWith({
      permissions: compileRole({ divisions: { '5': { environments: { '50': ['deployment:read'] } } } }),
    });
    expect(await ask('/tenants/1', inOne, list)).toMatchObject({ status: 200 });
    expect(await ask('/tenants/2', inOne, list)).toMatchObject({ status: 403 });
    const other = await keyWith({ permissions: compileRole({ environment: ['info:read'] }) });
    expect(await ask('/tenants/1', other, list)).toMatchObject({ status: 403 });
  });
});

describe('a path', () => {
  test("of another tenant is forbidden, and one of a resource that is another tenant's does not exist", async () => {
    const key = await keyWith();
    expect(await ask('/tenants/2', key)).toEqual({ status: 403, code: 'forbidden' });
    expect(await ask('/deployments/2', key)).toEqual({ status: 404, code: 'not_found' });
    expect(await ask('/deployments/3', key)).toEqual({ status: 404, code: 'not_found' });
    expect(await ask('/deployments/1', key)).toMatchObject({ status: 200, tenant: 1 });
    expect(await ask('/located/1', key)).toMatchObject({ status: 200 });
    expect(await ask('/located/2', key)).toMatchObject({ status: 403 });
  });

  test('of a resource is asked for where the resource is', async () => {
    const key = await keyWith({
      permissions: compileRole({ divisions: { '5': { environments: { '6': ['info:read'] } } } }),
    });
    expect(await ask('/deployments/1', key, readEnvironment)).toMatchObject({ status: 200 });
  });

  test('of a resource in a place that the caller may not see does not exist', async () => {
    const permissions = compileRole({
      tenant: ['division:read'],
      environment: ['info:read'],
      divisions: { '5': { environments: { '6': [] } } },
    });
    const elsewhere = await keyWith({ permissions });
    expect(await ask('/deployments/1', elsewhere, readEnvironment)).toEqual(
      await ask('/deployments/3', elsewhere, readEnvironment),
    );
    const inSight = await keyWith({ permissions: compileRole({ environment: ['deployment:read'] }) });
    expect(await ask('/deployments/1', inSight, readEnvironment)).toEqual({ status: 403, code: 'forbidden' });
  });

  test('with a malformed id is refused before its place is looked for', async () => {
    expect(await ask('/deployments/x', await keyWith())).toEqual({ status: 400, code: 'malformed_id' });
  });
});

describe('a session', () => {
  test('makes whoever is signed in the caller, in a tenant as its member', async () => {
    const { cookie } = await signIn({ user: { ...grantOf().user, name: 'signed in' } });
    expect(await ask('/nobody', cookie, { kind: 'session' })).toEqual({
      status: 200,
      tenant: 0,
      user: 'signed in',
      key: null,
      session: true,
    });
    expect(await ask('/tenants/1', cookie, readTenant)).toMatchObject({
      status: 200,
      tenant: 1,
      user: 'Ada',
    });
    expect(await ask('/tenants/2', cookie)).toMatchObject({ status: 403 });
  });

  test('writes with its CSRF token only', async () => {
    const { cookie, csrf } = await signIn();
    expect(await ask('/nobody', cookie, { kind: 'session' }, 'POST')).toEqual({
      status: 403,
      code: 'csrf_token_invalid',
    });
    expect(await ask('/nobody', { ...cookie, ...csrf }, { kind: 'session' }, 'POST')).toMatchObject({
      status: 200,
    });
  });

  test('of a terminal comes in a header, which goes before a cookie and after a key, and writes without a CSRF token', async () => {
    const token = terminalTokenOf(newSecret());
    const { cookie } = await signIn({}, {}, token);
    const header = { 'svc-session': token };
    const browser = await signIn();
    const asked = async (headers: Record<string, string>, method = 'GET') =>
      (await ask('/tenants/1', headers, { kind: 'session' }, method)).status;
    for (const method of ['GET', 'POST']) {
      expect(await asked(header, method)).toBe(200);
      expect(await asked({ ...header, ...browser.cookie }, method)).toBe(200);
      expect(await asked({ ...browser.cookie, 'svc-session': `${token}x` }, method)).toBe(401);
      expect(await asked({ ...header, ...(await keyWith()) }, method)).toBe(403);
      expect(await asked(cookie, method)).toBe(401);
    }
  });

  test('ends, and so does a membership', async () => {
    const soon = { expires_at: new Date(now.getTime() + 60_000).toISOString() };
    const later = { expires_at: new Date(now.getTime() + 120_000).toISOString() };
    const ending = await signIn(soon, later);
    const leaving = await signIn(later, soon);
    now = new Date(now.getTime() + 60_000);
    expect(await ask('/nobody', ending.cookie)).toMatchObject({ code: 'unauthenticated' });
    expect(await ask('/tenants/1', leaving.cookie)).toMatchObject({ code: 'forbidden' });
    expect(await ask('/nobody', leaving.cookie)).toMatchObject({ status: 200 });
  });

  test('is found under the name that its cookie has where the service is reached', async () => {
    const { cookie } = await signIn();
    const ofHost = { cookie: `__Host-${cookie.cookie}` };
    const statuses = async (path: string) => [
      (await ask(path, cookie)).status,
      (await ask(path, ofHost)).status,
    ];
    expect(await statuses('/by-https')).toEqual([401, 200]);
    expect(await statuses('/by-http')).toEqual([200, 401]);
    expect(await statuses('/nobody')).toEqual([200, 200]);
  });

  test('is not what the token of a key makes as a cookie', async () => {
    const token = newSecret();
    await put(keyGrantKey(grantOf().tenant_id, sessionOfToken(token).key), grantOf());
    expect(await ask('/nobody', { cookie: `sluice_session=${token}` })).toMatchObject({
      code: 'unauthenticated',
    });
    expect(await ask('/nobody', { cookie: `sluice_session=${newSecret()}` })).toMatchObject({
      code: 'unauthenticated',
    });
  });
});

test('a public operation takes anybody, whatever they send', async () => {
  for (const headers of [{}, { 'svc-api-key': 'x' }, await keyWith()])
    expect(await ask('/nobody', headers, { kind: 'public' })).toMatchObject({
      status: 200,
      user: 'anonymous',
    });
});

test.each([
  ['10.1.2.3', ['10.0.0.0/8'], true],
  ['11.1.2.3', ['10.0.0.0/8'], false],
  ['10.1.2.3', ['10.1.2.3'], true],
  ['10.1.2.4', ['10.1.2.3'], false],
  ['::ffff:10.1.2.3', ['10.1.2.3'], true],
  ['10.1.2.3', ['::ffff:10.1.2.3'], true],
  ['2001:db8::1', ['2001:db8::/32'], true],
  ['2001:db8::1', ['2001:db8::1'], true],
  ['2001:db8::2', ['2001:db8::1'], false],
  ['10.1.2.3', ['2001:db8::/32', '10.1.2.3'], true],
  ['2001:db8::1', ['0.0.0.0/0'], false],
  ['10.1.2.3', ['::/0'], false],
  ['10.1.2.3', [], false],
  ['nonsense', ['0.0.0.0/0'], false],
  [undefined, ['0.0.0.0/0'], false],
])('the address %s is among %j: %s', (address, allowed, expected) => {
  expect(isAllowed(address, allowed)).toBe(expected);
});
