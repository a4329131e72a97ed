import {
  costParts,
  mostUsed,
  type DeploymentId,
  type Inventory,
  type Price,
  type Used,
} from '@sluice/contracts';
import type { Transaction } from '@sluice/main-store/database';
import { exact } from '@sluice/billing/money';
import {
  keepBilled,
  listUsageSince,
  raiseKnownSince,
  type UsageIntervalRow,
} from './usage-intervals.store.ts';

/**
 * What is known of the usage of deployments, by which a region that was restored, or has lost them, counts on. From now on its reports
 * from before that no longer count, so that both have the same.
 */
export async function usageToGiveBack(
  tx: Transaction,
  deployments: readonly { id: DeploymentId; uid: string }[],
  { usage_since, known_since }: Pick<Inventory, 'usage_since' | 'known_since'>,
): Promise<Map<string, Used[]>> {
  if (usage_since === undefined) return new Map();
  const uids = deployments.map(({ uid }) => uid);
  if (known_since !== undefined) {
    for (const { id, uid } of deployments) await keepBilled(tx, { deployment_id: id, uid });
    await raiseKnownSince(tx, uids, new Date(known_since));
  }
  const usage = Map.groupBy(await listUsageSince(tx, uids, new Date(usage_since)), ({ uid }) => uid);
  return new Map(uids.map((uid) => [uid, (usage.get(uid) ?? []).slice(0, mostUsed).map(usedOf)]));
}

function usedOf(row: UsageIntervalRow): Used {
  const { tier, nodes, storage_type, storage_size, availability_mode, telemetry_days, price_list } = row;
  const price = Object.fromEntries(costParts.map((part) => [part, exact(row[part]).toNumber()])) as Price;
  return {
    ...{ from: row.started_at.toISOString(), to: row.ended_at.toISOString(), tier, nodes },
    storage: { type: storage_type, size: storage_size },
    target_network_tput: row.target_network_tput,
    ...(availability_mode && { availability_mode }),
    ...(telemetry_days !== null && { telemetry_days }),
    price: { ...price, ...(price_list !== null && { list: price_list }) },
  };
}
