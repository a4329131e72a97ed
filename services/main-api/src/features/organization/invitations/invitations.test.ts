import { randomUUID } from 'node:crypto';
import { idOf, type InvitationId, type UserId } from '@sluice/contracts';
import { createLog, createUnitOfWork, system } from '@sluice/service-kit';
import { client, eventually } from '@sluice/testing';
import type { DataSource } from 'typeorm';
import { fieldIssues, itemsOf, mainApi, refusal } from '#test/main-api.ts';
import { catalogueFile } from '#test/settings.ts';
import type { TestTenant } from '#test/tenants.ts';
import { loadCatalogue } from '../../../catalogue/catalogue.ts';
import { openDataSource } from '../../../data-source.ts';
import { transactionsOf, type Transaction } from '../../../database.ts';
import { ensureUser } from '../../../stores/users.store.ts';
import { acceptInvitation, rejectInvitation, type Invitee } from './invitation-answers.ts';

let dataSource: DataSource;

const on = mainApi();
const second = on.replica(1);
const region = on.region();
const a = on.tenants();
on.onOpen(async () => {
  dataSource = await openDataSource(on.databaseUrl, 3, createLog('tests', 'error'));
  on.onClose(() => dataSource.destroy());
});

const invitationsOf = (tenant: TestTenant) => `${tenant.path}/invitations`;
const someone = (domain = 'example.com') => `${randomUUID()}@${domain}`;
const invite = (tenant: TestTenant, email = someone(), roles: number[] = []) =>
  tenant.admin.post(invitationsOf(tenant), { email, roles });
const invited = async (tenant: TestTenant, email: string, roles: number[] = []) =>
  Number((await invite(tenant, email, roles)).body['id']);
const membersOf = async (tenant: TestTenant) => itemsOf(await tenant.admin.get(`${tenant.path}/members`));

/** Changes something as the operations of accounts do. */
function change<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  const unit = createUnitOfWork({
    transaction: transactionsOf(dataSource),
    topology: on.topology,
    sender: 'main-api',
    now: () => new Date(),
  });
  return unit({ cause: { ...system.cause, correlation_id: randomUUID() } }, work);
}
async function user(email: string): Promise<Invitee> {
  return { ...(await change((tx) => ensureUser(tx, { name: 'Ina', email }))), email };
}
async function answerCode(
  answering: typeof acceptInvitation | typeof rejectInvitation,
  invitee: Invitee,
  id: number,
): Promise<unknown> {
  const core = { catalogue: await loadCatalogue(catalogueFile), now: () => new Date() };
  return change((tx) => answering(tx, core, invitee, idOf<InvitationId>(id))).then(
    () => 'done',
    (error: { code?: unknown }) => error.code,
  );
}
const accept = (invitee: Invitee, id: number) => answerCode(acceptInvitation, invitee, id);
const reject = (invitee: Invitee, id: number) => answerCode(rejectInvitation, invitee, id);
const endAll = (tenant: TestTenant) =>
  a.sql("UPDATE invitations SET expires_at = now() - interval '1 second' WHERE tenant_id = $1", [tenant.id]);

