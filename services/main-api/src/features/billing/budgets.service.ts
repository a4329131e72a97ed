import type { Caller } from '@sluice/grants';
import type { BodyOf, Page } from '@sluice/http';
import { fieldProblem } from '@sluice/service';
import { requireBelow } from '@sluice/catalogue/features';
import { changeOf, changesTo, type Check } from '../../changes.ts';
import type { Core } from '../../core.ts';
import type { Database } from '@sluice/main-store/database';
import type { operations } from '../../generated/api.ts';
import { findDivision } from '@sluice/main-store/divisions.store';
import { findEnvironmentOf } from '@sluice/main-store/environments.store';
import { lockTenant, type TenantPath } from '@sluice/main-store/tenants.store';
import { budgetCost } from './budget-cost.ts';
import {
  countBudgets,
  deleteBudget,
  getBudget,
  insertBudget,
  listBudgets,
  updateBudget,
  type BudgetKey,
  type BudgetRow,
} from './budgets.store.ts';
import { exact } from '@sluice/billing/money';

type Input = BodyOf<operations['createBudget']>;
type Changes = BodyOf<operations['updateBudget']>;
export type BudgetsService = ReturnType<typeof budgetsService>;

const mostBudgets = 100;
/** US dollars */
const mostAmount = 1_000_000_000;

/** What months may cost (completions, "Billing"); `budgetsJob` notifies. */
export function budgetsService(core: Pick<Core, 'database' | 'work' | 'prices' | 'now'>) {
  const { database, work, now } = core;
  return {
    list: ({ tenant_id }: TenantPath, page: Page) => listBudgets(database, tenant_id, page),

    async get(key: BudgetKey) {
      const budget = await getBudget(database, key);
      return { budget, cost: await budgetCost(database, core, budget) };
    },

    create: (caller: Caller, { tenant_id }: TenantPath, input: Input): Promise<BudgetRow> =>
      work(caller, async (tx) => {
        await lockTenant(tx, tenant_id);
        const scope = await scopeOf(tx, tenant_id, input);
        const amount = checkedAmount(input.amount);
        const count = await countBudgets(tx, tenant_id);
        requireBelow('budgets', mostBudgets, count, `A tenant has at most ${mostBudgets} budgets.`);
        const row = { tenant_id, ...scope, name: input.name, amount, due_at: now() };
        const budget = await insertBudget(tx, row);
        tx.emit('billing_budget_created', { tenant_id }, { budget_id: budget.id, name: budget.name });
        return budget;
      }),

    update: (
      caller: Caller,
      key: BudgetKey,
      { name, amount }: Changes,
      check: Check<BudgetRow>,
    ): Promise<void> =>
      work(caller, async (tx) => {
        await lockTenant(tx, key.tenant_id);
        const budget = await getBudget(tx, key);
        check(budget);
        const wanted = { name, amount: amount && checkedAmount(amount) };
        const changes = changesTo<BudgetRow>(budget, wanted, []);
        if (Object.keys(changes).length === 0) return;
        await updateBudget(tx, budget.id, { ...changes, due_at: now() });
        const about = { budget_id: budget.id, name: changes.name ?? budget.name };
        tx.emit(
          'billing_budget_updated',
          { tenant_id: key.tenant_id },
          { ...about, ...changeOf(budget, changes) },
        );
      }),

    delete: (caller: Caller, key: BudgetKey): Promise<void> =>
      work(caller, async (tx) => {
        await lockTenant(tx, key.tenant_id);
        const { id: budget_id, name } = await getBudget(tx, key);
        await deleteBudget(tx, budget_id);
        tx.emit('billing_budget_deleted', { tenant_id: key.tenant_id }, { budget_id, name });
      }),
  };
}

/** @returns the amount with two digits. @throws Problem `invalid_request` */
function checkedAmount(text: string): string {
  const amount = exact(text);
  if (amount.isZero()) throw fieldProblem('amount', 'too_small', 'has to be above 0');
  if (amount.gt(mostAmount)) throw fieldProblem('amount', 'too_large', `has to be at most ${mostAmount}`);
  return amount.toFixed(2);
}

/** What a budget covers. @throws Problem `invalid_request` for what the tenant does not have, or two at once */
async function scopeOf(
  tx: Database,
  tenantId: TenantPath['tenant_id'],
  { division, environment, label }: Input,
) {
  const given = Object.entries({ division, environment, label }).filter(([, value]) => value);
  if (given[1])
    throw fieldProblem(given[1][0], 'not_together', `cannot be given together with ${given[0]?.[0]}`);
  if (division && !(await findDivision(tx, { tenant_id: tenantId, division_id: division })))
    throw fieldProblem('division', 'unknown', 'is no division of the tenant');
  if (environment && !(await findEnvironmentOf(tx, tenantId, environment)))
    throw fieldProblem('environment', 'unknown', 'is no environment of the tenant');
  return {
    division_id: division ?? null,
    environment_id: environment ?? null,
    label_key: label?.key ?? null,
    label_value: label?.value ?? null,
  };
}
