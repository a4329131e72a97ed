import type { DeploymentId } from '@sluice/contracts';
import { sql, type Insertable, type Selectable } from 'kysely';
import type { AcmeTables, Database } from './tables.ts';

/** An order that was begun and has not led to a certificate that is kept. */
export type AcmeOrder = Selectable<AcmeTables['acme_orders']>;
/** the order of a deployment, and no other one that came in its place */
type Which = Pick<AcmeOrder, 'deployment_id' | 'sealed_key'>;

export async function findOrder(db: Database, deploymentId: DeploymentId): Promise<AcmeOrder | undefined> {
  return await db
    .selectFrom('acme_orders')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .executeTakeFirst();
}

/** @returns the one that is there: another replica may have been faster */
export async function insertOrder(
  db: Database,
  order: Insertable<AcmeTables['acme_orders']>,
): Promise<AcmeOrder | undefined> {
  await db
    .insertInto('acme_orders')
    .values(order)
    .onConflict((conflict) => conflict.column('deployment_id').doNothing())
    .execute();
  return await findOrder(db, order.deployment_id);
}

export async function updateOrder(
  db: Database,
  { deployment_id, sealed_key }: Which,
  change: Partial<Pick<AcmeOrder, 'url' | 'told_at' | 'placing_since'>>,
): Promise<void> {
  await db
    .updateTable('acme_orders')
    .set(change)
    .where('deployment_id', '=', deployment_id)
    .where('sealed_key', '=', sealed_key)
    .execute();
}

/**
 * The replica that gets it may place the order alone, for so many seconds: a former call that was given up may still be on its
 * way to the authority.
 */
export async function claimPlacing(
  db: Database,
  { deployment_id, sealed_key }: Which,
  seconds: number,
): Promise<boolean> {
  const { rows } = await sql`
    UPDATE acme_orders SET placing_since = clock_timestamp()
    WHERE deployment_id = ${deployment_id} AND sealed_key = ${sealed_key} AND url IS NULL
      AND (placing_since IS NULL OR placing_since < clock_timestamp() - make_interval(secs => ${seconds}))
    RETURNING deployment_id`.execute(db);
  return rows.length > 0;
}

export async function deleteOrder(db: Database, { deployment_id, sealed_key }: Which): Promise<void> {
  await db
    .deleteFrom('acme_orders')
    .where('deployment_id', '=', deployment_id)
    .where('sealed_key', '=', sealed_key)
    .execute();
}
