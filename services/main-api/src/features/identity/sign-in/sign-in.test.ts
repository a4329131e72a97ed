import { SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { Browser } from '#test/browser.ts';
import { fieldIssues, mainApi, refusal } from '#test/main-api.ts';
import { providerOf } from '#test/people.ts';
import { clientSecret } from '#test/provider.ts';

let now = Date.now();
const on = mainApi({ replicas: 1, clock: () => new Date(now) });
const provider = providerOf(on, (opened) => [
  opened.configuration('test'),
  opened.configuration('other', { title: 'The other one' }),
  opened.configuration('public', { public_email: true }),
  { ...opened.configuration('away'), issuer: 'http://127.0.0.1:1' },
]);
on.onOpen(() => on.start({ ACCOUNT_RETURN_URL: 'https://console.test/welcome?lang=en' }));
const [replica, second] = [on.replica(0), on.replica(1)];

afterEach(() => {
  now = Date.now();
  provider.tamper = undefined;
  provider.forge = undefined;
});

const browser = (at: { url: string } = replica) => new Browser(at.url);

test('anybody can see what people sign in with', async () => {
  const { status, body } = await browser().get('/account/auth/sources');
  expect([status, body]).toEqual([
    200,
    [
      { source: 'test', kind: 'openid_connect', title: 'test' },
      { source: 'other', kind: 'openid_connect', title: 'The other one' },
      { source: 'public', kind: 'openid_connect', title: 'public' },
      { source: 'away', kind: 'openid_connect', title: 'away' },
    ],
  ]);
});

test('the provider leads back to where the installation says, and to the page for terminals from there', async () => {
  const { url } = await on.start({ SIGN_IN_CALLBACK_URL: 'https://console.test/sign-in/callback' });
  const { body } = await new Browser(url).post('/account/auth/intents', { source: 'test' });
  const asked = new URL(String(body['url'])).searchParams;
  expect(asked.get('redirect_uri')).toBe('https://console.test/sign-in/callback');
  const page = await new Browser(url).page('/device/sign_in', { source: 'test' });
  expect(page.html).toContain(encodeURIComponent('http://127.0.0.1/account/auth/callback'));
});

test('the page for terminals can be elsewhere', async () => {
  const { url } = await on.start({ DEVICE_PAGE_URL: 'https://console.test/device' });
  const begun = await new Browser(url).post('/account/device', { machine: 'laptop' });
  const code = String(begun.body['user_code']);
  expect(begun.body['verification_uri']).toBe('https://console.test/device');
  const page = await new Browser(url).page(`/device?user_code=${code}`);
  expect([page.status, page.headers.get('location')]).toEqual([
    303,
    `https://console.test/device?user_code=${code}`,
  ]);
  expect((await new Browser(url).page('/device/sign_in', { source: 'test' })).status).toBe(404);
});

describe('a new person', () => {
  test('signs up, and from then on in, with cookies that no script reads', async () => {
    const paula = provider.person();
    const first = browser();
    const answer = await first.vouched(provider, paula);
    expect(answer.body).toEqual({
      next: 'sign_up',
      name: 'Paula',
      email: paula.email,
      email_verified: true,
    });
    expect(refusal(await first.post('/account/sign_in'))).toBe('404 not_found');

    const signedUp = await first.signUp(provider, paula, { name: 'Paula P.' });
    expect(signedUp.status).toBe(201);
    expect(signedUp.body).toMatchObject({
      name: 'Paula P.',
      email: paula.email,
      limits: { tenants: 3, memberships: 10 },
      settings: { default_tenant_id: null, default_division_id: null },
    });
    const cookie = signedUp.headers.getSetCookie().find((set) => set.startsWith('sluice_session='));
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);

    const again = browser(second);
    const callback = await again.vouched(provider, paula);
    expect([callback.status, callback.headers.get('location')]).toEqual([
      303,
      'https://console.test/welcome?lang=en&next=sign_in',
    ]);
    const signedIn = await again.post('/account/sign_in');
    expect([signedIn.status, signedIn.body['id']]).toEqual([200, signedUp.body['id']]);
    expect((await again.at(replica.url).get('/account')).body).toEqual(signedIn.body);
  });

  test('cannot sign up with an address that is not verified, nor twice, nor without a sign-in at a provider', async () => {
    const unverified = provider.person(undefined, { email_verified: false });
    expect(refusal(await browser().signUp(provider, unverified))).toBe('403 email_not_verified');
    const paula = provider.person();
    await browser().signUp(provider, paula);
    expect(refusal(await browser().signUp(provider, paula))).toBe('409 account_exists');
    const namesake = provider.person(paula.email.toUpperCase());
    expect(refusal(await browser().signUp(provider, namesake))).toBe('409 account_exists');
    expect(refusal(await browser().post('/account/sign_up', { name: 'Visitor' }))).toBe(
      '401 unauthenticated',
    );
  });

  test('that signs up on both replicas at once has one account', async () => {
    const paula = provider.person();
    const [one, other] = [browser(), browser(second)];
    await Promise.all([one.vouched(provider, paula), other.vouched(provider, paula)]);
    const answers = await Promise.all(
      [one, other].map((each) => each.post('/account/sign_up', { name: 'Paula' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  test('can use what the provider has said for ten minutes and once', async () => {
    const paula = provider.person();
    const late = browser();
    await late.vouched(provider, paula);
    now += 600_000;
    expect(refusal(await late.post('/account/sign_up', { name: 'Paula' }))).toBe('401 unauthenticated');
    const once = browser();
    await once.vouched(provider, paula);
    const copy = once.at(second.url);
    expect((await once.post('/account/sign_up', { name: 'Paula' })).status).toBe(201);
    expect(refusal(await copy.post('/account/sign_in'))).toBe('401 unauthenticated');
  });
});

describe('an account that is there', () => {
  test('is not given to another provider by the address alone', async () => {
    const paula = provider.person();
    await browser().signUp(provider, paula);
    const sameAddress = provider.person(paula.email.toUpperCase());
    const other = browser();
    expect((await other.vouched(provider, sameAddress, 'other')).body['next']).toBe('sign_up');
    expect(refusal(await other.post('/account/sign_in'))).toBe('409 account_exists');
    expect(refusal(await other.post('/account/sign_up', { name: 'Paula' }))).toBe('409 account_exists');
    const unverified = provider.person(paula.email, { email_verified: false });
    expect((await browser().signIn(provider, unverified, 'public')).status).toBe(404);
  });

  test('is not given to a later owner of its address at the same provider', async () => {
    const paula = provider.person();
    await browser().signUp(provider, paula);
    expect((await browser().signIn(provider, provider.person(paula.email))).status).toBe(409);
  });

  test('follows the person when their address changes', async () => {
    const paula = provider.person();
    const { body } = await browser().signUp(provider, paula);
    paula.email = `new-${paula.email}`;
    expect((await browser().signIn(provider, paula)).body['id']).toBe(body['id']);
  });
});

describe('the way to the provider', () => {
  test('asks with PKCE, state and nonce, which are another each time', async () => {
    const urls = await Promise.all(
      [1, 2].map(async () => (await browser().post('/account/auth/intents', { source: 'test' })).body['url']),
    );
    const [one, other] = urls.map((url) => new URL(String(url)).searchParams);
    expect(one?.get('code_challenge_method')).toBe('S256');
    expect(one?.get('scope')).toBe('openid email profile');
    for (const name of ['code_challenge', 'state', 'nonce']) {
      expect(one?.get(name)).toMatch(/^[\w-]{43}$/);
      expect(one?.get(name)).not.toBe(other?.get(name));
    }
  });

  test('is refused for an unknown source, and for now for one that does not answer', async () => {
    const unknown = await browser().post('/account/auth/intents', { source: 'unknown' });
    expect(fieldIssues(unknown)).toEqual(['/body/source unknown']);
    expect(refusal(await browser().post('/account/auth/intents', { source: 'away' }))).toBe(
      '503 unavailable',
    );
  });
});

test('further parameters of the way back are taken', async () => {
  const own = browser();
  const callback = await own.toCallback(provider, provider.person());
  expect((await own.get(`${callback}&session_state=1&hd=acme.test`)).status).toBe(200);
});

describe('the way back is refused', () => {
  const failed = '400 sign_in_failed';

  test('without the cookie of the intent, and in another browser', async () => {
    const callback = await browser().toCallback(provider, provider.person());
    expect(refusal(await browser().get(callback))).toEqual(failed);
    const other = browser();
    await other.post('/account/auth/intents', { source: 'test' });
    expect(refusal(await other.get(callback))).toEqual(failed);
  });

  test('when it comes again, also at another replica', async () => {
    const own = browser();
    const callback = await own.toCallback(provider, provider.person());
    const [copy, far] = [own.at(replica.url), own.at(second.url)];
    expect((await own.get(callback)).status).toBe(200);
    for (const each of [copy, far]) expect(refusal(await each.get(callback))).toEqual(failed);
  });

  test('after ten minutes', async () => {
    const own = browser();
    const callback = await own.toCallback(provider, provider.person());
    now += 600_000;
    expect(refusal(await own.get(callback))).toEqual(failed);
  });

  test('with the code of another sign-in, for which this one has no PKCE verifier', async () => {
    const stolen = new URL(await browser().toCallback(provider, provider.person()), replica.url);
    const own = browser();
    const { body } = await own.post('/account/auth/intents', { source: 'test' });
    const state = new URL(String(body['url'])).searchParams.get('state') ?? '';
    stolen.searchParams.set('state', state);
    expect(refusal(await own.get(stolen.pathname + stolen.search))).toEqual(failed);
  });

  test('of another issuer, with an error, and without a code', async () => {
    for (const [name, value] of [
      ['iss', 'https://evil.test'],
      ['error', 'access_denied'],
      ['code', ''],
    ] as const) {
      const own = browser();
      const callback = new URL(await own.toCallback(provider, provider.person()), replica.url);
      if (value) callback.searchParams.set(name, value);
      else callback.searchParams.delete(name);
      expect(refusal(await own.get(callback.pathname + callback.search))).toEqual(failed);
    }
  });

  const without = (claims: JWTPayload, name: string) =>
    Object.fromEntries(Object.entries(claims).filter(([claim]) => claim !== name));
  const seconds = () => Math.floor(Date.now() / 1000);
  test.each<[string, (claims: JWTPayload) => JWTPayload]>([
    ['another nonce', (claims) => ({ ...claims, nonce: 'another' })],
    ['no nonce', (claims) => without(claims, 'nonce')],
    ['another audience', (claims) => ({ ...claims, aud: 'another-client' })],
    ['several audiences and no authorized party', (claims) => ({ ...claims, aud: ['sluice', 'other'] })],
    ['another authorized party', (claims) => ({ ...claims, azp: 'other' })],
    ['another issuer', (claims) => ({ ...claims, iss: 'https://evil.test' })],
    ['an expiry in the past', (claims) => ({ ...claims, exp: seconds() - 60 })],
    ['no expiry', (claims) => without(claims, 'exp')],
    ['no subject', (claims) => without(claims, 'sub')],
  ])('with an id token that has %s', async (_case, tamper) => {
    provider.tamper = tamper;
    expect(refusal(await browser().vouched(provider, provider.person()))).toEqual(failed);
  });

  test.each<[string, (claims: JWTPayload) => Promise<string>]>([
    ['no signature', async (claims) => new UnsecuredJWT(claims).encode()],
    [
      'a signature by the client secret',
      (claims) =>
        new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(clientSecret)),
    ],
  ])('with an id token that has %s', async (_case, forge) => {
    provider.forge = forge;
    expect(refusal(await browser().vouched(provider, provider.person()))).toEqual(failed);
  });
});

test('a key that the provider has just changed to works at once', async () => {
  const paula = provider.person();
  await browser().signUp(provider, paula);
  for (let time = 0; time < 2; time++) {
    await provider.rotate();
    expect((await browser().signIn(provider, paula)).status).toBe(200);
  }
});

test('an id token that the tests sign again is taken, as long as it says what it said', async () => {
  provider.tamper = (claims) => ({ ...claims });
  expect((await browser().vouched(provider, provider.person())).status).toBe(200);
});

test('nothing of a sign-in is stored that a reader of the database could use', async () => {
  const tables = ['sign_in_intents', 'pending_sign_ins', 'sessions', 'identities', 'users', 'outbox'];
  const secrets = new Set<string>();
  const requireNone = async () => {
    for (const secret of [...own.cookies.values(), own.csrf ?? '']) if (secret) secrets.add(secret);
    for (const table of tables) {
      const rows = JSON.stringify(await on.sql(`SELECT * FROM ${table}`));
      for (const secret of secrets) expect(rows).not.toContain(secret);
    }
  };
  const own = browser();
  const callback = await own.toCallback(provider, provider.person());
  const { searchParams } = new URL(callback, replica.url);
  for (const name of ['state', 'code']) secrets.add(searchParams.get(name) ?? '');
  await requireNone();
  await own.get(callback);
  await requireNone();
  await own.post('/account/sign_up', { name: 'Paula' });
  await requireNone();
  expect(secrets.size).toBe(6);
});

test('without identity providers no source is known', async () => {
  const alone = await on.start({ OIDC_PROVIDERS: '' });
  const answer = await browser(alone).post('/account/auth/intents', { source: 'test' });
  expect(fieldIssues(answer)).toEqual(['/body/source unknown']);
  await alone.stop();
});
