import { costParts, mostUsed, type DeploymentId, type Inventory, type Used } from '@sluice/contracts';
import type { Transaction } from '../../database.ts';
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

function usedOf({
  started_at,
  ended_at,
  tier,
  nodes,
  storage_type,
  storage_size,
  ...usage
}: UsageIntervalRow): Used {
  return {
    ...{ from: started_at.toISOString(), to: ended_at.toISOString(), tier, nodes },
    storage: { type: storage_type, size: storage_size },
    price: Object.fromEntries(costParts.map((part) => [part, Number(usage[part])])) as Used['price'],
  };
}
