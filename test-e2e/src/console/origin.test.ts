import { rm } from 'node:fs/promises';
import { client, eventually, follow, startStack, type Stack } from '@sluice/testing';
import { ConsoleBrowser, webAppFiles, type Subject } from './console-browser.ts';

/** The console in front of the three layers of a real stack: signing in, its session on all of them, and its end. */

let stack: Stack;
let files: string;
let consoleUrl: string;

beforeAll(async () => {
  files = await webAppFiles();
  process.env['CONSOLE_FILES'] = files;
  stack = await startStack();
  consoleUrl = stack.console_url ?? '';
}, 240_000);
afterAll(async () => {
  delete process.env['CONSOLE_FILES'];
  await stack.remove();
  await rm(files, { recursive: true });
});

const browser = () => new ConsoleBrowser(consoleUrl);

async function signedIn(subject: Subject): Promise<ConsoleBrowser> {
  const person = browser();
  await person.signIn(subject);
  expect((await person.get('/api/main/account')).status).toBe(200);
  return person;
}

/** One read of each layer through the console. */
const reads = () => {
  const [region] = stack.supervisors;
  return [
    `/api/main/tenants/${stack.tenant_id}`,
    `/api/audit/audit/tenants/${stack.tenant_id}`,
    `/api/regions/${region?.cloud}/${region?.region}/tenants/${stack.tenant_id}/summary`,
  ];
};
const statusesOf = async (person: ConsoleBrowser) =>
  Promise.all(reads().map(async (path) => (await person.get(path)).status));

describe('signing in', () => {
  test('lists its sources to anybody', async () => {
    const answer = await browser().get('/api/main/account/auth/sources');
    expect([answer.status, answer.body]).toEqual([
      200,
      [{ source: 'local', kind: 'openid_connect', title: 'this machine' }],
    ]);
  });

  test('is one click for each of four people, who can do what their role says', async () => {
    const shown: Record<string, unknown> = {};
    for (const subject of ['owner', 'developer', 'viewer', 'billing'] as const) {
      const person = browser();
      expect(await person.signIn(subject, '/deployments?status=healthy#first')).toBe(
        '/deployments?status=healthy#first',
      );
      const { body } = await person.get('/api/main/account');
      const context = await person.get(`/api/main/tenants/${stack.tenant_id}/context`);
      const { owner, permissions } = context.body as { owner: boolean; permissions: { tenant: string[] } };
      shown[String(body['email'])] = [owner, permissions.tenant.includes('billing:manage')];
    }
    expect(shown).toEqual({
      'owner@example.com': [true, true],
      'developer@example.com': [false, false],
      'viewer@example.com': [false, false],
      'billing@example.com': [false, true],
    });
    // once more, with the same account
    const again = await signedIn('viewer');
    const members = await again.get(`/api/main/tenants/${stack.tenant_id}/members`);
    expect(members.status).toBe(200);
  });

  test('keeps the session in a cookie of the console that no script reads, and none of a layer', async () => {
    const person = await signedIn('viewer');
    expect(person.set.get('sluice')).toMatch(
      /^sluice=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect([...person.set.keys()].sort()).toEqual(['sluice', 'sluice_attempt', 'sluice_return']);
    expect(person.cookie).toMatch(/^sluice=[\w-]{43}$/);
  });

  test.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/\t/evil.example',
    '/.//evil.example/',
    'javascript:alert(1)',
    '/api/main/account/sign_out',
    '/sign-in?source=local',
  ])('leads back to the start from %j', async (path) => {
    expect(await browser().signIn('viewer', path)).toBe('/');
  });

  test('fails on a page of the console, also when it was begun elsewhere', async () => {
    const begun = browser();
    const first = await begun.open('/sign-in?source=unknown&return_to=/streams', 'same-origin');
    expect(first.headers.get('location')).toBe('/sign-in?error=invalid_request&return_to=%2Fstreams');
    const other = browser();
    const back = await other.open('/sign-in/callback?state=another&code=stolen', 'cross-site');
    expect([back.status, back.headers.get('location')]).toEqual([
      303,
      '/sign-in?error=sign_in_failed&return_to=%2F',
    ]);
    expect(other.cookie).toBe('');
  });

  test('is not begun by a link of another site', async () => {
    const answer = await browser().open('/sign-in?source=local', 'cross-site');
    expect([answer.status, answer.text.startsWith('<!doctype html>')]).toEqual([200, true]);
  });
});

