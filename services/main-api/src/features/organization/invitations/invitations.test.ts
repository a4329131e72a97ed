import { randomUUID } from 'node:crypto';
import {
  idOf,
  type InvitationId,
  type MailAbout,
  type Ref,
  type ReportData,
  type Sender,
  type UserId,
} from '@sluice/contracts';
import { createLog, system } from '@sluice/service';
import { client, eventually, say } from '@sluice/testing';
import type { DataSource } from 'typeorm';
import { fieldIssues, itemsOf, limitReached, mainApi, refusal } from '#test/main-api.ts';
import { Mails } from '#test/mails.ts';
import { catalogueFile } from '#test/settings.ts';
import type { TestTenant } from '#test/tenants.ts';
import { loadCatalogue } from '@sluice/catalogue/catalogue';
import { openDataSource } from '../../../data-source.ts';
import type { Transaction } from '@sluice/main-store/database';
import { lockTenant } from '@sluice/main-store/tenants.store';
import { insertIdentity } from '@sluice/main-store/identities.store';
import { insertUser } from '@sluice/main-store/users.store';
import { offlineUnitOfWork } from '@sluice/grant-publication/publication/offline-work';
import { acceptInvitation, rejectInvitation } from './invitation-answers.ts';

let dataSource: DataSource;

const on = mainApi();
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
  return offlineUnitOfWork(dataSource, on.topology)(
    { cause: { ...system.cause, correlation_id: randomUUID() } },
    work,
  );
}
interface Invitee extends Ref<UserId> {
  email: string;
}
/** A user with an address that a provider has verified. */
const user = (email: string): Promise<Invitee> =>
  change(async (tx) => {
    const { id, name } = await insertUser(tx, { name: 'Ina', email });
    const identity = { source: 'test', subject: randomUUID(), corporate_domain: null };
    await insertIdentity(tx, id, { ...identity, email, email_verified: true });
    return { id, name, email };
  });
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
/** Claims a domain for a tenant, with these locks. */
const withDomain = async (tenant: TestTenant, domain: string, locks: object) => {
  await on.sql('UPDATE tenants SET email_domain = $2 WHERE id = $1', [tenant.id, domain]);
  const open = { block_external_invitations: false, enforce_domain_only_invitations: false };
  const config = { join_policy: 'invite_only', ...open, ...locks };
  expect((await tenant.admin.put(`${tenant.path}/config`, config)).status).toBe(204);
};
const endAll = (tenant: TestTenant) =>
  on.sql(
    `UPDATE invitations SET expires_at = now() - interval '1 second', created_at = now() - interval '7 days 1 second'
     WHERE tenant_id = $1`,
    [tenant.id],
  );

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
    expect((await acme.admin.get(`${invitationsOf(acme)}/${id}`)).body).toEqual(answer.body);
    const other = await a.tenant();
    expect((await other.admin.get(`${invitationsOf(other)}/${id}`)).status).toBe(404);
    const eventData = async (type: string) => (await region.event(type, answer.headers)).data;
    expect(await eventData('member_invited')).toEqual({ email, roles: ['viewer'] });
    expect(await eventData('invitation_created')).toEqual({ email, roles: ['viewer'], tenant: 'Acme' });
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

  test('is taken back before it is answered, and then cannot be accepted', async () => {
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
    expect((await acme.admin.get(`${invitationsOf(acme)}/${id}`)).status).toBe(404);
    expect(itemsOf(await acme.admin.get(invitationsOf(acme)))).toEqual([]);
    const again = await invited(acme, invitee.email);
    expect(await accept(invitee, again)).toBe('done');
    expect(refusal(await acme.admin.delete(`${invitationsOf(acme)}/${again}`))).toBe('409 state_conflict');
  });
});

