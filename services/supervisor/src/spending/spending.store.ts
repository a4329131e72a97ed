import type { DeploymentId } from '@sluice/contracts';
import type { Insertable, Selectable } from 'kysely';
import { findOf, putOf } from '@sluice/region-store/rows';
import type { Database, Tables } from '@sluice/region-store/tables';

/** What deployments have cost in their month; changed only under the lock of the deployment. */

export type Spending = Selectable<Tables['deployment_spending']>;

export const findSpending = (db: Database, id: DeploymentId) => findOf(db, 'deployment_spending', id);

export const storeSpending = (db: Database, spending: Insertable<Tables['deployment_spending']>) =>
  putOf(db, 'deployment_spending', spending);

/** Deployments that run and were settled before this time, the longest ago first (deployment_spending_running). */
export async function listRunning(db: Database, settledBefore: Date, limit: number): Promise<DeploymentId[]> {
  const rows = await db
    .selectFrom('deployment_spending')
    .select('deployment_id')
    .where('monthly_cents', '>', 0)
    .where('metered_to', '<=', settledBefore)
    .orderBy('metered_to')
    .limit(limit)
    .execute();
  return rows.map(({ deployment_id }) => deployment_id);
}

/** Until when everything that runs was settled; null where nothing runs. */
export async function settledTo(db: Database): Promise<Date | null> {
  const row = await db
    .selectFrom('deployment_spending')
    .select(({ fn }) => fn.min('metered_to').as('at'))
    .where('monthly_cents', '>', 0)
    .executeTakeFirst();
  return row?.at ?? null;
}

/** Deployments whose limit is reached or to be lifted, longest overdue first (deployment_spending_due). */
export async function listDueSpending(db: Database, now: Date, limit: number): Promise<DeploymentId[]> {
  const rows = await db
    .selectFrom('deployment_spending')
    .select('deployment_id')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .execute();
  return rows.map(({ deployment_id }) => deployment_id);
}
