import type { Answer } from '@sluice/testing';
import { Browser } from '#test/browser.ts';
import { fieldIssues, itemsOf, listOf, refusal } from '#test/main-api.ts';
import { people } from '#test/people.ts';

let now = Date.now();
const p = people({ clock: () => new Date(now) });

afterEach(() => {
  now = Date.now();
});

const defaults = (default_tenant_id: unknown, default_division_id: unknown = null) => ({
  default_tenant_id,
  default_division_id,
});
const day = 24 * 60 * 60 * 1000;
const invitationsOf = (answer: Answer) => listOf<{ id: number; status: string }>(answer);

/** A person whom a tenant has invited as admin. */
async function invited() {
  const acme = await p.a.tenant();
  const person = p.provider.person();
  await acme.admin.post(`${acme.path}/invitations`, { email: person.email, roles: [acme.roles.admin] });
  const paula = await p.signedUp(person);
  const [invitation] = invitationsOf(await paula.get('/account/invitations'));
  return { acme, person, paula, place: `/account/invitations/${invitation?.id}` };
}

/** Founds two tenants. @returns the ids of the first and its division, and that of the other */
async function foundTwo(paula: Browser) {
  const one = await paula.post('/tenants', { name: 'one' });
  const other = await paula.post('/tenants', { name: 'other' });
  return {
    tenant: one.body['id'],
    division: Number(one.headers.get('svc-division')),
    other: other.body['id'],
  };
}

describe('the settings', () => {
  test('name a tenant and a division that the user sees; null clears, absent keeps', async () => {
    const person = p.provider.person();
    const paula = await p.signedUp(person);
    const { tenant, division, other } = await foundTwo(paula);
    const settings = async () => (await paula.get('/account')).body['settings'];
    const put = async (body: object) => (await paula.put('/account/settings', body)).status;

    expect(await put({ default_tenant_id: tenant, default_division_id: division })).toBe(204);
    expect(await settings()).toEqual(defaults(tenant, division));
    const signedIn = await new Browser(p.second.url).signIn(p.provider, person);
    expect(signedIn.body['settings']).toEqual(defaults(tenant, division));
    expect(await put({})).toBe(204);
    expect(await settings()).toEqual(defaults(tenant, division));
    expect(await put({ default_division_id: null })).toBe(204);
    expect(await settings()).toEqual(defaults(tenant, null));
    expect(await put({ default_division_id: division })).toBe(204);
    expect(await put({ default_tenant_id: other })).toBe(204);
    expect(await settings()).toEqual(defaults(other, null));
    expect(await put({ default_tenant_id: null })).toBe(204);
    expect(await settings()).toEqual(defaults(null, null));
  });

  test('are recorded where they concern a tenant, with what was before and without those of others', async () => {
    const paula = await p.signedUp();
    const { tenant: first, division, other: second } = await foundTwo(paula);
    const recorded = async (body: object) => {
      const { headers } = await paula.put('/account/settings', body);
      await p.region.event('account_settings_updated', headers);
      return p.region.eventsOfRequests(headers).map(({ tenant_id, data }) => ({ tenant_id, data }));
    };
    expect(await recorded(defaults(first, division))).toEqual([
      { tenant_id: first, data: { changes: defaults(first, division), former: defaults(null) } },
    ]);
    const moved = { changes: { default_tenant_id: second }, former: { default_tenant_id: null } };
    expect(await recorded({ default_tenant_id: second })).toEqual(
      expect.arrayContaining([
        { tenant_id: first, data: { changes: defaults(null), former: defaults(first, division) } },
        { tenant_id: second, data: moved },
      ]),
    );
  });

  test('name nothing that the user does not see', async () => {
    const acme = await p.a.tenant();
    const paula = await p.signedUp();
    const own = await paula.post('/tenants', { name: 'own' });
    const rows: [body: object, issue: string][] = [
      [{ default_tenant_id: acme.id }, 'tenant_id unknown'],
      [{ default_tenant_id: 999999 }, 'tenant_id unknown'],
      [{ default_tenant_id: 'x' }, 'tenant_id wrong_type'],
      [{ default_division_id: acme.division }, 'division_id not_together'],
      [defaults(own.body['id'], acme.division), 'division_id unknown'],
    ];
    for (const [body, issue] of rows)
      expect(fieldIssues(await paula.put('/account/settings', body))).toEqual([`/body/default_${issue}`]);
  });

  test('forget a division that is deleted', async () => {
    const paula = await p.signedUp();
    const { tenant, division } = await foundTwo(paula);
    await paula.put('/account/settings', defaults(tenant, division));
    expect((await paula.delete(`/tenants/${String(tenant)}/divisions/${division}`)).status).toBe(204);
    expect((await paula.get('/account')).body['settings']).toEqual(defaults(tenant));
  });
});

