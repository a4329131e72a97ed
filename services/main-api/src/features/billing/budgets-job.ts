import type { Job } from '@sluice/controller';
import { system, type Log } from '@sluice/service';
import type { Core } from '../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import { findDivision } from '@sluice/main-store/divisions.store';
import { findEnvironmentOf } from '@sluice/main-store/environments.store';
import { budgetCost } from './budget-cost.ts';
import { listDueBudgets, lockDueBudget, noteBudget, type BudgetRow } from './budgets.store.ts';
import { exact, shownCents } from '@sluice/billing/money';

type Needs = Pick<Core, 'database' | 'work' | 'prices' | 'now'> & { log: Log };

/** budgets that one look sees to; what is left is seen to at the next */
const mostAtOnce = 1_000;

const percentages = [100, 80, 50] as const;
/** regions report once an hour, and what runs on is counted in between */
const everyMilliseconds = 15 * 60_000;

/**
 * Notifies of budgets, of each percentage and of the forecast once a month. A budget is locked while one replica looks at it, and what it
 * emits commits with what it notes.
 */
export function budgetsJob({ database, work, log, ...core }: Needs): Job {
  return {
    name: 'budgets',
    every: 60,
    async run(signal) {
      for (const id of await listDueBudgets(database, core.now(), mostAtOnce)) {
        if (signal.aborted) return;
        const looked = work(system, async (tx) => {
          const budget = await lockDueBudget(tx, id, core.now());
          if (budget) await notify(tx, core, budget);
        });
        await looked.catch((error: unknown) =>
          log.error('a budget could not be looked at', { budget: id, error }),
        );
      }
    },
  };
}

async function notify(tx: Transaction, core: Pick<Core, 'prices' | 'now'>, budget: BudgetRow): Promise<void> {
  const { from: month, to: now, total, forecast } = await budgetCost(tx, core, budget);
  const isSameMonth = budget.notified_month?.getTime() === month.getTime();
  const notified = {
    percent: isSameMonth ? budget.notified_percent : 0,
    forecast: isSameMonth && budget.notified_forecast,
  };
  const amount = exact(budget.amount);
  const reached = percentages.find((percentage) => total.times(100).gte(amount.times(percentage))) ?? 0;
  const about = await aboutOf(tx, budget);
  const data = {
    ...{ budget_id: budget.id, name: budget.name, amount: shownCents(amount) },
    month: month.toISOString().slice(0, 'yyyy-mm'.length),
  };
  if (reached > notified.percent)
    tx.emit('billing_budget_reached', about, { ...data, percent: reached, spent: shownCents(total) });
  const isForecast = forecast.gt(amount) && reached < 100;
  if (isForecast && !notified.forecast)
    tx.emit('billing_budget_forecast', about, { ...data, forecast: shownCents(forecast) });
  await noteBudget(tx, budget.id, {
    notified_month: month,
    notified_percent: Math.max(reached, notified.percent),
    notified_forecast: isForecast || notified.forecast,
    due_at: new Date(now.getTime() + everyMilliseconds),
  });
}

/** Channels of a division get what is of the division. */
async function aboutOf(tx: Transaction, { tenant_id, division_id, environment_id }: BudgetRow) {
  const environment = environment_id && (await findEnvironmentOf(tx, tenant_id, environment_id));
  const inDivision = environment ? environment.division_id : division_id;
  const division = inDivision && (await findDivision(tx, { tenant_id, division_id: inDivision }));
  return {
    tenant_id,
    ...(division && { division: { id: division.id, name: division.name } }),
    ...(environment && { environment: { id: environment.id, name: environment.name } }),
  };
}
