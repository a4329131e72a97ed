import { created, done, ok, paged, shown, type Handlers } from '@sluice/http';
import type { components, operations } from '../../generated/api.ts';
import type { BudgetsService } from './budgets.service.ts';
import type { BudgetRow } from './budgets.store.ts';
import { exact, shownCents } from '@sluice/billing/money';

type Schemas = components['schemas'];

export const budgetsOperations = (budgets: BudgetsService) =>
  ({
    async createBudget({ caller, params, body }) {
      const budget = await budgets.create(caller, params, body);
      return created(
        'budget',
        `/tenants/${params.tenant_id}/billing/budgets/${budget.id}`,
        budgetView(budget),
      );
    },
    listBudgets: ({ params, query, url }) =>
      paged({ query, url }, (page) => budgets.list(params, page), budgetView),
    async getBudget({ params }) {
      const { budget, cost } = await budgets.get(params);
      const { total, forecast } = cost;
      return ok({
        ...budgetView(budget),
        ...{ spent_usd: shownCents(total), forecast_usd: shownCents(forecast) },
      });
    },
    updateBudget: ({ caller, params, body, ifMatch }) =>
      done(budgets.update(caller, params, body, (budget) => ifMatch(() => budgetView(budget)))),
    deleteBudget: ({ caller, params }) => done(budgets.delete(caller, params)),
  }) satisfies Partial<Handlers<operations>>;

const budgetView = (budget: BudgetRow): Schemas['Budget'] => ({
  ...shown(budget, 'id', 'name', 'created_at', 'updated_at'),
  amount_usd: shownCents(exact(budget.amount)),
  division: budget.division_id,
  environment: budget.environment_id,
  label: budget.label_key === null ? null : { key: budget.label_key, value: budget.label_value ?? '' },
});
