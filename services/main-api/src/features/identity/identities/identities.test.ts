import { randomUUID } from 'node:crypto';
import { client, eventually, type Answer } from '@sluice/testing';
import { Browser } from '#test/browser.ts';
import { fieldIssues, listOf, mainApi, refusal } from '#test/main-api.ts';
import { people } from '#test/people.ts';
import type { Person } from '#test/provider.ts';

const fixture = people();
const { on, provider, replica, second, region, mails, a } = fixture;

const corporate = () => provider.person(`${randomUUID()}@corp.test`);
const sourcesOf = async (browser: Browser) =>
  listOf<{ source: string }>(await browser.get('/account/identities')).map(({ source }) => source);
/** Goes to the provider and back, to link what it says. */
async function linking(browser: Browser, person: Person, source = 'public') {
  const { body } = await browser.post('/account/identities/intents', { source });
  const { pathname, search } = await provider.visit(String(body['url']), person);
  return await browser.get(pathname + search);
}
const mailsOf = (person: Person, template: string) =>
  eventually(async () => {
    const found = (await mails.to(person.email)).filter((mail) => mail.template === template);
    if (found.length === 0) throw new Error('no such mail has come');
    return found;
  });

describe('another provider is linked', () => {
  test('by a user, who is mailed, and signs in by it from then on', async () => {
    const paula = provider.person();
    const browser = await fixture.signedUp(paula, { tenant: { name: 'Acme' } });
    const elsewhere = provider.person('paula@elsewhere.test');
    expect((await linking(browser, elsewhere)).body).toMatchObject({ next: 'link' });
    const linked = await browser.post('/account/identities');
    expect([linked.status, linked.body]).toMatchObject([201, { source: 'public', email: elsewhere.email }]);
    expect(linked.headers.get('location')).toBe(`/account/identities/${String(linked.body['id'])}`);
    expect(await sourcesOf(browser.at(second.url))).toEqual(['test', 'public']);
    const again = new Browser(second.url);
    expect((await again.signIn(provider, elsewhere, 'public')).body['email']).toBe(paula.email);

    expect(await mailsOf(paula, 'provider_linked')).toMatchObject([
      { content: { name: 'Paula', source: 'public' } },
    ]);
    const event = await region.event('provider_linked', linked.headers);
    expect(event).toMatchObject({
      data: { source: 'public' },
      author: { name: 'Paula' },
      user: { name: 'Paula' },
    });
  });

  test('only by the user who has begun it, and not as a sign-in', async () => {
    const [victim, attacker] = [await fixture.signedUp(), await fixture.signedUp()];
    const theirs = provider.person();
    await linking(attacker, theirs);
    // the attempt of one person in the browser of another
    for (const [name, value] of attacker.cookies)
      if (name === 'sluice_sign_in') victim.cookies.set(name, value);
    expect(refusal(await victim.post('/account/identities'))).toBe('401 unauthenticated');
    const stranger = new Browser(replica.url);
    stranger.cookies.set('sluice_sign_in', attacker.cookies.get('sluice_sign_in') ?? '');
    for (const way of ['sign_in', 'sign_up'])
      expect(
        refusal(await stranger.post(`/account/${way}`, way === 'sign_up' ? { name: 'X' } : undefined)),
      ).toBe('401 unauthenticated');
    // and what was begun as a sign-in links nothing
    await victim.vouched(provider, provider.person(), 'public');
    expect(refusal(await victim.post('/account/identities'))).toBe('401 unauthenticated');
    expect((await attacker.post('/account/identities')).status).toBe(201);
  });

  test('not if it is linked already, nor by a key, nor from an unknown source', async () => {
    const other = provider.person();
    await fixture.signedUp(other);
    const browser = await fixture.signedUp();
    await linking(browser, other, 'test');
    expect(refusal(await browser.post('/account/identities'))).toBe('409 account_exists');
    const acme = await a.tenant();
    for (const path of ['/account/identities', '/account/identities/intents'])
      expect(refusal(await client(replica.url, acme.key).post(path, { source: 'test' }))).toBe(
        '403 session_required',
      );
    const unknown = await browser.post('/account/identities/intents', { source: 'unknown' });
    expect(fieldIssues(unknown)).toEqual(['/body/source unknown']);
  });
});

