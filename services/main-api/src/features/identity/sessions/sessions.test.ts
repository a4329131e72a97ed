import { loadApiDocument, operationsOf } from '@sluice/http';
import { client, eventually } from '@sluice/testing';
import { Browser } from '#test/browser.ts';
import { refusal } from '#test/main-api.ts';
import { people } from '#test/people.ts';

let now = Date.now();
const p = people({ clock: () => new Date(now) });

afterEach(() => {
  now = Date.now();
});

const hour = 60 * 60 * 1000;
const founder = () => p.signedUp(undefined, { tenant: { name: 'Acme' } });
const tenantOf = async (browser: Browser) => {
  const { body } = await browser.get('/tenants');
  return (body['items'] as { id: number }[])[0]?.id ?? 0;
};
const unauthenticated = [401, 'unauthenticated'];

describe('operations for people', () => {
  const operations = async () => {
    const document = await loadApiDocument(new URL('../../../../openapi/', import.meta.url));
    return operationsOf(document)
      .filter(({ operation }) => operation['x-permission'] === 'session')
      .map(({ path, method }) => ({ path, method: method.toUpperCase() }));
  };

  test('refuse API keys, and nobody', async () => {
    const acme = await p.a.tenant();
    const all = await operations();
    expect(all.length).toBeGreaterThan(10);
    for (const { path, method } of all) {
      const concrete = path.replace('{tenant_id}', String(acme.id)).replaceAll(/\{\w+\}/g, '1');
      const visitor = new Browser(p.replica.url);
      const withKey = await visitor.call(method, concrete, undefined, { 'svc-api-key': acme.key });
      expect([concrete, ...refusal(withKey)]).toEqual([concrete, 403, 'session_required']);
      expect([concrete, ...refusal(await visitor.call(method, concrete))]).toEqual([
        concrete,
        ...unauthenticated,
      ]);
      visitor.cookies.set('sluice_session', 'x'.repeat(43));
      expect([concrete, ...refusal(await visitor.call(method, concrete))]).toEqual([
        concrete,
        ...unauthenticated,
      ]);
    }
  });

  test('take no key for a session, and no session for a key', async () => {
    const acme = await p.a.tenant();
    const paula = await founder();
    const visitor = new Browser(p.replica.url);
    visitor.cookies.set('sluice_session', acme.key);
    expect(refusal(await visitor.get(acme.path))).toEqual(unauthenticated);
    const token = paula.cookies.get('sluice_session') ?? '';
    expect(refusal(await client(p.replica.url, token).get(acme.path))).toEqual(unauthenticated);
  });
});

