import { randomUUID } from 'node:crypto';
import { client } from '@sluice/testing';
import { Browser } from '#test/browser.ts';
import { fieldIssues, itemsOf, limitReached, listOf, refusal } from '#test/main-api.ts';
import { people } from '#test/people.ts';

const p = people();

const corporate = () => `acme-${randomUUID()}.com`;
const from = (domain: string) => p.provider.person(`${randomUUID()}@${domain}`);

describe('a tenant', () => {
  test('is founded with a division, owned by its founder, and can be used at once', async () => {
    const paula = await p.signedUp();
    const answer = await paula.post('/tenants', {
      name: 'Acme',
      description: 'all of it',
      division: 'sales',
    });
    const tenant = Number(answer.headers.get('svc-tenant'));
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`/tenants/${tenant}`);
    expect(answer.body).toMatchObject({
      id: tenant,
      name: 'Acme',
      description: 'all of it',
      email: (await paula.get('/account')).body['email'],
      owner: true,
      active: true,
      has_custom_email_domain: false,
    });
    const far = paula.at(p.second.url);
    const division = `/tenants/${tenant}/divisions/${answer.headers.get('svc-division')}`;
    expect((await far.get(division)).body).toMatchObject({ name: 'sales' });
    expect((await far.get(`/tenants/${tenant}`)).body).toMatchObject({
      description: 'all of it',
      subscription: { plan: 'pro' },
    });
    expect((await far.put(`${division}`, { protected: true })).status).toBe(204);
    expect((await far.put(`${division}`, { protected: false })).status).toBe(204);
    expect(itemsOf(await paula.get('/tenants'))).toMatchObject([{ description: 'all of it' }]);
    const event = await p.region.event('tenant_created', answer.headers);
    expect([event.tenant_id, event.author?.name]).toEqual([tenant, 'Paula']);
  });

  test('is founded once by requests of a session with one Idempotency-Key, and told once', async () => {
    const person = p.provider.person();
    const paula = await p.signedUp(person);
    const headers = { 'idempotency-key': randomUUID() };
    const found = (browser: Browser, name = 'Acme') => browser.call('POST', '/tenants', { name }, headers);
    const [first, again] = [await found(paula), await found(paula.at(p.second.url))];
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([
      201,
      first.body,
      'true',
    ]);
    expect(refusal(await found(paula, 'Other'))).toBe('409 idempotency_key_reused');
    const elsewhere = new Browser(p.replica.url);
    await elsewhere.signIn(p.provider, person);
    expect(refusal(await found(elsewhere))).toBe('409 idempotent_answer_lost');
    expect(itemsOf(await paula.get('/tenants'))).toHaveLength(1);
    // another user's keys are others
    expect((await found(await p.signedUp())).status).toBe(201);
  });

  test('has its codes mailed to the address that it is founded with', async () => {
    const paula = await p.signedUp();
    const email = `${randomUUID()}@example.com`;
    const { body } = await paula.post('/tenants', { name: 'Acme', email });
    const path = `/tenants/${String(body['id'])}`;
    await paula.put(path, { protected: true });
    const action = { action_type: 'delete_tenant', payload: { tenant_id: body['id'] } };
    expect((await paula.put(`${path}/request_code`, { action })).status).toBe(204);
    expect((await paula.delete(`${path}?code=${await p.mails.code(email)}`)).status).toBe(204);
  });

  test('is founded with the account, or neither is', async () => {
    const person = p.provider.person();
    const paula = new Browser(p.replica.url);
    const both = { tenant: { name: 'Acme' }, invitation: 1 };
    const answer = await paula.signUp(p.provider, person, both);
    expect(fieldIssues(answer)).toEqual(['/body/invitation not_together']);
    const unknown = await paula.post('/account/sign_up', { name: 'Paula', invitation: 999999 });
    expect(fieldIssues(unknown)).toEqual(['/body/invitation unknown']);
    expect((await paula.post('/account/sign_up', { name: 'Paula', tenant: { name: 'Acme' } })).status).toBe(
      201,
    );
    expect(itemsOf(await paula.get('/tenants'))).toMatchObject([{ name: 'Acme', owner: true }]);
  });

  test('is listed to its members only, a page at a time', async () => {
    const paula = await p.signedUp();
    for (const name of ['one', 'two', 'three']) await paula.post('/tenants', { name });
    await p.signedUp(undefined, { tenant: { name: 'another' } });
    const first = await paula.get('/tenants?results=2');
    expect(itemsOf(first).map(({ name }) => name)).toEqual(['three', 'two']);
    expect(first.body).toMatchObject({ total_results: 3, total_pages: 2 });
    expect(itemsOf(await paula.get('/tenants?results=2&page=2')).map(({ name }) => name)).toEqual(['one']);
  });
});

