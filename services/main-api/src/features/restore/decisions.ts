import type { TenantId } from '@sluice/contracts';
import { knownMessages } from '@sluice/messaging';
import { Problem, system, type Log } from '@sluice/service';
import { featuresOf } from '@sluice/catalogue/features';
import { changeOf } from '../../changes.ts';
import type { Core } from '../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import { findKeyOfToken, listKeysById, setSecurity } from '@sluice/main-store/api-keys.store';
import { deploymentsExist } from '@sluice/main-store/deployments.store';
import { isUnderReview } from '@sluice/grant-publication/grants.store';
import { assignRole, findMembers, listUsersOfRoles, setActive } from '@sluice/main-store/members.store';
import {
  type DifferenceKind,
  type DifferenceRow,
  deleteMootDifferences,
  listDecided,
  lockDecided,
  reopen,
  setCarriedOut,
} from './restore-differences.store.ts';
import { batches } from '@sluice/main-store/rows';
import { findRole, findRoleByName, insertRole, updateRole } from '@sluice/main-store/roles.store';
import {
  findTerms,
  lockTenant,
  lockTenants,
  lockTenantToDelete,
  type TenantTerms,
} from '@sluice/main-store/tenants.store';
import { findUser } from '@sluice/main-store/users.store';
import { grantToKeys } from '@sluice/grant-publication/key-grants';
import { republishGrantsOf } from '@sluice/grant-publication/republish';
import { addMember } from '../organization/members/membership.ts';
import { deleteTenantAndAllInIt } from '../organization/tenants/tenant-deletion.ts';
import { CannotDecide } from './cannot-decide.ts';
import { applyClaims, isAsSeen } from './claimed-changes.ts';
import { addClaim, type Claims } from './claims.ts';
import {
  eventsLostSchema,
  keyEnlargedSchema,
  keyMadeSchema,
  memberSchema,
  roleEnlargedSchema,
  roleMadeSchema,
  tenantDeletedSchema,
} from './difference-details.ts';
import { adoptKey } from './made-keys.ts';
import { deleteToken, tokenOfGrantKey } from './tokens.ts';

type Deciding = Pick<Core, 'database' | 'work' | 'catalogue' | 'now'> & { log: Log };
type Effect = (tx: Transaction, difference: DifferenceRow, deciding: Deciding) => Promise<void>;

const batchSize = 100;

/**
 * Carries out what operators have decided about differences: each in a transaction of its own, once among all replicas. One that
 * cannot be carried out is open again, with the reason.
 */
export async function carryOutDecisions(deciding: Deciding): Promise<void> {
  const { database } = deciding;
  if (await isUnderReview(database)) return;
  await deleteMootDifferences(database);
  const list = (after: number) => listDecided(database, after, batchSize);
  for await (const ids of batches(0, list, (id) => id))
    for (const id of ids) await tryToCarryOut(deciding, id);
}

async function tryToCarryOut(deciding: Deciding, id: number): Promise<void> {
  try {
    await carryOut(deciding, id);
  } catch (error) {
    if (!(error instanceof CannotDecide || error instanceof Problem)) throw error;
    await reopen(deciding.database, id, error.message);
    deciding.log.warn('a decision about a restore could not be carried out', { id, error });
  }
}

async function carryOut(deciding: Deciding, id: number): Promise<void> {
  await deciding.work(system, async (tx) => {
    const difference = await lockDecided(tx, id);
    if (!difference?.decision) return;
    const { kind, decision, tenant_id, about, person } = difference;
    if (tenant_id !== null)
      tx.emit(
        'restore_difference_decided',
        { tenant_id },
        {
          kind,
          about: person === null ? about : `${about} of ${person}`,
          decision: decision === 'apply' ? 'applied' : 'rejected',
        },
      );
    await effects[kind][decision](tx, difference, deciding);
    await setCarriedOut(tx, id);
    deciding.log.info('a difference after a restore was decided', { id, kind, decision, tenant: tenant_id });
  });
}

