import {
  isSameDeployment,
  mostInventoried,
  type DeploymentIdentity,
  type Inventory,
  type InventoriedDeployment,
  type RegionRef,
} from '@sluice/contracts';
import { system, type Log } from '@sluice/service-kit';
import type { Counter } from 'prom-client';
import type { Core } from '../../core.ts';
import type { Transaction } from '../../database.ts';
import {
  findRemoved,
  isBehind,
  listInPart,
  raiseGenerations,
  skipNumbers,
  type ComparedDeployment,
} from '../../stores/inventory.store.ts';
import { sendAgain } from './shapes.ts';

/** What was found in a region that differs from what is known here. */
const differences = ['missing', 'outdated', 'ahead', 'status', 'connectors', 'deleted', 'unknown'] as const;
type Difference = (typeof differences)[number];

export interface InventoryDependencies extends Pick<Core, 'catalogue'> {
  found: Counter<'difference'>;
  log: Log;
}

/** deployments of one part that are looked at, and sent again at most; what is behind them waits for the next inventory */
const mostCompared = 2 * mostInventoried;

/**
 * Compares a part of what a region has with what is known here, and sends what the region lacks: shapes that it does not have,
 * or in an older generation; connectors that it had taken in; deletions; and that a deployment is unknown here. Where its status
 * is not the one that it said last, the region is asked to say it anew. One of the two databases may have been restored from an older copy.
 */
export async function takeInventory(
  tx: Transaction,
  { catalogue, found, log }: InventoryDependencies,
  region: RegionRef,
  inventory: Inventory,
): Promise<void> {
  if (await isBehind(tx, inventory.highest_ids)) {
    log.warn('a region knows ids that have not been given out: all are moved on', {
      ...region,
      ...inventory.highest_ids,
    });
    await skipNumbers(tx, inventory.highest_ids);
  }
  const here = await listInPart(tx, region, inventory, mostCompared);
  const last = here.length < mostCompared ? undefined : here.at(-1)?.id;
  const there = inventory.deployments.filter(({ id }) => last === undefined || id <= last);
  const plan = compare(
    here,
    there,
    await findRemoved(
      tx,
      there.flatMap(({ uid }) => uid ?? []),
    ),
  );

  await raiseGenerations(tx, plan.ahead);
  const again = [...plan.missing, ...plan.outdated, ...plan.ahead, ...plan.status, ...plan.connectors];
  await sendAgain(
    tx,
    { catalogue },
    again.map(({ id }) => id),
  );
  for (const { id, ...identity } of plan.deleted)
    tx.command(region, 'deployment_delete', { deployment_id: id, ...named(identity), cause: system.cause });
  for (const { id, ...identity } of plan.unknown)
    tx.command(region, 'deployment_unknown', { deployment_id: id, ...named(identity) });

  const counts = differences.map((difference) => [difference, plan[difference].length] as const);
  for (const [difference, count] of counts) found.inc({ difference }, count);
  if (counts.some(([, count]) => count > 0))
    log.warn('a region differs from what is known of it', { ...region, ...Object.fromEntries(counts) });
}

const named = ({ uid, code }: DeploymentIdentity) => ({ uid, code });

type Compared = Pick<InventoriedDeployment, 'id' | 'uid' | 'code' | 'generation'>;

/** Sorts what differs. @param removed uids of deployments that are known to be gone */
function compare(
  here: readonly ComparedDeployment[],
  there: readonly InventoriedDeployment[],
  removed: ReadonlySet<string>,
): Record<Difference, Compared[]> {
  const plan = Object.fromEntries(differences.map((name) => [name, [] as Compared[]])) as Record<
    Difference,
    Compared[]
  >;
  const wanted = new Map(here.map((deployment) => [deployment.id, deployment]));
  for (const has of there) {
    const deployment = wanted.get(has.id);
    if (deployment && isSameDeployment(deployment, has)) {
      wanted.delete(has.id);
      const difference = differenceOf(deployment, has);
      if (difference) plan[difference].push(has);
    } else if (!has.deleting) {
      plan[has.uid !== undefined && removed.has(has.uid) ? 'deleted' : 'unknown'].push(has);
    }
  }
  for (const deployment of wanted.values())
    plan[deployment.delete_requested_at ? 'deleted' : 'missing'].push(deployment);
  return plan;
}

/** what a deployment can be while its upgrade goes on */
const upgradingStatuses = ['upgrading', 'extending', 'rolling_back'];

function differenceOf(deployment: ComparedDeployment, has: InventoriedDeployment): Difference | undefined {
  // the end of a deletion is reported by itself
  if (has.deleting) return undefined;
  if (deployment.delete_requested_at) return 'deleted';
  if (has.generation > deployment.generation) return 'ahead';
  if (has.generation < deployment.generation || has.uid === undefined || has.unknown) return 'outdated';
  // its end is said again when the upgrade is told again
  if (deployment.is_upgraded && !upgradingStatuses.includes(has.status)) return 'status';
  const isSaid = has.status === deployment.status && has.status_version === deployment.status_version;
  if (!isSaid) return 'status';
  return (has.connectors ?? deployment.connectors) < deployment.connectors ? 'connectors' : undefined;
}
