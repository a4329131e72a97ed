import {
  mostInventoried,
  statusIs,
  type DeploymentId,
  type Inventory,
  type InventoriedDeployment,
  type RegionRef,
} from '@sluice/contracts';
import { moveSequencesOn, system, type Log } from '@sluice/service';
import type { Counter } from '@prometheus-io/client';
import type { Core } from '../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import {
  findRemoved,
  isBehind,
  listInPart,
  raiseGenerations,
  type ComparedDeployment,
} from './inventory.store.ts';
import { beginReview } from '@sluice/grant-publication/grants.store';
import { findKnownUpgrades } from './adoption.store.ts';
import { lockTenants } from '@sluice/main-store/tenants.store';
import { usageToGiveBack } from '../billing/usage-given-back.ts';
import { adoptShapes } from './adoption.ts';
import { adoptInstances } from './connector-adoption.ts';
import { sendAgain } from './shapes.ts';

const differences = [
  ...(['missing', 'outdated', 'ahead', 'refused', 'status', 'connectors', 'access'] as const),
  ...(['usage', 'deleted', 'unknown'] as const),
] as const;
type Difference = (typeof differences)[number];

export interface InventoryDependencies extends Pick<Core, 'catalogue' | 'prices'> {
  found: Counter<'difference'>;
  eventsStream: string;
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
  { catalogue, prices, eventsStream, found, log }: InventoryDependencies,
  region: RegionRef,
  inventory: Inventory,
): Promise<void> {
  if (await isBehind(tx, inventory.highest_ids)) {
    log.warn('a region knows ids that have not been given out: all are moved on', {
      ...region,
      ...inventory.highest_ids,
    });
    await moveSequencesOn(tx, inventory.highest_ids);
    await beginReview(tx, eventsStream, true);
  }
  const listHere = () => listInPart(tx, region, inventory, mostCompared);
  let here = await listHere();
  const last = here.length < mostCompared ? undefined : here.at(-1)?.id;
  const there = inventory.deployments.filter(({ id }) => last === undefined || id <= last);
  const lost = await findLost(tx, here, there);
  if (lost.size > 0) {
    // changes of a deployment take the lock of its tenant first: what is lost is looked at once more under it
    const tenants = here.filter(({ id }) => lost.has(id)).map(({ tenant_id }) => tenant_id);
    await lockTenants(tx, [...new Set(tenants)]);
    here = await listHere();
  }
  const removed = await findRemoved(
    tx,
    there.map(({ uid }) => uid),
  );
  const plan = compare(here, there, removed);
  if (lost.size > 0) await adopt(tx, { catalogue, log }, region, { here, there, lost, plan });

  const questions = new Map(there.map(({ id, access }) => [id, access.question ?? undefined]));
  const again = [...plan.missing, ...plan.outdated, ...plan.ahead, ...plan.status, ...plan.connectors];
  again.push(...plan.access, ...plan.usage);
  const asking = again.filter(({ id }) => questions.get(id) !== undefined);
  const usage = await usageToGiveBack(tx, [...plan.missing, ...asking], inventory);
  await raiseGenerations(tx, plan.ahead);
  await sendAgain(
    tx,
    { catalogue, prices },
    again.map(({ id }) => id),
    { questions, usage },
  );
  for (const { id, uid } of plan.deleted)
    tx.command(region, 'deployment_delete', { deployment_id: id, uid, cause: system.cause });
  for (const { id, uid } of plan.unknown)
    tx.command(region, 'deployment_unknown', { deployment_id: id, uid });

  const counts = differences.map((difference) => [difference, plan[difference].length] as const);
  for (const [difference, count] of counts) found.inc({ difference }, count);
  if (counts.some(([, count]) => count > 0))
    log.warn('a region differs from what is known of it', { ...region, ...Object.fromEntries(counts) });
}

type Plan = Record<Difference, Compared[]>;
type Deployments = readonly ComparedDeployment[];
type Inventoried = readonly InventoriedDeployment[];

/** The deployments of which the region knows something that can only have been lost here: main-api commits before it sends. */
async function findLost(tx: Transaction, here: Deployments, there: Inventoried): Promise<Set<DeploymentId>> {
  const upgrades = await findKnownUpgrades(
    tx,
    there.flatMap(({ upgrade }) => upgrade?.id ?? []),
  );
  return new Set(
    pairs(here, there)
      .filter(([deployment, has]) => {
        if (has.generation > deployment.generation || unknownInstances(deployment, has).length > 0)
          return true;
        if (has.upgrade && !upgrades.has(has.upgrade.id)) return true;
        return isLarger(deployment, has);
      })
      .map(([{ id }]) => id),
  );
}