const asItIs: Effect = async () => {};
const thaw: Effect = (tx, { subject }) => tx.setFrozen([subject], false);

const effects: Record<DifferenceKind, Record<'apply' | 'reject', Effect>> = {
  key_unjudged: { apply: thaw, reject: (tx, { subject }) => deleteToken(tx, subject) },
  key_enlarged: { apply: takeAddresses, reject: thaw },
  key_made: {
    async apply(tx, { subject, detail }) {
      const { grant, role_id } = keyMadeSchema.parse(detail);
      await adoptKey(tx, subject, grant, role_id);
    },
    async reject(tx, { subject, detail }) {
      if (keyMadeSchema.parse(detail).grant) await tx.setGrants([[subject, null]]);
    },
  },
  member_added: { apply: addFormerMember, reject: asItIs },
  member_enlarged: { apply: enlargeMember, reject: asItIs },
  role_enlarged: { apply: enlargeRole, reject: asItIs },
  role_made: { apply: makeRole, reject: asItIs },
  tenant_deleted: { apply: deleteTenantAgain, reject: openTenant },
  events_lost: { apply: compareLoggedEvents, reject: asItIs },
};

/** What its role and its user's roles have got is decided by itself. */
async function takeAddresses(tx: Transaction, { subject, detail }: DifferenceRow): Promise<void> {
  const { grant } = keyEnlargedSchema.parse(detail);
  await tx.setFrozen([subject], false);
  const key = await findKeyOfToken(tx, tokenOfGrantKey(subject).hash);
  if (!key) return;
  await lockTenant(tx, key.tenant_id);
  const { allowed_ips } = grant;
  await setSecurity(tx, key.id, { validate_ip: allowed_ips !== null, allowed_ips: allowed_ips ?? [] });
  await grantToKeys(tx, await listKeysById(tx, [key.id]));
}

/** @throws CannotDecide */
async function lockKnownTenant(tx: Transaction, id: TenantId | null): Promise<TenantTerms> {
  const [known] = id === null ? [] : await findTerms(tx, [id]);
  if (!known) throw new CannotDecide('There is no such tenant.');
  return await lockTenant(tx, known.id);
}

async function addFormerMember(
  tx: Transaction,
  { tenant_id, detail }: DifferenceRow,
  { catalogue }: Deciding,
): Promise<void> {
  const { user_id, active } = memberSchema.parse(detail);
  const tenant = await lockKnownTenant(tx, tenant_id);
  if (!(await findUser(tx, user_id)))
    throw new CannotDecide('The copy does not have the person: they sign up, and are invited again.');
  await addMember(tx, { catalogue }, tenant, user_id, await rolesOf(tx, tenant.id, detail));
  const [member] = await findMembers(tx, tenant.id, [user_id]);
  if (active || !member) return;
  await setActive(tx, member.membership_id, false);
  await republishGrantsOf(tx, tenant.id, [user_id]);
}

/** The roles that a difference gives. @throws CannotDecide naming one that there is not */
async function rolesOf(tx: Transaction, tenantId: TenantId, detail: unknown) {
  const { role_ids, missing } = memberSchema.parse(detail);
  const found = [...role_ids];
  for (const name of missing) {
    const role = await findRoleByName(tx, tenantId, name);
    if (!role) throw new CannotDecide(`There is no role '${name}': make it first.`);
    found.push(role.id);
  }
  for (const id of found)
    if (!(await findRole(tx, tenantId, id))) throw new CannotDecide(`There is no role ${id} any more.`);
  return found;
}

