import { monthlyCentsOf, type Used, firstOfMonth } from '@sluice/contracts';
import type { Sql } from '@sluice/service';
import type { Tx } from '@sluice/region-store/tables';
import type { Deployment } from '@sluice/region-store/deployments.store';
import { newMeter } from './meter.ts';
import { settleSpending } from './settle-spending.ts';
import { findSpending, storeSpending } from './spending.store.ts';
import { addUsage, listUsage, type Usage } from './usage.store.ts';

/**
 * Stops all meters, since this database was restored: what has run since the copy is main-api's to say. Each goes on once main-api has
 * answered for its deployment (decision 188).
 */
export async function stopMeters(db: Sql): Promise<void> {
  await db.query(
    `UPDATE deployment_spending SET monthly_cents = 0, billed = NULL, price_changes = '[]', due_at = NULL`,
  );
  await db.query(
    `INSERT INTO inventories (begun_at, known_since) VALUES ('epoch', now())
     ON CONFLICT (one) DO UPDATE SET begun_at = excluded.begun_at, known_since = excluded.known_since`,
  );
}

/**
 * Takes in what main-api knows of the usage of a deployment beyond what is known here, and counts on from now: its meter is the sum of both.
 * The deployment is locked.
 */
export async function takeUsageBack(
  tx: Tx,
  { id, uid }: Pick<Deployment, 'id' | 'uid'>,
  used: readonly Used[],
  now: Date,
): Promise<void> {
  await addUsage(tx.db, { id, uid }, used);
  const [known, usage] = [await findSpending(tx.db, id), await listUsage(tx.db, uid)];
  if (known || usage.length > 0) {
    const { month, meteredTo } = newMeter(now);
    await storeSpending(tx.db, {
      ...{ deployment_id: id, month, cent_seconds: centSecondsOf(usage, now), metered_to: meteredTo },
      ...{ monthly_cents: 0, billed: null, due_at: null, reported_month: known?.reported_month ?? null },
      ...{ warned_month: known?.warned_month ?? null, price_changes: '[]' },
      ...{ usage_from: null, usage_to: meteredTo },
    });
  }
  await settleSpending(tx, id, now);
}

/** What usage costs in the month of `now`, in cents a month times seconds. */
function centSecondsOf(usage: readonly Usage[], now: Date): number {
  return usage
    .filter(({ started_at }) => started_at >= firstOfMonth(now))
    .reduce((sum, { started_at, ended_at, billed }) => {
      const seconds = (ended_at.getTime() - started_at.getTime()) / 1000;
      return sum + seconds * monthlyCentsOf(billed.price);
    }, 0);
}
