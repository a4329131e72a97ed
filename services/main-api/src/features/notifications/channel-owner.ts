import type { ChannelId, DivisionId, Features, Ref, TenantId } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import { featuresOf } from '@sluice/catalogue/features';
import type { Core } from '../../core.ts';
import type { Database, Transaction } from '@sluice/main-store/database';
import { lockTenant } from '@sluice/main-store/tenants.store';
import { getVisibleDivision } from '../access/visibility.ts';
import type { OwnerKey } from './channels.store.ts';

/** The owner of channels, as a path names it: a tenant, or one of its divisions. */
export interface OwnerPath {
  tenant_id: TenantId;
  division_id?: DivisionId;
}
export type ChannelPath = OwnerPath & { channel_id: ChannelId };

/** The owner of channels, as events name it and as its rows do. */
export interface ChannelOwner extends OwnerKey {
  about: { tenant_id: TenantId; division: Ref<DivisionId> | null };
}

/** @throws Problem `not_found` where the division is not there, or not for the caller */
export async function ownerOf(
  db: Database,
  caller: Caller,
  { tenant_id, division_id }: OwnerPath,
): Promise<ChannelOwner> {
  if (division_id === undefined)
    return { tenant_id, division_id: null, about: { tenant_id, division: null } };
  const { id, name } = await getVisibleDivision(db, caller, { tenant_id, division_id });
  return { tenant_id, division_id, about: { tenant_id, division: { id, name } } };
}

/** What the rules of a change of channels need to know. */
interface ChannelTerms {
  tx: Transaction;
  owner: ChannelOwner;
  features: Features;
}

/** Changes channels under the lock of the tenant: its plan, its divisions and all that scopes name stay as they are. */
export async function changeChannels<T>(
  { work, catalogue }: Pick<Core, 'work' | 'catalogue'>,
  caller: Caller,
  path: OwnerPath,
  change: (terms: ChannelTerms) => Promise<T>,
): Promise<T> {
  return await work(caller, async (tx) => {
    const tenant = await lockTenant(tx, path.tenant_id);
    const owner = await ownerOf(tx, caller, path);
    return await change({ tx, owner, features: featuresOf(catalogue, tenant) });
  });
}