describe('an invitation', () => {
  test('is accepted, and gives its roles on all replicas by the time of the answer', async () => {
    const { acme, paula, place } = await invited();
    expect(invitationsOf(await paula.get('/account/invitations'))).toMatchObject([
      { status: 'pending', roles: ['admin'], tenant: { id: acme.id, name: 'Acme' } },
    ]);
    const answer = await paula.put(`${place}/accept`);
    expect(answer.status).toBe(204);
    expect((await paula.at(p.second.url).post(`${acme.path}/divisions`, { name: 'x' })).status).toBe(201);
    expect((await p.region.event('invitation_accepted', answer.headers)).author?.name).toBe('Paula');
    expect(itemsOf(await paula.get('/tenants'))).toMatchObject([{ id: acme.id, owner: false }]);
  });

  test('is answered once, also on two replicas at once', async () => {
    const { acme, paula, place } = await invited();
    const answers = await p.a.atOnce(acme.id, [
      () => paula.put(`${place}/accept`),
      () => paula.at(p.second.url).put(`${place}/accept`),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(refusal(await paula.put(`${place}/reject`))).toBe('409 state_conflict');
    expect(itemsOf(await acme.admin.get(`${acme.path}/members`))).toHaveLength(2);
  });

  test('is rejected for good', async () => {
    const { acme, paula, place } = await invited();
    const answer = await paula.put(`${place}/reject`);
    expect(answer.status).toBe(204);
    expect(await p.region.event('invitation_rejected', answer.headers)).toBeTruthy();
    expect(refusal(await paula.put(`${place}/accept`))).toBe('409 state_conflict');
    expect(refusal(await paula.get(acme.path))).toBe('403 forbidden');
  });

  test('is over after seven days', async () => {
    const { person, place } = await invited();
    now += 7 * day;
    const paula = new Browser(p.replica.url);
    await paula.signIn(p.provider, person);
    expect(invitationsOf(await paula.get('/account/invitations'))).toMatchObject([{ status: 'expired' }]);
    for (const answer of ['accept', 'reject'])
      expect(refusal(await paula.put(`${place}/${answer}`))).toBe('410 invitation_expired');
  });

  test('is not found by others', async () => {
    const { place } = await invited();
    const stranger = await p.signedUp();
    expect(invitationsOf(await stranger.get('/account/invitations'))).toEqual([]);
    for (const answer of ['accept', 'reject'])
      expect(refusal(await stranger.put(`${place}/${answer}`))).toBe('404 not_found');
  });

  test('is taken with the sign-up', async () => {
    const acme = await p.a.tenant();
    const person = p.provider.person();
    const input = { email: person.email, roles: [acme.roles.viewer] };
    const invitation = await acme.add(`${acme.path}/invitations`, input);
    const paula = await p.signedUp(person, { invitation });
    expect((await paula.at(p.second.url).get(acme.path)).status).toBe(200);
  });
});

test('the export holds everything about the user and nothing that could be used as a credential', async () => {
  const { acme, person, paula, place } = await invited();
  await paula.put(`${place}/accept`);
  const expiry_at = new Date(Date.now() + day).toISOString();
  const input = { name: 'ci', role_id: acme.roles.viewer, expiry_at };
  const key = await paula.post(`${acme.path}/api_keys`, input);
  const answer = await paula.get('/account/export');
  expect(answer.body).toMatchObject({
    profile: { name: 'Paula', email: person.email, limits: { tenants: 3, memberships: 10 } },
    identities: [{ source: 'test', subject: person.subject, email: person.email }],
    sessions: [{ source: 'test' }],
    memberships: [{ tenant_id: acme.id, tenant_name: 'Acme', owner: false, active: true, roles: ['admin'] }],
    api_keys: [{ tenant_id: acme.id, name: 'ci' }],
    invitations: [{ tenant_id: acme.id, status: 'accepted' }],
    join_requests: [],
  });
  const text = JSON.stringify(answer.body);
  const hashes = await p.on.sql<{ token_sha256: string }>(
    'SELECT token_sha256 FROM sessions UNION ALL SELECT token_sha256 FROM api_keys',
  );
  expect(hashes.length).toBeGreaterThan(2);
  const secrets = [
    paula.csrf,
    paula.cookies.get('sluice_session'),
    key.body['token'],
    ...hashes.map(({ token_sha256 }) => token_sha256),
  ];
  for (const secret of secrets) expect(text).not.toContain(String(secret));
});