describe('an invitation', () => {
  test('is recorded, announced, and valid for seven days', async () => {
    const acme = await a.tenant();
    const email = someone();
    const answer = await invite(acme, email, [acme.roles.viewer]);
    const id = Number(answer.body['id']);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('svc-invitation')).toBe(String(id));
    expect(answer.headers.get('location')).toBe(`${invitationsOf(acme)}/${id}`);
    expect(answer.body).toMatchObject({
      id,
      email,
      status: 'pending',
      roles: ['viewer'],
      invited_by: { id: acme.owner.id },
    });
    const { created_at, expires_at } = answer.body;
    expect(Date.parse(String(expires_at)) - Date.parse(String(created_at))).toBe(7 * 24 * 60 * 60 * 1000);
    expect(itemsOf(await acme.admin.get(invitationsOf(acme)))).toEqual([answer.body]);
    for (const type of ['member_invited', 'invitation_created'])
      expect((await region.event(type, answer.headers)).data).toEqual({ email, roles: ['viewer'] });
  });

  describe('that is mailed', () => {
    const own = mainApi({ replicas: 1, environment: { CONSOLE_URL: 'https://console.test/' } });
    const mails = own.mails();
    const tenants = own.tenants();

    test('is sealed, with the way to answer it', async () => {
      const acme = await tenants.tenant();
      const email = someone();
      await invite(acme, email);
      const [mail] = await eventually(async () => {
        const found = await mails.to(email);
        expect(found).toHaveLength(1);
        return found;
      });
      expect(mail).toMatchObject({ template: 'invitation' });
      expect(mail?.content).toMatchObject({
        tenant: 'Acme',
        invited_by: 'Owner',
        url: 'https://console.test/account/invitations',
      });
    });
  });

  test('is taken back while nobody has answered it, and then cannot be accepted', async () => {
    const [acme, other] = [await a.tenant(), await a.tenant()];
    const invitee = await user(someone());
    const id = await invited(acme, invitee.email);
    expect((await other.admin.delete(`${invitationsOf(other)}/${id}`)).status).toBe(404);
    const answer = await acme.admin.delete(`${invitationsOf(acme)}/${id}`);
    expect(answer.status).toBe(204);
    expect(await accept(invitee, id)).toBe('not_found');
    expect((await region.event('invitation_deleted', answer.headers)).data).toEqual({
      email: invitee.email,
      roles: [],
    });
    expect((await acme.admin.delete(`${invitationsOf(acme)}/${id}`)).status).toBe(404);
    const again = await invited(acme, invitee.email);
    expect(await accept(invitee, again)).toBe('done');
    expect(refusal(await acme.admin.delete(`${invitationsOf(acme)}/${again}`))).toEqual([
      409,
      'state_conflict',
    ]);
  });
});

describe('nobody is invited', () => {
  test('who is a member, or has been invited, whatever the case of the address', async () => {
    const acme = await a.tenant();
    const member = await acme.person([]);
    expect(refusal(await invite(acme, member.email.toUpperCase()))).toEqual([400, 'already_member']);
    const email = someone();
    expect((await invite(acme, email)).status).toBe(201);
    expect(refusal(await invite(acme, email.toUpperCase()))).toEqual([400, 'already_invited']);
    await endAll(acme);
    expect((await invite(acme, email)).status).toBe(201);
    const listed = itemsOf(await acme.admin.get(invitationsOf(acme)));
    expect(listed.map(({ status }) => status)).toEqual(['pending', 'expired']);
  });

  test("from outside the tenant's domain and its divisions' subdomains, where it says so", async () => {
    const acme = await a.tenant();
    const domain = `${randomUUID()}.test`;
    await a.sql(
      'UPDATE tenants SET email_domain = $2, enforce_domain_only_invitations = true WHERE id = $1',
      [acme.id, domain],
    );
    await acme.admin.put(`${acme.path}/divisions/${acme.division}`, { email: `team@eng.${domain}` });
    const codes = [];
    for (const name of [domain.toUpperCase(), `eng.${domain}`, `ops.${domain}`, `x${domain}`, 'example.com'])
      codes.push(refusal(await invite(acme, someone(name)))[1]);
    const outside = 'outside_email_domain';
    expect(codes).toEqual([undefined, undefined, outside, outside, outside]);
  });

  test('from a domain that another tenant has locked', async () => {
    const [acme, other] = [await a.tenant(), await a.tenant()];
    const domain = `${randomUUID()}.test`;
    await a.sql('UPDATE tenants SET email_domain = $2, block_external_invitations = true WHERE id = $1', [
      other.id,
      domain,
    ]);
    for (const locked of [domain, `eng.${domain.toUpperCase()}`])
      expect(refusal(await invite(acme, someone(locked)))).toEqual([400, 'email_domain_locked']);
    expect((await invite(acme, someone(`x${domain}`))).status).toBe(201);
    expect((await invite(other, someone(domain))).status).toBe(201);
  });

  test('with roles that the tenant does not have, or more than the caller holds', async () => {
    const [acme, other] = [await a.tenant(), await a.tenant()];
    const unknown = await invite(acme, someone(), [acme.roles.viewer, other.roles.viewer]);
    expect([unknown.status, fieldIssues(unknown)]).toEqual([400, ['/body/roles/1 unknown']]);
    const caller = await acme.with({ tenant: ['member:manage'] });
    const send = (roles: number[]) => caller.post(invitationsOf(acme), { email: someone(), roles });
    expect(refusal(await send([acme.roles.billing]))).toEqual([403, 'privilege_escalation']);
    expect((await send([])).status).toBe(201);
  });

  test('at something that is no address', async () => {
    const acme = await a.tenant();
    expect(fieldIssues(await invite(acme, 'nobody'))).toEqual(['/body/email wrong_format']);
  });

  test('beyond the limits, even when two replicas are asked for the last one at once', async () => {
    const acme = await a.tenant({ overrides: { pending_invitations_limit: 1 } });
    const other = client(second.url, acme.key);
    const answers = await a.atOnce(
      acme.id,
      [acme.admin, other].map((to) => () => to.post(invitationsOf(acme), { email: someone() })),
    );
    expect(answers.map(refusal).sort()).toEqual([
      [201, undefined],
      [409, 'limit_reached'],
    ]);
    await endAll(acme);
    expect((await invite(acme)).status).toBe(201);
  });

  test('twice, when two replicas are asked at once', async () => {
    const acme = await a.tenant();
    const email = someone();
    const answers = await a.atOnce(
      acme.id,
      [acme.admin, client(second.url, acme.key)].map((to) => () => to.post(invitationsOf(acme), { email })),
    );
    expect(answers.map(refusal).sort()).toEqual([
      [201, undefined],
      [400, 'already_invited'],
    ]);
  });

  test('in place of those who have answered, before the seven days are over', async () => {
    const acme = await a.tenant({ overrides: { invitations_limit: 1 } });
    const invitee = await user(someone());
    expect(await reject(invitee, await invited(acme, invitee.email))).toBe('done');
    expect((await invite(acme)).body).toMatchObject({ limit: { name: 'invitations_limit', value: 1 } });
    await endAll(acme);
    expect((await invite(acme)).status).toBe(201);
  });
});