async function enlargeMember(tx: Transaction, { tenant_id, detail }: DifferenceRow): Promise<void> {
  const { user_id, active } = memberSchema.parse(detail);
  const { id: tenantId } = await lockKnownTenant(tx, tenant_id);
  const [member] = await findMembers(tx, tenantId, [user_id]);
  if (!member) throw new CannotDecide('The person is no member any more.');
  for (const id of await rolesOf(tx, tenantId, detail)) {
    const role = await findRole(tx, tenantId, id);
    const given = role ? await assignRole(tx, tenantId, id, [user_id]) : [];
    for (const user of given)
      tx.emit('role_assigned', { tenant_id: tenantId, user }, { role: { id, name: role?.name ?? '' } });
  }
  if (active && !member.active) {
    await setActive(tx, member.membership_id, true);
    const user = { id: member.id, name: member.name };
    tx.emit('member_updated', { tenant_id: tenantId, user }, changeOf({ active: false }, { active: true }));
  }
  await republishGrantsOf(tx, tenantId, [user_id]);
}

async function enlargeRole(tx: Transaction, { tenant_id, detail }: DifferenceRow): Promise<void> {
  const { role_id, permissions, seen } = roleEnlargedSchema.parse(detail);
  const { id: tenantId } = await lockKnownTenant(tx, tenant_id);
  const role = await findRole(tx, tenantId, role_id);
  if (!role) throw new CannotDecide('There is no such role any more.');
  if (!isAsSeen(role, seen))
    throw new CannotDecide('The role was changed since the review: change it by hand.');
  await updateRole(tx, role_id, { permissions });
  await republishGrantsOf(tx, tenantId, await listUsersOfRoles(tx, [role_id]));
  const change = changeOf({ permissions: role.permissions }, { permissions });
  tx.emit('role_updated', { tenant_id: tenantId }, { name: role.name, ...change });
}

async function makeRole(tx: Transaction, { tenant_id, detail }: DifferenceRow): Promise<void> {
  const { name, permissions } = roleMadeSchema.parse(detail);
  const { id } = await lockKnownTenant(tx, tenant_id);
  if (!permissions) throw new CannotDecide('What the role grants is not known: make it by hand.');
  await insertRole(tx, { tenant_id: id, name, permissions });
  tx.emit('role_created', { tenant_id: id }, { name });
}

async function deleteTenantAgain(
  tx: Transaction,
  { tenant_id }: DifferenceRow,
  { catalogue, now }: Deciding,
): Promise<void> {
  if (tenant_id === null) return;
  const terms = await lockKnownTenant(tx, tenant_id);
  const tenant = await lockTenantToDelete(tx, tenant_id);
  if (await deploymentsExist(tx, { tenant_id })) throw new CannotDecide('The tenant has deployments.');
  const { audit_retention_days } = featuresOf(catalogue, terms);
  await deleteTenantAndAllInIt(tx, tenant_id, now());
  tx.emit('tenant_deleted', { tenant_id }, { name: tenant.name, audit_retention_days });
}

async function openTenant(tx: Transaction, { tenant_id, detail }: DifferenceRow): Promise<void> {
  const { deactivated } = tenantDeletedSchema.parse(detail);
  const { id } = await lockKnownTenant(tx, tenant_id);
  const members = await findMembers(tx, id, deactivated);
  for (const { membership_id } of members) await setActive(tx, membership_id, true);
  await republishGrantsOf(tx, id, deactivated);
}

/**
 * Compares the tables with the events that the audit log has: those since the copy, and those after the restore, since what people have
 * changed meanwhile is newer. Keys are compared by the former alone: the tables have other tokens than the copy by the latter.
 */
async function compareLoggedEvents(
  tx: Transaction,
  { detail }: DifferenceRow,
  { now }: Deciding,
): Promise<void> {
  const { known, events = [] } = eventsLostSchema.parse(detail);
  const inCopy = new Set(known);
  const ids = events.map(({ id }) => id);
  const sentSince = new Set(await knownMessages(tx, ids));
  const claims: Claims = new Map();
  for (const event of events)
    if (!inCopy.has(event.id) && !(event.type.startsWith('api_key_') && sentSince.has(event.id)))
      addClaim(claims, event);
  const tenants = (await findTerms(tx, [...claims.keys()])).map(({ id }) => id);
  await lockTenants(tx, tenants);
  for (const id of tenants) {
    const claimed = claims.get(id);
    if (claimed) await applyClaims(tx, id, claimed, now());
  }
}
