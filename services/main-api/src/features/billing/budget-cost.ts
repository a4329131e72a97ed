import type { Core } from '../../core.ts';
import type { Database } from '@sluice/main-store/database';
import { findDeployments, listBillable } from '@sluice/main-store/deployments.store';
import { listLabelled, type BudgetRow } from './budgets.store.ts';
import { monthCost, type Running } from './month-cost.ts';

/** What the running month of a budget costs: of its tenant, or of the part that it covers. */
export async function budgetCost(
  database: Database,
  { prices, now }: Pick<Core, 'prices' | 'now'>,
  budget: BudgetRow,
) {
  const { tenant_id, division_id, environment_id, label_key, label_value } = budget;
  const label = label_key === null ? null : { key: label_key, value: label_value ?? '' };
  const deployments = await findDeployments(database, await listBillable(database, tenant_id));
  const labelledSince = label && (await listLabelled(database, tenant_id, label));
  const running = deployments.flatMap((deployment): Running[] => {
    if (division_id !== null && deployment.division_id !== division_id) return [];
    if (environment_id !== null && deployment.environment_id !== environment_id) return [];
    if (!labelledSince) return [{ deployment }];
    const since = labelledSince.get(deployment.id);
    return since ? [{ deployment, since }] : [];
  });
  const scope = { division_id, environment_id, label };
  return await monthCost({ database, prices, now }, tenant_id, running, scope);
}
