import { randomUUID } from 'node:crypto';
import { eventually } from '@sluice/testing';
import type { Browser } from '#test/browser.ts';
import { itemsOf, refusal } from '#test/main-api.ts';
import { people } from '#test/people.ts';

const p = people();

const from = (domain: string) => p.provider.person(`${randomUUID()}@${domain}`, { name: 'Carl' });

/** A tenant that has claimed a domain, with this join policy. */
async function claimed(join_policy: string) {
  const domain = `acme-${randomUUID()}.com`;
  const founder = p.provider.person(`${randomUUID()}@${domain}`);
  const { owner, path } = await p.founder(founder);
  const locks = { block_external_invitations: false, enforce_domain_only_invitations: false };
  const { status } = await owner.put(`${path}/config`, { join_policy, ...locks });
  expect(status).toBe(204);
  return { domain, owner, path, ownerEmail: founder.email };
}

/** Agrees with the tenant on how many members it may have, which is for the largest plan. */
async function allowMembers(tenantId: number, members_limit: number): Promise<void> {
  await p.on.sql("UPDATE subscriptions SET plan = 'enterprise' WHERE tenant_id = $1", [tenantId]);
  await p.on.sql('UPDATE tenants SET feature_overrides = $2 WHERE id = $1', [tenantId, { members_limit }]);
}

const joinRequests = async (owner: Browser, path: string) =>
  itemsOf(await owner.get(`${path}/join_requests`));

/** A page of the tenant in the console; without one the API's own address stands for it. */
const linkTo = (path: string, page: string) => `http://127.0.0.1/t/${path.split('/')[2]}/${page}`;

test('open: a person who signs up with an address of the domain is a viewer, and the owner is mailed', async () => {
  const { domain, path, owner, ownerEmail } = await claimed('open');
  const person = from(`mail.${domain}`);
  const carl = await p.signedUp(person);
  const id = (await carl.get('/account')).body['id'];
  expect((await carl.at(p.second.url).get(path)).status).toBe(200);
  expect(refusal(await carl.post(`${path}/divisions`, { name: 'x' }))).toBe('403 forbidden');
  expect(itemsOf(await owner.get(`${path}/members`))).toContainEqual(
    expect.objectContaining({ email: person.email, roles: ['viewer'] }),
  );
  await eventually(async () =>
    expect(await p.mails.to(ownerEmail)).toMatchObject([
      {
        template: 'member_joined',
        content: { tenant: 'Acme', name: 'Carl', email: person.email, url: linkTo(path, 'people') },
      },
    ]),
  );
  await eventually(() => {
    const joined = p.region.eventsOf('member_joined', { user: Number(id) });
    expect(joined.map(({ author, data }) => [author?.id, data])).toEqual([
      [id, { email: person.email, roles: ['viewer'], tenant: 'Acme' }],
    ]);
  });
});

test('open, but without room: the owner is asked', async () => {
  const { domain, owner, path } = await claimed('open');
  const id = Number(path.split('/')[2]);
  await allowMembers(id, 1);
  const carl = await p.signedUp(from(domain));
  expect(itemsOf(await carl.get('/tenants'))).toEqual([]);
  const [request] = await joinRequests(owner, path);
  expect(request).toMatchObject({ status: 'pending', user: { name: 'Carl' } });
  const answer = await owner.put(`${path}/join_requests/${String(request?.['id'])}/approve`);
  expect(refusal(answer)).toBe('409 limit_reached');
  expect(await joinRequests(owner, path)).toMatchObject([{ status: 'pending' }]);
});

test('open: the last place is taken once, also on two replicas at once', async () => {
  const { domain, owner, path } = await claimed('open');
  const id = Number(path.split('/')[2]);
  await allowMembers(id, 2);
  await Promise.all([1, 2, 3].map(() => p.signedUp(from(domain))));
  expect(itemsOf(await owner.get(`${path}/members`))).toHaveLength(2);
  expect(await joinRequests(owner, path)).toHaveLength(2);
});

test('request_to_join: the owner is mailed, and approves: from then on it is a viewer', async () => {
  const { domain, owner, path, ownerEmail } = await claimed('request_to_join');
  const person = from(domain);
  const carl = await p.signedUp(person);
  expect(refusal(await carl.get(path))).toBe('403 forbidden');
  await eventually(async () =>
    expect(await p.mails.to(ownerEmail)).toMatchObject([
      {
        template: 'join_requested',
        content: {
          ...{ tenant: 'Acme', name: 'Carl', email: person.email },
          url: linkTo(path, 'people/join-requests'),
        },
      },
    ]),
  );
  const [request] = await joinRequests(owner, path);
  const place = `${path}/join_requests/${String(request?.['id'])}`;
  const answers = await Promise.all(
    [p.replica, p.second, p.replica, p.second].map(({ url }, number) =>
      owner.at(url).put(`${place}/${number < 2 ? 'approve' : 'reject'}`),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409, 409]);

  const other = await p.signedUp(from(domain));
  const [pending] = await joinRequests(owner, path);
  const approved = await owner.put(`${path}/join_requests/${String(pending?.['id'])}/approve`);
  expect(approved.status).toBe(204);
  expect((await other.at(p.second.url).get(path)).status).toBe(200);
  expect((await p.region.event('join_request_approved', approved.headers)).user?.name).toBe('Carl');
});

test('request_to_join: a rejected person stays outside', async () => {
  const { domain, owner, path } = await claimed('request_to_join');
  const carl = await p.signedUp(from(domain));
  const [request] = await joinRequests(owner, path);
  const rejected = await owner.put(`${path}/join_requests/${String(request?.['id'])}/reject`);
  expect(rejected.status).toBe(204);
  expect(await p.region.event('join_request_rejected', rejected.headers)).toBeTruthy();
  expect(refusal(await carl.get(path))).toBe('403 forbidden');
  expect(await joinRequests(owner, path)).toMatchObject([
    { status: 'rejected', decided_at: expect.any(String) as string },
  ]);
});

test('invite_only: a person who signs up waits for an invitation, without a mail', async () => {
  const { domain, owner, path, ownerEmail } = await claimed('invite_only');
  const person = from(domain);
  const carl = await p.signedUp(person);
  expect(itemsOf(await carl.get('/tenants'))).toEqual([]);
  expect(await joinRequests(owner, path)).toEqual([]);
  expect(await p.mails.to(ownerEmail)).toEqual([]);
});

test('join requests are for those who manage members, and of their own tenant', async () => {
  const { domain, owner, path } = await claimed('request_to_join');
  await p.signedUp(from(domain));
  const [request] = await joinRequests(owner, path);
  const acme = await p.a.tenant();
  expect(
    refusal(await acme.admin.put(`${acme.path}/join_requests/${String(request?.['id'])}/approve`, {})),
  ).toBe('404 not_found');
  const reader = await acme.with({ tenant: ['member:read'] });
  expect(refusal(await reader.get(`${acme.path}/join_requests`))).toBe('403 forbidden');
});
