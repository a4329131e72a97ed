import type { TenantId } from '@sluice/contracts';
import type { Database } from '../../database/tables.ts';

/** An address, to the channels of one tenant. */
export interface Recipient {
  tenant_id: TenantId;
  address_hash: string;
}

/** @returns when the address has unsubscribed; undefined: it has not */
export async function findUnsubscribe(db: Database, recipient: Recipient): Promise<Date | undefined> {
  const { tenant_id, address_hash } = recipient;
  const row = await db
    .selectFrom('unsubscribes')
    .select('created_at')
    .where('tenant_id', '=', tenant_id)
    .where('address_hash', '=', address_hash)
    .executeTakeFirst();
  return row?.created_at;
}

/** @returns false if it had unsubscribed before */
export async function insertUnsubscribe(db: Database, recipient: Recipient): Promise<boolean> {
  const inserted = await db
    .insertInto('unsubscribes')
    .values(recipient)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** @returns false if it had not unsubscribed */
export async function deleteUnsubscribe(db: Database, recipient: Recipient): Promise<boolean> {
  const { tenant_id, address_hash } = recipient;
  const deleted = await db
    .deleteFrom('unsubscribes')
    .where('tenant_id', '=', tenant_id)
    .where('address_hash', '=', address_hash)
    .executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

export async function deleteUnsubscribesOf(db: Database, tenantId: TenantId): Promise<void> {
  await db.deleteFrom('unsubscribes').where('tenant_id', '=', tenantId).execute();
}
