import { createHash } from 'node:crypto';
import type { TenantId } from '@sluice/contracts';
import type { Database } from '../database/tables.ts';

/** An address, to the channels of one tenant. */
export interface Recipient {
  tenantId: TenantId;
  address: string;
}

const keyOf = ({ tenantId, address }: Recipient) => ({
  tenant_id: tenantId,
  address_hash: createHash('sha256').update(`${tenantId} ${address.toLowerCase()}`).digest('hex'),
});

/** @returns when the address has unsubscribed; undefined: it has not */
export async function findUnsubscribe(db: Database, recipient: Recipient): Promise<Date | undefined> {
  const { tenant_id, address_hash } = keyOf(recipient);
  const row = await db
    .selectFrom('unsubscribes')
    .select('created_at')
    .where('tenant_id', '=', tenant_id)
    .where('address_hash', '=', address_hash)
    .executeTakeFirst();
  return row?.created_at;
}

/** @returns whether it had not unsubscribed before */
export async function insertUnsubscribe(db: Database, recipient: Recipient): Promise<boolean> {
  const inserted = await db
    .insertInto('unsubscribes')
    .values(keyOf(recipient))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** @returns whether it had unsubscribed */
export async function deleteUnsubscribe(db: Database, recipient: Recipient): Promise<boolean> {
  const { tenant_id, address_hash } = keyOf(recipient);
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
