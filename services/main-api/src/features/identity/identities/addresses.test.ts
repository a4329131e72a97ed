import { randomUUID } from 'node:crypto';
import { Browser } from '#test/browser.ts';
import { itemsOf, listOf, refusal } from '#test/main-api.ts';
import { people } from '#test/people.ts';
import type { Person } from '#test/provider.ts';
import type { TestTenant } from '#test/tenants.ts';

const fixture = people();
const { provider, replica, second, a } = fixture;

const company = (domain = `acme-${randomUUID()}.com`) => provider.person(`${randomUUID()}@${domain}`);

/** Links what `public` says of a person. @returns the status of the answer */
async function link(browser: Browser, person: Person): Promise<number> {
  const { body } = await browser.post('/account/identities/intents', { source: 'public' });
  const { pathname, search } = await provider.visit(String(body['url']), person);
  await browser.get(pathname + search);
  return (await browser.post('/account/identities')).status;
}
async function identityOf(browser: Browser, source: string): Promise<number> {
  const identities = listOf<{ id: number; source: string }>(await browser.get('/account/identities'));
  return identities.find((identity) => identity.source === source)?.id ?? 0;
}
const unlink = async (browser: Browser, source: string) =>
  browser.delete(`/account/identities/${await identityOf(browser, source)}`);
const addressOf = async (browser: Browser) => (await browser.get('/account')).body['email'];

/** A person with an identity of a company and a private one, signed in by the latter. */
async function employee(work = company()) {
  const home = provider.person();
  expect(await link(await fixture.signedUp(work), home)).toBe(201);
  const browser = new Browser(replica.url);
  await browser.signIn(provider, home, 'public');
  return { work, home, browser };
}

async function invite(acme: TestTenant, { email }: Person, roles = [acme.roles.viewer]) {
  const { status, body } = await acme.admin.post(`${acme.path}/invitations`, { email, roles });
  return { status, code: body['code'], place: `/account/invitations/${String(body['id'])}` };
}
const invitationsOf = async (browser: Browser) =>
  listOf<{ email: string }>(await browser.get('/account/invitations')).map(({ email }) => email);