describe('an invitation is refused', () => {
  test('to a member, or twice, in any case of the letters of the address', async () => {
    const acme = await a.tenant();
    const member = await acme.person([]);
    expect(refusal(await invite(acme, member.email.toUpperCase()))).toBe('400 already_member');
    const email = someone();
    expect((await invite(acme, email)).status).toBe(201);
    expect(refusal(await invite(acme, email.toUpperCase()))).toBe('400 already_invited');
    await endAll(acme);
    expect((await invite(acme, email)).status).toBe(201);
    const listed = itemsOf(await acme.admin.get(invitationsOf(acme)));
    expect(listed.map(({ status }) => status)).toEqual(['pending', 'expired']);
  });

  test("outside of the tenant's domain and its divisions' subdomains, where it says so", async () => {
    const acme = await a.tenant();
    const domain = `${randomUUID()}.test`;
    await withDomain(acme, domain, { enforce_domain_only_invitations: true });
    // an address of a division claims nothing, its subdomain does
    const division = acme.divisionPath;
    await acme.admin.put(division, { email: `team@ops.${domain}`, email_subdomain: 'Eng' });
    const codes = [];
    for (const name of [domain.toUpperCase(), `eng.${domain}`, `ops.${domain}`, `x${domain}`, 'example.com'])
      codes.push(refusal(await invite(acme, someone(name))));
    const outside = '400 outside_email_domain';
    expect(codes).toEqual(['201', '201', outside, outside, outside]);
  });

  test('of a domain that another tenant has locked', async () => {
    const [acme, other] = [await a.tenant(), await a.tenant()];
    const domain = `${randomUUID()}.test`;
    await withDomain(other, domain, { block_external_invitations: true });
    for (const locked of [domain, `eng.${domain.toUpperCase()}`])
      expect(refusal(await invite(acme, someone(locked)))).toBe('400 email_domain_locked');
    expect((await invite(acme, someone(`x${domain}`))).status).toBe(201);
    expect((await invite(other, someone(domain))).status).toBe(201);
  });

  test('at what is no address, with roles that the tenant does not have, or more than the caller holds', async () => {
    const [acme, other] = [await a.tenant(), await a.tenant()];
    const unknown = await invite(acme, someone(), [acme.roles.viewer, other.roles.viewer]);
    expect(fieldIssues(unknown)).toEqual(['/body/roles/1 unknown']);
    const caller = await acme.with({ tenant: ['member:manage'] });
    expect(fieldIssues(await invite(acme, 'no address'))).toEqual(['/body/email wrong_format']);
    const send = (roles: number[]) => caller.post(invitationsOf(acme), { email: someone(), roles });
    expect(refusal(await send([acme.roles.billing]))).toBe('403 privilege_escalation');
    expect((await send([])).status).toBe(201);
  });

  test('beyond the limits, even when two replicas are asked for the last one at once', async () => {
    const acme = await a.tenant({ overrides: { pending_invitations_limit: 1 } });
    const answers = await acme.race((to) => to.post(invitationsOf(acme), { email: someone() }));
    expect(answers).toEqual(['201', '409 limit_reached']);
    await endAll(acme);
    expect((await invite(acme)).status).toBe(201);
  });

  test('to an address that is invited on another replica at once', async () => {
    const acme = await a.tenant();
    const email = someone();
    const answers = await acme.race((to) => to.post(invitationsOf(acme), { email }));
    expect(answers).toEqual(['201', '400 already_invited']);
  });

  test('in place of one that was answered, before the seven days are over', async () => {
    const acme = await a.tenant({ overrides: { invitations_limit: 1 } });
    const invitee = await user(someone());
    expect(await reject(invitee, await invited(acme, invitee.email))).toBe('done');
    expect((await invite(acme)).body).toMatchObject(limitReached('invitations_limit', 1));
    await endAll(acme);
    expect((await invite(acme)).status).toBe(201);
  });
});

describe('an invitation gives nothing that its author could not give', () => {
  const withdrawn = 'invitation_withdrawn';
  /** an admin who has invited another one */
  async function invitedByAdmin() {
    const acme = await a.tenant();
    const admin = await acme.person([acme.roles.admin]);
    const theirs = client(on.replica().url, await admin.token({ role_id: acme.roles.admin }));
    const invitee = await user(someone());
    const input = { email: invitee.email, roles: [acme.roles.admin] };
    const id = Number((await theirs.post(invitationsOf(acme), input)).body['id']);
    const member = `${acme.path}/members/${admin.id}`;
    const status = async () => (await acme.admin.get(`${invitationsOf(acme)}/${id}`)).body['status'];
    return { acme, admin, theirs, invitee, id, member, status };
  }

  test('when they have been removed', async () => {
    const { acme, invitee, id, member, status } = await invitedByAdmin();
    expect(await status()).toBe('pending');
    await acme.admin.delete(member);
    expect(await accept(invitee, id)).toBe(withdrawn);
    expect(await status()).toBe('withdrawn');
    expect(await membersOf(acme)).toHaveLength(1);
    // others can invite the same person, and they can decline the first
    expect((await invite(acme, invitee.email)).status).toBe(201);
    expect(await reject(invitee, id)).toBe('done');
  });

  test('while they are not active, and again when they are', async () => {
    const { acme, invitee, id, member, status } = await invitedByAdmin();
    await acme.admin.put(member, { active: false });
    expect(await accept(invitee, id)).toBe(withdrawn);
    await acme.admin.put(member, { active: true });
    expect(await status()).toBe('pending');
    expect(await accept(invitee, id)).toBe('done');
  });

  test('when they hold less, or may not invite any more', async () => {
    const { acme, theirs, invitee, id, member, status } = await invitedByAdmin();
    const modest = await user(someone());
    const plain = Number((await theirs.post(invitationsOf(acme), { email: modest.email })).body['id']);
    const role = await acme.add(`${acme.path}/roles`, {
      name: 'host',
      permissions: { tenant: ['member:manage'] },
    });
    await acme.admin.put(member, { roles: [role] });
    expect([await accept(invitee, id), await status()]).toEqual([withdrawn, 'withdrawn']);
    const { body } = await acme.admin.get(`${invitationsOf(acme)}/${plain}`);
    expect(body['status']).toBe('pending');
    await acme.admin.put(member, { roles: [acme.roles.viewer] });
    expect(await accept(modest, plain)).toBe(withdrawn);
  });

  test('when they cease to be active while the answer waits for that', async () => {
    const { acme, admin, invitee, id } = await invitedByAdmin();
    let answer: Promise<unknown> = Promise.resolve();
    await change(async (tx) => {
      await lockTenant(tx, acme.id);
      await tx.query('UPDATE memberships SET active = false WHERE user_id = $1', [admin.id]);
      answer = accept(invitee, id);
      await a.untilLocked();
    });
    expect(await answer).toBe(withdrawn);
  });
});