describe('the limits of an account', () => {
  test('let the last tenant be founded once, also on two replicas at once', async () => {
    const paula = await p.signedUp(undefined, { tenant: { name: 'first' } });
    await paula.post('/tenants', { name: 'second' });
    const answers = await Promise.all(
      [paula, paula.at(p.second.url), paula, paula.at(p.second.url)].map((each, number) =>
        each.post('/tenants', { name: `third ${number}` }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const refused = await paula.post('/tenants', { name: 'fourth' });
    expect(refused.body).toMatchObject({ status: 409, ...limitReached('tenants', 3) });
  });

  test('hold for memberships of accepted invitations and founded tenants', async () => {
    const person = p.provider.person();
    const paula = await p.signedUp(person);
    const id = Number((await paula.get('/account')).body['id']);
    await p.on.sql('UPDATE users SET memberships_limit = 1 WHERE id = $1', [id]);
    const inviting = [await p.a.tenant(), await p.a.tenant()];
    for (const { admin, path } of inviting) await admin.post(`${path}/invitations`, { email: person.email });
    const invitations = listOf<{ id: number }>(await paula.get('/account/invitations'));
    const answers = await Promise.all(
      invitations.map((invitation, number) =>
        paula.at(number ? p.second.url : p.replica.url).put(`/account/invitations/${invitation.id}/accept`),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(refusal(await paula.post('/tenants', { name: 'own' }))).toBe('409 limit_reached');
  });
});

describe('a corporate domain', () => {
  test('is claimed by the tenant whose founder has a verified address of it', async () => {
    const domain = corporate();
    const paula = await p.signedUp(from(`mail.eu.${domain.toUpperCase()}`), { tenant: { name: 'Acme' } });
    const [tenant] = itemsOf(await paula.get('/tenants'));
    expect(tenant).toMatchObject({ has_custom_email_domain: true });
    expect((await paula.get(`/tenants/${String(tenant?.['id'])}`)).body).toMatchObject({
      has_custom_email_domain: true,
    });
    expect((await paula.get(`/tenants/${String(tenant?.['id'])}/config`)).body).toMatchObject({
      join_policy: 'invite_only',
      email_domain: domain,
      email_domain_verified_at: expect.any(String) as string,
    });
  });

  test('is not claimed again, neither by a colleague nor by the same person', async () => {
    const domain = corporate();
    const paula = await p.signedUp(from(domain), { tenant: { name: 'Acme' } });
    expect(refusal(await paula.post('/tenants', { name: 'Acme too' }))).toBe('409 domain_claimed');
    const colleague = new Browser(p.replica.url);
    const refused = await colleague.signUp(p.provider, from(domain), { tenant: { name: 'Acme three' } });
    expect(refusal(refused)).toBe('409 domain_claimed');
    expect((await colleague.post('/account/sign_up', { name: 'Carl' })).status).toBe(201);
    expect(refusal(await colleague.post('/tenants', { name: 'Acme four' }))).toBe('409 domain_claimed');
    expect(itemsOf(await colleague.get('/tenants'))).toEqual([]);
  });

  test('is claimed once when two found at once on two replicas', async () => {
    const domain = corporate();
    const founders = [await p.signedUp(from(domain)), (await p.signedUp(from(domain))).at(p.second.url)];
    const answers = await Promise.all(founders.map((each) => each.post('/tenants', { name: 'Acme' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  test.each([
    ['of a free e-mail provider', 'gmail.com', 'test'],
    ['that a public provider has vouched for', 'sluice-customer.com', 'public'],
    ['that is a public suffix itself', 'github.io', 'test'],
    ['below no suffix that there is', 'intranet.corp', 'test'],
  ])('is none for an address %s', async (_case, domain, source) => {
    for (let time = 0; time < 2; time++) {
      const paula = new Browser(p.replica.url);
      const { status } = await paula.signUp(p.provider, from(domain), { tenant: { name: 'Acme' } }, source);
      expect(status).toBe(201);
      expect(itemsOf(await paula.get('/tenants'))).toMatchObject([{ has_custom_email_domain: false }]);
    }
  });

  test('below a private suffix is one of its own', async () => {
    const [one, other] = [`${randomUUID()}.github.io`, `${randomUUID()}.github.io`];
    for (const domain of [one, other]) {
      const paula = await p.signedUp(from(domain), { tenant: { name: 'Pages' } });
      expect(itemsOf(await paula.get('/tenants'))).toMatchObject([{ has_custom_email_domain: true }]);
    }
  });
});

describe('a member leaves', () => {
  test('and neither their sessions nor their keys give access by the time of the answer', async () => {
    const acme = await p.a.tenant();
    const person = p.provider.person();
    const member = await p.joined(acme, [acme.roles.admin], person);
    await member.put('/account/settings', { default_tenant_id: acme.id });
    const expiry_at = new Date(Date.now() + 60_000).toISOString();
    const input = { name: 'own', role_id: acme.roles.viewer, expiry_at };
    const made = await member.post(`${acme.path}/api_keys`, input);
    const key = String(made.body['token']);
    expect((await client(p.second.url, key).get(acme.path)).status).toBe(200);

    const answer = await member.delete(`${acme.path}/membership`);
    expect(answer.status).toBe(204);
    expect(refusal(await client(p.second.url, key).get(acme.path))).toBe('401 unauthenticated');
    expect(refusal(await member.at(p.second.url).get(acme.path))).toBe('403 forbidden');
    expect((await member.get('/account')).body).toMatchObject({ settings: { default_tenant_id: null } });
    expect((await p.region.event('member_left', answer.headers)).data).toEqual({ email: person.email });
    expect(refusal(await member.delete(`${acme.path}/membership`))).toBe('403 forbidden');
  });

  test('but not the owner, and not by a key', async () => {
    const { owner, path } = await p.founder();
    expect(refusal(await owner.delete(`${path}/membership`))).toBe('400 owner_cannot_leave');
    const acme = await p.a.tenant();
    expect(refusal(await acme.admin.delete(`${acme.path}/membership`))).toBe('403 session_required');
  });
});