describe('a session', () => {
  test('is taken by all three layers, and ended on all of them by signing out', async () => {
    const person = await signedIn('developer');
    expect(await statusesOf(person)).toEqual([200, 403, 200]);
    const owner = await signedIn('owner');
    expect(await statusesOf(owner)).toEqual([200, 200, 200]);

    const { cookie } = owner;
    expect((await owner.call('DELETE', '/api/main/account/sign_out')).status).toBe(204);
    expect(owner.set.get('sluice')).toMatch(/^sluice=; Max-Age=0;/);
    expect(owner.cookie).toBe('');
    const thief = browser();
    thief.keep('sluice', cookie.replace(/^sluice=/, ''));
    expect(await statusesOf(thief)).toEqual([401, 401, 401]);
    expect(await statusesOf(person)).toEqual([200, 403, 200]);
  });

  test('that is ended elsewhere is worth nothing through the console from then on', async () => {
    const [here, elsewhere] = [await signedIn('owner'), await signedIn('owner')];
    expect((await elsewhere.call('DELETE', '/api/main/account/sessions')).status).toBe(204);
    expect(await statusesOf(here)).toEqual([401, 401, 401]);
    expect(await statusesOf(elsewhere)).toEqual([200, 200, 200]);
  });

  test('writes with its own token alone, on each layer', async () => {
    const person = await signedIn('owner');
    const other = await signedIn('owner');
    const [region] = stack.supervisors;
    const writes: [string, string, object | undefined][] = [
      ['PUT', `/api/main/account/settings`, {}],
      ['PUT', `/api/audit/audit/tenants/${stack.tenant_id}/sink`, {}],
      ['POST', `/api/regions/${region?.cloud}/${region?.region}/deployments/1/retry`, undefined],
    ];
    const token = person.csrf;
    for (const [method, path, body] of writes) {
      for (const csrf of [undefined, 'x', other.csrf]) {
        person.csrf = csrf;
        const answer = await person.call(method, path, body);
        expect([path, answer.status, answer.body['code']]).toEqual([path, 403, 'csrf_token_invalid']);
      }
      person.csrf = token;
      const answer = await person.call(method, path, body);
      expect([path, answer.body['code']]).not.toEqual([path, 'csrf_token_invalid']);
    }
  });

  test('is the only thing that speaks for a browser: keys and sessions of terminals go no further', async () => {
    const answer = await browser().call('GET', `/api/main/tenants/${stack.tenant_id}`, undefined, {
      'svc-api-key': stack.api_key,
      authorization: `Bearer ${stack.api_key}`,
    });
    expect([answer.status, answer.body['code']]).toEqual([401, 'unauthenticated']);
  });
});

test('the address of the browser reaches the layers, which believe the console alone', async () => {
  const person = await signedIn('owner');
  const answer = await person.call('GET', '/api/main/context', undefined, { 'x-forwarded-for': '192.0.2.7' });
  expect(answer.body['address']).toBe('127.0.0.1');
  expect(answer.headers.get('svc-request')).toMatch(/^[0-9a-f]{32}$/);
});

test('changes are sent on as they come', async () => {
  const person = await signedIn('owner');
  const feed = await follow(`${consoleUrl}/api/main/tenants/${stack.tenant_id}/events/stream`, {
    cookie: person.cookie,
    'accept-encoding': 'gzip, br',
  });
  expect([feed.response.status, feed.response.headers.get('content-encoding')]).toEqual([200, null]);
  const main = client(stack.base_url, stack.api_key);
  const name = `seen-${Date.now()}`;
  const { status, body } = await main.post<{ id: number }>(`/tenants/${stack.tenant_id}/divisions`, { name });
  expect(status).toBe(201);
  let seen: Record<string, unknown> | undefined;
  while (seen?.['kind'] !== 'division' || seen['id'] !== body.id) {
    const event = await feed.next();
    if (!event) throw new Error('the feed has ended');
    seen = event.data;
  }
  expect(seen).toMatchObject({ change: 'created' });
  feed.leave();
});

test('a region that is not there is 404, and no other address is reached', async () => {
  const person = await signedIn('owner');
  for (const path of ['cloud_a/nowhere', 'cloud_a/localhost', 'cloud_z/us-east-1']) {
    const answer = await person.get(`/api/regions/${path}/tenants/1/summary`);
    expect([path, answer.status, answer.body['code']]).toEqual([path, 404, 'not_found']);
  }
  await eventually(async () => expect((await person.get('/readyz')).status).toBe(200));
});