describe('the limit of invitations', () => {
  test('counts those of the last seven days, also what was taken back', async () => {
    const acme = await a.tenant({ overrides: { invitations_limit: 2, pending_invitations_limit: 1 } });
    const id = await invited(acme, someone());
    const limitOf = async () => ((await invite(acme)).body['limit'] as { name: string } | undefined)?.name;
    expect(await limitOf()).toBe('pending_invitations_limit');
    await acme.admin.delete(`${invitationsOf(acme)}/${id}`);
    expect(await limitOf()).toBeUndefined();
    await on.sql('UPDATE invitations SET expires_at = now() WHERE tenant_id = $1', [acme.id]);
    expect(await limitOf()).toBe('invitations_limit');
    await endAll(acme);
    expect(await limitOf()).toBeUndefined();
  });
});

describe('an invitation is answered', () => {
  test('by the owner of its address, who becomes a member with those of its roles that still exist', async () => {
    const acme = await a.tenant();
    const roles = [
      acme.roles.viewer,
      await acme.add(`${acme.path}/roles`, { name: 'gone', permissions: {} }),
    ];
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
      const [event] = region.eventsOf('invitation_accepted', { user: invitee.id });
      expect(event?.data).toEqual({ email, roles: ['viewer'], tenant: 'Acme' });
    });
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

describe('a mail that cannot be delivered', () => {
  const reason = 'SMTP 550 5.1.1 no such mailbox (RCPT TO)';
  const report = (about: MailAbout, mail_id: string, to: string) =>
    sayReport('notifier', { mail_id, template: 'invitation', to, reason, about });
  const sayReport = (sender: Sender, data: ReportData<'mail_undeliverable'>) => {
    const head = { id: randomUUID(), type: 'mail_undeliverable', correlation_id: null };
    const message = { ...head, occurred_at: new Date().toISOString(), data };
    return say(on, sender, on.topology.subjects.report(sender, 'mail_undeliverable'), message);
  };
  const recorded = ({ id }: TestTenant) => region.eventsOf('mail_undeliverable', { tenant_id: id });

  test('is recorded once, with the invitation as well, of several reports', async () => {
    const acme = await a.tenant();
    const email = someone();
    const id = await invited(acme, email);
    const [mail] = await eventually(async () => {
      const found = await new Mails(on).to(email);
      expect(found).toHaveLength(1);
      return found;
    });
    expect(mail?.about).toEqual({ tenant_id: acme.id, invitation_id: id });
    const mailId = randomUUID();
    for (let time = 0; time < 2; time++) await report(mail!.about!, mailId, email);
    await region.reportsTaken();
    expect((await acme.admin.get(`${invitationsOf(acme)}/${id}`)).body['mail_failure']).toBe(reason);
    await report({ tenant_id: acme.id }, randomUUID(), email);
    await eventually(() => expect(recorded(acme)).toHaveLength(2));
    expect(recorded(acme)[0]).toMatchObject({
      author: null,
      data: { template: 'invitation', email, reason },
    });
  });

  test('says nothing of the invitation of another tenant, and is believed of the notifier alone', async () => {
    const [acme, other] = [await a.tenant(), await a.tenant()];
    const email = someone();
    const id = await invited(acme, email);
    const about = { tenant_id: other.id, invitation_id: idOf<InvitationId>(id) };
    await report(about, randomUUID(), email);
    const data = { mail_id: randomUUID(), template: 'invitation', to: email, reason };
    await sayReport('audit', { ...data, about: { ...about, tenant_id: acme.id } });
    await region.reportsTaken();
    expect((await acme.admin.get(`${invitationsOf(acme)}/${id}`)).body['mail_failure']).toBeNull();
    await eventually(() => expect(recorded(other)).toHaveLength(1));
    expect(recorded(acme)).toEqual([]);
  });
});