describe('what is sent to the address of an identity', () => {
  test('is for the account that it is linked to, beside other addresses', async () => {
    const acme = await a.tenant();
    const { work, home, browser } = await employee();
    expect(await addressOf(browser)).toBe(work.email);
    const other = await a.tenant();
    const sent = [await invite(acme, home), await invite(other, work)];
    expect((await invitationsOf(browser)).sort()).toEqual([home.email, work.email].sort());
    for (const { place } of sent) expect((await browser.put(`${place}/accept`)).status).toBe(204);
    expect((await invite(acme, work)).code).toBe('already_member');
    expect((await invite(acme, home)).code).toBe('already_member');
  });

  test('is for no account once it is unlinked: neither listed, exported, accepted nor rejected', async () => {
    const acme = await a.tenant();
    const { work, home, browser } = await employee();
    const { place } = await invite(acme, work);
    expect((await unlink(browser, 'test')).status).toBe(204);
    expect(await invitationsOf(browser)).toEqual([]);
    expect((await browser.get('/account/export')).body['invitations']).toEqual([]);
    for (const answer of ['accept', 'reject'])
      expect(refusal(await browser.at(second.url).put(`${place}/${answer}`))).toBe('404 not_found');
    expect(await addressOf(browser)).toBe(home.email);
  });

  test('is not accepted by an answer that waits while it is unlinked', async () => {
    const acme = await a.tenant();
    const { work, browser } = await employee();
    const { place } = await invite(acme, work);
    const { id } = (await browser.get('/account')).body;
    const linked = await identityOf(browser, 'test');
    const answer = await a.whileLocked(
      [
        ['SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [id]],
        ['DELETE FROM identities WHERE id = $1', [linked]],
      ],
      () => browser.put(`${place}/accept`),
    );
    expect(refusal(answer)).toBe('404 not_found');
    expect(itemsOf(await browser.get('/tenants'))).toEqual([]);
  });

  test('goes with it when the provider says another address, and is for no account when it says none', async () => {
    const [acme, other] = [await a.tenant(), await a.tenant()];
    const person = company();
    const former = { ...person };
    const browser = await fixture.signedUp(person);
    person.email = company().email;
    const signedIn = await browser.signIn(provider, person);
    expect(signedIn.body['email']).toBe(person.email);
    const [toFormer, toPresent] = [await invite(acme, former), await invite(other, person)];
    expect(await invitationsOf(browser)).toEqual([person.email]);
    expect((await browser.put(`${toFormer.place}/accept`)).status).toBe(404);
    person.email_verified = false;
    await browser.signIn(provider, person);
    expect(await invitationsOf(browser)).toEqual([]);
    expect((await browser.put(`${toPresent.place}/accept`)).status).toBe(404);
    expect(await addressOf(browser)).toBe(person.email);
  });
});

describe('the address of an account', () => {
  test('falls to another linked identity, also in the list of members, and can be invited anew', async () => {
    const acme = await a.tenant();
    const { work, home, browser } = await employee();
    await browser.put(`${(await invite(acme, work)).place}/accept`);
    const shown = async () => itemsOf(await acme.admin.get(`${acme.path}/members`))[0]?.['email'];
    expect(await shown()).toBe(work.email);
    expect((await unlink(browser, 'test')).status).toBe(204);
    expect(await shown()).toBe(home.email);
    expect((await invite(acme, home)).code).toBe('already_member');
    expect((await invite(acme, work)).status).toBe(201);
    // a person with the address now founds another account
    expect((await new Browser(second.url).signUp(provider, provider.person(work.email))).status).toBe(201);
  });

  test('is kept where no other identity has a verified one that is free', async () => {
    const work = company();
    const browser = await fixture.signedUp(work);
    const home = provider.person(undefined, { email_verified: false });
    expect(await link(browser, home)).toBe(201);
    const byHome = new Browser(second.url);
    await byHome.signIn(provider, home, 'public');
    expect(refusal(await unlink(byHome, 'test'))).toBe('409 state_conflict');
    const neighbour = provider.person();
    await fixture.signedUp(neighbour);
    Object.assign(home, { email: neighbour.email, email_verified: true });
    await byHome.signIn(provider, home, 'public');
    expect(refusal(await unlink(byHome, 'test'))).toBe('409 state_conflict');
    expect(await addressOf(byHome)).toBe(work.email);
    expect((await unlink(byHome, 'public')).status).toBe(204);
  });

  test('links no other identity when no identity has it any more', async () => {
    const person = company('corp.test');
    const browser = await fixture.signedUp(person);
    const address = person.email;
    person.email_verified = false;
    await browser.signIn(provider, person);
    const successor = await new Browser(second.url).signIn(provider, provider.person(address), 'corporate');
    expect(refusal(successor)).toBe('409 account_exists');
    expect((await browser.get('/account/identities')).body).toHaveLength(1);
  });
});

describe('a domain', () => {
  test('is not claimed by a founder whose identity of it is unlinked', async () => {
    const { home, browser } = await employee();
    await unlink(browser, 'test');
    const { body } = await browser.post('/tenants', { name: 'Mine' });
    expect(body).toMatchObject({ has_custom_email_domain: false, email: home.email });
  });

  test('lets no person join whose identity of it is unlinked before the request is approved', async () => {
    const founder = company();
    const { owner, path } = await fixture.founder(founder);
    const locks = { block_external_invitations: false, enforce_domain_only_invitations: false };
    await owner.put(`${path}/config`, { join_policy: 'request_to_join', ...locks });
    const { browser } = await employee(company(founder.email.split('@')[1]));
    await unlink(browser, 'test');
    const [request] = itemsOf(await owner.get(`${path}/join_requests`));
    const approved = await owner.put(`${path}/join_requests/${String(request?.['id'])}/approve`);
    expect(refusal(approved)).toBe('409 state_conflict');
    expect(itemsOf(await browser.get('/tenants'))).toEqual([]);
    expect((await owner.put(`${path}/join_requests/${String(request?.['id'])}/reject`)).status).toBe(204);
  });
});
