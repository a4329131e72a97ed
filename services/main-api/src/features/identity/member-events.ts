import type { EventData, Ref, UserId } from '@sluice/contracts';
import type { Transaction } from '@sluice/main-store/database';
import { listTenantIdsOf } from '@sluice/main-store/members.store';

type MemberEvent = 'member_signed_in' | 'member_signed_out' | 'provider_linked' | 'provider_unlinked';

/** Records what a person does with their own account, in every tenant that they are a member of. */
export async function recordInTenantsOf<Type extends MemberEvent>(
  tx: Transaction,
  { id, name }: Ref<UserId>,
  type: Type,
  data: EventData<Type>,
): Promise<void> {
  for (const tenant_id of await listTenantIdsOf(tx, id))
    tx.emit(type, { tenant_id, user: { id, name } }, data);
}