describe('an invitation is answered', () => {
  test('by whoever has the address: they become a member with those of its roles that still exist', async () => {
    const acme = await a.tenant();
    const role = await acme.admin.post(`${acme.path}/roles`, { name: 'gone', permissions: {} });
    const roles = [acme.roles.viewer, Number(role.body['id'])];
    const email = someone();
    const id = await invited(acme, email, roles);
    await acme.admin.delete(`${acme.path}/roles/${roles[1]}`);
    const invitee = await user(email.toUpperCase());
    expect(await accept(await user(someone()), id)).toBe('not_found');
    expect(await accept(invitee, id)).toBe('done');
    expect((await membersOf(acme))[0]).toMatchObject({ id: invitee.id, roles: ['viewer'], active: true });
    const [listed] = itemsOf(await acme.admin.get(invitationsOf(acme)));
    expect(listed).toMatchObject({ status: 'accepted', roles: ['viewer'] });
    await eventually(() => {
      const event = region.events.find(
        ({ type, user }) => type === 'invitation_accepted' && user?.id === invitee.id,
      );
      expect(event?.data).toEqual({ email, roles: ['viewer'] });
    });
  });

  test('once, also when it is accepted twice at the same time', async () => {
    const acme = await a.tenant();
    const invitee = await user(someone());
    const id = await invited(acme, invitee.email);
    const answers = await a.atOnce(acme.id, [
      () => accept(invitee, id),
      () => accept(invitee, id),
      () => reject(invitee, id),
    ]);
    expect([...answers].sort()).toEqual(['done', 'state_conflict', 'state_conflict']);
  });

  test('in time: not after its end', async () => {
    const acme = await a.tenant();
    const invitee = await user(someone());
    const id = await invited(acme, invitee.email);
    await endAll(acme);
    expect(await accept(invitee, id)).toBe('invitation_expired');
    expect(await reject(invitee, id)).toBe('invitation_expired');
    expect(await membersOf(acme)).toHaveLength(1);
  });

  test('by one of two when there is room for one member, and the other can accept later', async () => {
    const acme = await a.tenant({ overrides: { members_limit: 2 } });
    const invitees = [await user(someone()), await user(someone())];
    const ids = await Promise.all(invitees.map(({ email }) => invited(acme, email)));
    const answers = await a.atOnce(
      acme.id,
      invitees.map((invitee, position) => () => accept(invitee, ids[position] ?? 0)),
    );
    expect([...answers].sort()).toEqual(['done', 'limit_reached']);
    const loser = answers.indexOf('limit_reached');
    const [winner] = await membersOf(acme);
    await acme.admin.delete(`${acme.path}/members/${String(winner?.['id'])}`);
    expect(
      await accept(invitees[loser] ?? { id: idOf<UserId>(0), name: '', email: '' }, ids[loser] ?? 0),
    ).toBe('done');
  });
});
