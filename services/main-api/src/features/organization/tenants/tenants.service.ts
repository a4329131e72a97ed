import type { TenantId } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { BodyOf } from '@sluice/http';
import { problem } from '@sluice/service';
import { featuresOf, tierLimit } from '@sluice/catalogue/features';
import { changeOf, changesTo } from '../../../changes.ts';
import type { Core } from '../../../core.ts';
import type { Database, Transaction } from '@sluice/main-store/database';
import type { operations } from '../../../generated/api.ts';
import { sendMail } from '../../../mails/mails.ts';
import { countByTier, deploymentsExist } from '@sluice/main-store/deployments.store';
import { getSubscription } from '../subscription/subscriptions.store.ts';
import { voidCodes } from '@sluice/main-store/protection-codes.store';
import {
  type TenantPath,
  type TenantRow,
  getTenant,
  lockTenant,
  lockTenantToDelete,
  getTerms,
  updateTenant,
} from '@sluice/main-store/tenants.store';
import { deletion, requireCode, requireMayProtect, requireNothingProtected } from '../protection/guard.ts';
import { hasPaymentMethod, requireSettled } from '../../payments/standing.ts';
import { deleteTenantAndAllInIt } from './tenant-deletion.ts';

export type TenantChanges = BodyOf<operations['updateTenant']>;
export type TenantsService = ReturnType<typeof tenantsService>;

/** The tenant itself (interface, 2.1 and 4.1). */
export function tenantsService(core: Core) {
  const { database, catalogue, work } = core;
  /** Mails the former address of a tenant, and voids the codes that went there. @throws Problem `owner_only` */
  const moveMail = async (
    tx: Transaction,
    caller: Caller,
    { id, name, email: former }: TenantRow,
    email: string,
  ) => {
    if (!caller.owner) throw problem('owner_only');
    await voidCodes(tx, id);
    const content = { tenant: name, email, changed_by: caller.user.name };
    await sendMail(tx, core.mailCipher, 'tenant_email_changed', former, content, { tenant_id: id });
  };
  const detailOf = async (db: Database, tenant_id: TenantId) => {
    const tenant = await getTenant(db, tenant_id);
    const subscription = await getSubscription(db, tenant_id);
    const features = featuresOf(catalogue, await getTerms(db, tenant_id));
    const free = (await countByTier(db, tenant_id)).get('free') ?? 0;
    const starterAvailable = free < tierLimit(features, 'free');
    const hasPayment = await hasPaymentMethod(db, core, tenant_id);
    return { tenant, subscription, features, starterAvailable, hasPayment };
  };
  return {
    get: ({ tenant_id }: TenantPath) => detailOf(database, tenant_id),

    /** Only the owner changes the mail address; the former one gets a mail. @param check is given the tenant as it is */
    update: (
      caller: Caller,
      { tenant_id }: TenantPath,
      wanted: TenantChanges,
      check: (detail: Awaited<ReturnType<typeof detailOf>>) => void,
    ) =>
      work(caller, async (tx) => {
        await lockTenant(tx, tenant_id);
        const detail = await detailOf(tx, tenant_id);
        check(detail);
        const { tenant } = detail;
        requireMayProtect(caller, tenant, wanted.protected);
        const changes = changesTo(tenant, wanted, ['description']);
        if (Object.keys(changes).length === 0) return;
        if (changes.email !== undefined) await moveMail(tx, caller, tenant, changes.email);
        await updateTenant(tx, tenant_id, changes);
        tx.emit('tenant_updated', { tenant_id }, changeOf(tenant, changes));
      }),

    /** Deletes the tenant with all that is in it, for good. */
    delete: (caller: Caller, { tenant_id }: TenantPath, code: string | undefined) =>
      deletion(core, caller, async (tx) => {
        const tenant = await lockTenantToDelete(tx, tenant_id);
        await requireCode(tx, core, { tenant_id }, tenant, code);
        await requireNothingProtected(tx, caller, { tenant_id });
        if (await deploymentsExist(tx, { tenant_id })) throw problem('has_deployments');
        await requireSettled(tx, core, tenant_id);
        const { audit_retention_days } = featuresOf(catalogue, await getTerms(tx, tenant_id));
        await deleteTenantAndAllInIt(tx, tenant_id, core.now());
        tx.emit('tenant_deleted', { tenant_id }, { name: tenant.name, audit_retention_days });
      }),
  };
}
