import type { BudgetId, DeploymentId, DivisionId, EnvironmentId, TenantId } from '@sluice/contracts';
import { LessThanOrEqual } from 'typeorm';
import type { Page } from '@sluice/http';
import type { Database } from '@sluice/main-store/database';
import {
  bigint,
  boolean,
  id,
  integer,
  nullable,
  numeric,
  table,
  text,
  time,
  type RowOf,
} from '@sluice/main-store/columns';
import { existing, insertRow, pageOfRows, uniquely } from '@sluice/main-store/rows';

const Budget = table('budgets', {
  id: id<BudgetId>(),
  tenant_id: bigint<TenantId>(),
  /** of all of the tenant unless one of these is set */
  division_id: nullable(bigint<DivisionId>()),
  environment_id: nullable(bigint<EnvironmentId>()),
  label_key: nullable(text()),
  label_value: nullable(text()),
  name: text(),
  /** US dollars, as a decimal */
  amount: numeric<string>(),
  /** what was notified last: of which month, the highest percentage, and whether the forecast was */
  notified_month: nullable(time()),
  notified_percent: integer({ default: 0 }),
  notified_forecast: boolean({ default: false }),
  due_at: time(),
  created_at: time({ createDate: true }),
  updated_at: time({ updateDate: true }),
});
export type BudgetRow = RowOf<typeof Budget>;
type BudgetScope = Pick<BudgetRow, 'division_id' | 'environment_id' | 'label_key' | 'label_value'>;

export interface BudgetKey {
  tenant_id: TenantId;
  budget_id: BudgetId;
}

export const insertBudget = (
  db: Database,
  budget: BudgetScope & Pick<BudgetRow, 'tenant_id' | 'name' | 'amount' | 'due_at'>,
) => insertRow(db, Budget, budget, 'budgets_name');

export const getBudget = (db: Database, { tenant_id, budget_id: id }: BudgetKey): Promise<BudgetRow> =>
  existing(db.manager.findOneBy(Budget, { tenant_id, id }));

export const countBudgets = (db: Database, tenant_id: TenantId) => db.manager.countBy(Budget, { tenant_id });

/** The newest first (budgets_listed). */
export const listBudgets = (db: Database, tenantId: TenantId, page: Page) =>
  pageOfRows<BudgetRow>(db, page, 'budgets WHERE tenant_id = $1', [tenantId]);

export const updateBudget = (db: Database, id: BudgetId, changes: Partial<BudgetRow>) =>
  uniquely('budgets_name', db.manager.update(Budget, { id }, changes));

/** Stores what was notified, which is no change of the budget. */
export const noteBudget = (
  db: Database,
  id: BudgetId,
  noted: Pick<BudgetRow, 'notified_month' | 'notified_percent' | 'notified_forecast' | 'due_at'>,
) => db.manager.update(Budget, { id }, { ...noted, updated_at: () => 'updated_at' });

export const deleteBudget = (db: Database, id: BudgetId) => db.manager.delete(Budget, { id });

/** The budgets that are due, longest ago first (budgets_due). */
export async function listDueBudgets(db: Database, now: Date, limit: number): Promise<BudgetId[]> {
  const where = { due_at: LessThanOrEqual(now) };
  const rows = await db.manager.find(Budget, {
    select: { id: true },
    where,
    order: { due_at: 'ASC' },
    take: limit,
  });
  return rows.map(({ id }) => id);
}

/** Locks a budget, if it is still due and no other replica looks at it. */
export const lockDueBudget = (tx: Database, id: BudgetId, now: Date): Promise<BudgetRow | null> =>
  tx.manager.findOne(Budget, {
    where: { id, due_at: LessThanOrEqual(now) },
    lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' },
  });

/** The deployments of a tenant that have a label now, and since when. */
export async function listLabelled(
  db: Database,
  tenantId: TenantId,
  { key, value }: { key: string; value: string },
): Promise<Map<DeploymentId, Date>> {
  const rows = await db.query<{ id: DeploymentId; since: Date }>(
    `SELECT d.id, greatest(l.valid_from, 'epoch') AS since
     FROM deployments d JOIN deployment_labels l ON l.deployment_uid = d.uid AND l.valid_to = 'infinity'
     WHERE d.tenant_id = $1 AND d.labels @> $2::jsonb`,
    [tenantId, JSON.stringify({ [key]: value })],
  );
  return new Map(rows.map(({ id, since }) => [id, since]));
}