describe('an address is enough', () => {
  test('at the provider that the installation trusts for its domain, and the person is mailed', async () => {
    const paula = corporate();
    const browser = await fixture.signedUp(paula, { tenant: { name: 'Acme' } });
    const same = provider.person(paula.email.toUpperCase());
    const other = new Browser(second.url);
    expect((await other.vouched(provider, same, 'corporate')).body['next']).toBe('sign_in');
    const signedIn = await other.post('/account/sign_in');
    expect([signedIn.status, signedIn.body['email']]).toEqual([200, paula.email]);
    expect(await sourcesOf(browser)).toEqual(['test', 'corporate']);
    expect(await mailsOf(paula, 'provider_linked')).toHaveLength(1);
    expect((await region.event('provider_linked', signedIn.headers)).author).toMatchObject({ name: 'Paula' });
    // a later owner of the address there is another person
    const later = await new Browser(replica.url).signIn(provider, provider.person(paula.email), 'corporate');
    expect(refusal(later)).toBe('409 account_exists');
  });

  test('at no other provider, for no other domain, and not unverified', async () => {
    const [paula, outside] = [corporate(), provider.person()];
    await fixture.signedUp(paula);
    await fixture.signedUp(outside);
    const signIn = async (person: Person, source: string) =>
      (await new Browser(replica.url).signIn(provider, person, source)).status;
    expect(await signIn(provider.person(paula.email), 'public')).toBe(409);
    expect(await signIn(provider.person(outside.email), 'corporate')).toBe(409);
    expect(await signIn(provider.person(paula.email, { email_verified: false }), 'corporate')).toBe(404);
  });

  test('for an account without a sign-in before, once', async () => {
    const acme = await a.tenant();
    const { email } = await acme.person([acme.roles.viewer]);
    const person = provider.person(email);
    const browsers = [new Browser(replica.url), new Browser(second.url)];
    await browsers[0]?.vouched(provider, person, 'test');
    await browsers[1]?.vouched(provider, person, 'public');
    const answers = await Promise.all(browsers.map((browser) => browser.post('/account/sign_in')));
    expect(answers.map(refusal).sort()).toEqual(['200', '409 account_exists']);
    expect(await mailsOf(person, 'provider_linked')).toHaveLength(1);
  });
});

describe('a provider is unlinked', () => {
  test('and the sessions that it has vouched for end, but not the last one', async () => {
    const paula = provider.person();
    const browser = await fixture.signedUp(paula, { tenant: { name: 'Acme' } });
    const elsewhere = provider.person();
    await linking(browser, elsewhere);
    const { body } = await browser.post('/account/identities');
    const other = new Browser(second.url);
    await other.signIn(provider, elsewhere, 'public');
    const unlinked = await browser.delete(`/account/identities/${String(body['id'])}`);
    expect(unlinked.status).toBe(204);
    expect((await other.get('/account')).status).toBe(401);
    expect((await region.event('provider_unlinked', unlinked.headers)).data).toEqual({ source: 'public' });
    expect((await new Browser(replica.url).signIn(provider, elsewhere, 'public')).status).toBe(404);
    const [first] = (await browser.get('/account/identities')).body as unknown as { id: number }[];
    expect(refusal(await browser.delete(`/account/identities/${first?.id}`))).toBe('409 state_conflict');
    const stranger = await fixture.signedUp();
    expect((await stranger.delete(`/account/identities/${first?.id}`)).status).toBe(404);
  });
});

test('a sign-in that waits for the unlinking of its provider opens no session', async () => {
  const paula = provider.person();
  const browser = await fixture.signedUp(paula);
  const elsewhere = provider.person();
  await linking(browser, elsewhere);
  const linked = Number((await browser.post('/account/identities')).body['id']);
  const other = new Browser(second.url);
  await other.vouched(provider, elsewhere, 'public');
  const { id } = (await browser.get('/account')).body;
  // what the unlinking does, and holds until it is committed
  const signingIn = await a.whileLocked(
    [
      ['SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [id]],
      ['DELETE FROM identities WHERE id = $1', [linked]],
    ],
    () => other.post('/account/sign_in'),
  );
  expect(refusal(signingIn)).toBe('401 unauthenticated');
  expect(await on.sql("SELECT 1 FROM sessions WHERE user_id = $1 AND source = 'public'", [id])).toEqual([]);
});

test('signing in and out and linking are recorded in every tenant of the person, with them as author', async () => {
  const paula = provider.person();
  const up = await new Browser(replica.url).signUp(provider, paula, { tenant: { name: 'Acme' } });
  const signedInAt = await region.event('member_signed_in', up.headers);
  expect(signedInAt).toMatchObject({
    data: { source: 'test' },
    author: { name: 'Paula' },
    user: { name: 'Paula' },
  });
  const browser = new Browser(second.url);
  await browser.signIn(provider, paula);
  await browser.post('/tenants', { name: 'Second' });
  const id = signedInAt.author?.id;
  const tenantsOf = (type: string, { headers }: Answer) =>
    eventually(() => {
      const found = region.eventsOfRequests(headers).filter((event) => event.type === type);
      expect(found.map(({ author }) => author?.id)).toEqual([id, id]);
      expect(new Set(found.map(({ tenant_id }) => tenant_id)).size).toBe(2);
    });
  await linking(browser, provider.person());
  await tenantsOf('provider_linked', await browser.post('/account/identities'));
  await tenantsOf('member_signed_in', await new Browser(replica.url).signIn(provider, paula));
  const out = await browser.delete('/account/sign_out');
  await region.event('member_signed_out', out.headers);
  await eventually(() => {
    const ended = region.eventsOf('member_signed_out', { author: Number(id) });
    expect(ended).toHaveLength(2);
    for (const { data } of ended) expect(data).toEqual({ sessions: 1 });
  });
});

describe('where the API is reached by HTTPS', () => {
  const secure = mainApi({ replicas: 1, environment: { PUBLIC_URL: 'https://api.sluice.test' } });
  secure.beforeStart(async () => {
    secure.environment['OIDC_PROVIDERS'] = JSON.stringify([provider.configuration('test')]);
  });

  test('browsers keep the cookies to its host', async () => {
    const answer = await client(secure.replica().url).post('/account/auth/intents', { source: 'test' });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-sluice_sign_in=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
  });
});