function pairs(here: Deployments, there: Inventoried): [ComparedDeployment, InventoriedDeployment][] {
  const byId = new Map(here.map((deployment) => [deployment.id, deployment]));
  return there.flatMap((has) => {
    const deployment = byId.get(has.id);
    const isCommon = deployment?.uid === has.uid;
    return isCommon && !has.deleting && !deployment.delete_requested_at ? [[deployment, has]] : [];
  });
}

const unknownInstances = (deployment: ComparedDeployment, { instances }: InventoriedDeployment) =>
  instances.filter(({ id }) => !deployment.instances.includes(id));

/** While an upgrade goes on here, the region is ahead until it has said so. */
const isLarger = (deployment: ComparedDeployment, { shape }: InventoriedDeployment) =>
  !deployment.is_upgraded && (shape.storage.size ?? 0) > (deployment.storage_size ?? 0);

interface Found {
  here: Deployments;
  there: Inventoried;
  lost: ReadonlySet<DeploymentId>;
  plan: Plan;
}

/** Takes over what was lost here, and plans what follows from that. */
async function adopt(
  tx: Transaction,
  { catalogue, log }: Pick<InventoryDependencies, 'catalogue' | 'log'>,
  region: RegionRef,
  { here, there, lost, plan }: Found,
): Promise<void> {
  // those that were found only before the lock have no difference any more
  const again = await findLost(tx, here, there);
  const found = pairs(here, there).filter(([{ id }]) => lost.has(id) && again.has(id));
  const known = await findKnownUpgrades(
    tx,
    found.flatMap(([, { upgrade }]) => upgrade?.id ?? []),
  );
  const changed = found.filter(
    ([deployment, has]) =>
      has.generation > deployment.generation ||
      isLarger(deployment, has) ||
      (has.upgrade && !known.has(has.upgrade.id)),
  );
  const shapes = changed.map(([, has]) => has);
  const refused = await adoptShapes(tx, { catalogue, log }, region, shapes);
  const instances = await adoptInstances(
    tx,
    log,
    found
      .map(([deployment, has]) => ({
        ...{ id: has.id, unknown: unknownInstances(deployment, has) },
        known: deployment.instances.length,
      }))
      .filter(({ unknown }) => unknown.length > 0),
  );
  const ids = new Set(shapes.map(({ id }) => id));
  for (const difference of ['outdated', 'ahead', 'status', 'connectors', 'access', 'usage'] as const)
    plan[difference] = plan[difference].filter(({ id }) => !ids.has(id));
  plan.ahead.push(...shapes.filter(({ id }) => !refused.has(id)));
  plan.refused.push(...shapes.filter(({ id }) => refused.has(id)));
  const withNew = found.map(([, has]) => has).filter(({ id }) => instances.has(id) && !refused.has(id));
  plan.connectors.push(...withNew);
}

type Compared = Pick<InventoriedDeployment, 'id' | 'uid' | 'generation'>;

/** Sorts what differs. @param removed uids of deployments that are known to be gone */
function compare(
  here: readonly ComparedDeployment[],
  there: readonly InventoriedDeployment[],
  removed: ReadonlySet<string>,
): Plan {
  const plan = Object.fromEntries(differences.map((name) => [name, [] as Compared[]])) as Plan;
  const wanted = new Map(here.map((deployment) => [deployment.id, deployment]));
  for (const has of there) {
    const deployment = wanted.get(has.id);
    if (deployment?.uid === has.uid) {
      wanted.delete(has.id);
      const difference = differenceOf(deployment, has);
      if (difference) plan[difference].push(has);
    } else if (!has.deleting) {
      plan[removed.has(has.uid) ? 'deleted' : 'unknown'].push(has);
    }
  }
  for (const deployment of wanted.values())
    plan[deployment.delete_requested_at ? 'deleted' : 'missing'].push(deployment);
  return plan;
}

function differenceOf(deployment: ComparedDeployment, has: InventoriedDeployment): Difference | undefined {
  // the end of a deletion is reported by itself
  if (has.deleting) return undefined;
  if (deployment.delete_requested_at) return 'deleted';
  if (has.generation > deployment.generation) return 'ahead';
  if (has.generation < deployment.generation || has.unknown) return 'outdated';
  // its end is reported again when the upgrade is sent again
  if (deployment.is_upgraded && !statusIs('upgrading', has.status)) return 'status';
  const isSaid = has.status === deployment.status && has.status_version === deployment.status_version;
  if (!isSaid) return 'status';
  if (lacksConnectors(deployment, has)) return 'connectors';
  if (has.access.revision !== deployment.access_revision || has.access.question) return 'access';
  return (has.used_seconds ?? 0) > deployment.used_seconds ? 'usage' : undefined;
}

function lacksConnectors({ accepted }: ComparedDeployment, { instances }: InventoriedDeployment) {
  const has = new Set(instances.map(({ id }) => id));
  return accepted.some((id) => !has.has(id));
}