describe('a session', () => {
  test('may do in a tenant what the roles of its user grant, on all replicas', async () => {
    const paula = await founder();
    const path = `/tenants/${await tenantOf(paula)}`;
    expect((await paula.at(p.second.url).get(path)).status).toBe(200);
    expect((await paula.at(p.second.url).post(`${path}/divisions`, { name: 'more' })).status).toBe(201);
    const event = await p.region.event(
      'division_created',
      (await paula.post(`${path}/divisions`, { name: 'yet more' })).headers,
    );
    expect(event.author?.name).toBe('Paula');
    expect(event.api_key).toBeNull();
  });

  test('is refused in the tenants of others, whether they exist or not', async () => {
    const [paula, other] = [await founder(), await founder()];
    for (const path of [
      `/tenants/${await tenantOf(other)}`,
      '/tenants/999999',
      '/tenants/9223372036854775807',
    ])
      expect(refusal(await paula.get(path))).toEqual([403, 'forbidden']);
    expect(refusal(await paula.get('/tenants/x'))).toEqual([400, 'malformed_id']);
  });

  test('writes only with its own CSRF token', async () => {
    const [paula, other] = [await founder(), await founder()];
    const path = `/tenants/${await tenantOf(paula)}/divisions`;
    const own = paula.csrf;
    for (const token of [undefined, '', 'x', other.csrf, `${own}x`]) {
      paula.csrf = token;
      for (const answer of [
        await paula.post(path, { name: 'forged' }),
        await paula.put('/account/settings', { default_tenant_id: null }),
        await paula.delete('/account/sessions'),
      ])
        expect(refusal(answer)).toEqual([403, 'csrf_token_invalid']);
      expect((await paula.get(path)).status).toBe(200);
    }
    paula.csrf = own;
    expect((await paula.post(path, { name: 'meant' })).status).toBe(201);
  });

  test('that signs out is refused on all replicas by the time of the answer', async () => {
    const paula = await founder();
    const path = `/tenants/${await tenantOf(paula)}`;
    const copies = [paula.at(p.replica.url), paula.at(p.second.url)];
    const answer = await paula.delete('/account/sign_out');
    expect([answer.status, paula.cookies.has('sluice_session')]).toEqual([204, false]);
    for (const copy of copies)
      for (const place of ['/account', path]) expect(refusal(await copy.get(place))).toEqual(unauthenticated);
  });

  test('can end another one of its user, or all others, but none of anybody else', async () => {
    const person = p.provider.person();
    const paula = await p.signedUp(person);
    const others = [new Browser(p.second.url), new Browser(p.replica.url)];
    for (const other of others) await other.signIn(p.provider, person);
    const list = async () =>
      (await paula.get('/account/sessions')).body as unknown as { id: number; current: boolean }[];
    const sessions = await list();
    expect(sessions.map(({ current }) => current)).toEqual([false, false, true]);

    const stranger = await p.signedUp();
    expect(refusal(await stranger.delete(`/account/sessions/${sessions[0]?.id}`))).toEqual([
      404,
      'not_found',
    ]);
    expect((await paula.delete(`/account/sessions/${sessions[0]?.id}`)).status).toBe(204);
    expect(await Promise.all(others.map(async (other) => (await other.get('/account')).status))).toEqual([
      200, 401,
    ]);
    expect((await paula.delete('/account/sessions')).status).toBe(204);
    expect((await others[0]?.get('/account'))?.status).toBe(401);
    expect(await list()).toHaveLength(1);
    expect((await stranger.get('/account')).status).toBe(200);
  });

  test('ends when it is not used, and in the end whatever is done', async () => {
    const short = await p.on.start({ SESSION_HOURS: '12' });
    const begun = now;
    const paula = new Browser(short.url);
    await paula.signUp(p.provider, p.provider.person(), { tenant: { name: 'Acme' } });
    const path = `/tenants/${await tenantOf(paula)}`;
    const ends = async () => {
      const { body } = await paula.get('/account/sessions');
      return Date.parse((body as unknown as { expires_at: string }[])[0]?.expires_at ?? '') - begun;
    };
    expect(await ends()).toBe(8 * hour);
    now = begun + 8 * hour;
    for (const place of ['/account', path]) expect(refusal(await paula.get(place))).toEqual(unauthenticated);

    now = begun + 5 * hour;
    await eventually(async () => expect(await ends()).toBe(12 * hour));
    now = begun + 12 * hour - 1;
    // what is stored is in force a moment later
    for (const place of ['/account', path])
      await eventually(async () => expect((await paula.get(place)).status).toBe(200));
    now = begun + 12 * hour;
    for (const place of ['/account', path]) expect(refusal(await paula.get(place))).toEqual(unauthenticated);
    await short.stop();
  });

  test('of a member who is deactivated loses the tenant at once, and gets it back', async () => {
    const acme = await p.a.tenant();
    const person = p.provider.person();
    await acme.admin.post(`${acme.path}/invitations`, { email: person.email, roles: [acme.roles.viewer] });
    const member = await p.signedUp(person);
    const [invitation] = (await member.get('/account/invitations')).body as unknown as { id: number }[];
    await member.put(`/account/invitations/${invitation?.id}/accept`);
    const far = member.at(p.second.url);
    expect((await far.get(acme.path)).status).toBe(200);
    expect(refusal(await far.post(`${acme.path}/divisions`, { name: 'x' }))).toEqual([403, 'forbidden']);

    const path = `${acme.path}/members/${String((await member.get('/account')).body['id'])}`;
    expect((await acme.admin.put(path, { active: false })).status).toBe(204);
    for (const each of [member, far]) expect(refusal(await each.get(acme.path))).toEqual([403, 'forbidden']);
    await acme.admin.put(path, { active: true, roles: [acme.roles.admin] });
    expect((await far.post(`${acme.path}/divisions`, { name: 'x' })).status).toBe(201);
    await acme.admin.delete(path);
    expect(refusal(await far.get(acme.path))).toEqual([403, 'forbidden']);
    expect((await far.get('/account')).status).toBe(200);
  });

  test('works again after NATS has lost the grants', async () => {
    const paula = await founder();
    const path = `/tenants/${await tenantOf(paula)}`;
    await p.on.deleteNamespace();
    const third = await p.on.start();
    expect((await paula.at(third.url).get(path)).status).toBe(200);
    await third.stop();
  });
});
