import { isDeepStrictEqual } from 'node:util';
import {
  brokerResourcesSchema,
  planLimitsOf,
  type Cause,
  type CommandData,
  type DeploymentId,
  type DeploymentSpec,
  resourcesOf,
} from '@sluice/contracts';
import { PermanentError, type Outgoing } from '@sluice/messaging';
import { system } from '@sluice/service';
import type { ByocDriver } from '@sluice/drivers';
import { reportRefused, reportStatus } from '@sluice/region-store/status-report';
import { forgetReport } from '../connectors/connector-reports.store.ts';
import {
  findKnown,
  findLocked,
  insertDeployment,
  lockCommands,
  markForDeletion,
  changeDeployment,
  markUnknown,
  passGeneration,
  raiseRevision,
  renumberStatus,
  updateSpec,
  type Deployment,
  type KnownDeployment,
} from '@sluice/region-store/deployments.store';
import { insertDefaultRule } from '../access-rules/access-rules.store.ts';
import { makeKey } from '../encryption/keys.ts';
import { setEncrypted } from '../encryption/encryption-keys.store.ts';
import { reportUsageAgain } from '../../spending/usage.ts';
import { correctLatePrices } from '../../spending/late-prices.ts';
import { takeUsageBack } from '../../spending/restored-usage.ts';
import { settleSpending } from '../../spending/settle-spending.ts';
import { accessOf, compareAccess, isAnswered, restoreAccess } from '../access-rules/kept-access.ts';
import { activateConnector } from '../connectors/activations.service.ts';
import { newLogin } from '../credentials/login.ts';
import { findOtherOwner, lockNodes, upsertNodes } from '@sluice/region-store/nodes.store';
import { insertReconciliation, scheduleNow } from '@sluice/region-store/reconciliations.store';
import { findUpgrade, insertUpgrade, isOvertaken, reportOf } from '@sluice/region-store/upgrades.store';
import { cancelTasks } from '@sluice/region-store/tasks.store';
import { completeTombstone, insertTombstone, tombstoneExists } from '@sluice/region-store/tombstones.store';
import { raiseAccessRevision } from '../access-rules/access-revisions.store.ts';
import type { Shared, Tx } from '../shared.ts';
import { isAlike, largerOf, meteredBy, pricesOf } from './spec-parts.ts';

export interface CommandsOptions extends Pick<Shared, 'secrets' | 'log' | 'now'> {
  /** the region that this supervisor serves */
  cloud: string;
  region: string;
  /** whether the clients of new deployments come without TLS */
  plainText: boolean;
  /** what makes the nodes of new byoc deployments */
  byocDriver: ByocDriver;
  /** called for each spec whose id, or a node's, another deployment has here */
  onMismatch: () => void;
  /** for how long a deployment goes on that main-api does not know */
  unknownSeconds: number;
  taskDeadlineSeconds: number;
}

export type CommandsService = ReturnType<typeof commandsService>;
type Apply = CommandData<'deployment_apply'>;
/** The commands of main-api to a region. They only store what is wanted and wake the reconciler, which brings it about. */
export function commandsService(options: CommandsOptions) {
  const { cloud, region, secrets, plainText, byocDriver, unknownSeconds, now, log } = options;

  async function update(tx: Tx, command: Apply): Promise<void> {
    const { generation, deployment: spec, report_above } = command;
    await changeDeployment(tx.db, spec.id, { unknown_since: null });
    const former = await findLocked(tx.db, spec.id);
    const wanted = await withUpgrades(tx, generation, spec, former);
    const isStored = await updateSpec(tx.db, generation, wanted);
    if (isStored && !(former && isAlike(former.spec, wanted))) {
      await upsertNodes(tx.db, spec.id, spec.nodes);
      await raiseRevision(tx.db, spec.id);
      await scheduleNow(tx.db, spec.id, now());
    }
    if (isStored && former) await takePrices(tx, former, now());
    if (report_above !== undefined) {
      reportStatus(tx, await renumberStatus(tx.db, spec.id, report_above));
      await forgetReport(tx.db, spec.id);
      if (former) await compareAccess(tx, former, command, { secrets, now: now() });
      if (former && isAnswered(former, command)) await takeUsageBack(tx, former, command.usage ?? [], now());
      await reportUsageAgain(tx, spec.uid);
      await scheduleNow(tx.db, spec.id, now());
    }
  }

  async function create(
    tx: Tx,
    { generation, deployment: spec, cause, report_above, access, usage }: Apply,
  ): Promise<void> {
    const credentials = await newLogin(spec.code, secrets, false);
    const version = (report_above ?? 0) + 1;
    await insertDeployment(tx.db, {
      ...{ generation, spec, cause, credentials, plainText, version },
      byocDriver: spec.variant === 'byoc' ? byocDriver : null,
      now: now(),
    });
    await insertReconciliation(tx.db, spec.id, now());
    // a managed deployment of the Free tier can be reached from everywhere until its rules say otherwise
    const isOpen = spec.tier === 'free' && spec.variant === 'managed';
    if (!access && isOpen) await insertDefaultRule(tx.db, spec.id, now());
    const created = await raiseAccessRevision(tx.db, spec.id);
    const deployment = access ? await restoreAccess(tx, created, access, secrets) : created;
    await upsertNodes(tx.db, spec.id, spec.nodes);
    if (spec.encrypted) {
      await makeKey(tx.db, secrets, spec.id, 1);
      // from here on heartbeats find the condition, and lock no deployment for it
      await setEncrypted(tx.db, [spec.id]);
    }
    if (usage) await takeUsageBack(tx, spec, usage, now());
    reportStatus(tx, deployment, { access: await accessOf(tx, deployment, now()) });
    await scheduleNow(tx.db, spec.id, now());
  }

  /** The deployment that an upgrade is of. One that is not here will be sent again, and the upgrade with it. */
  async function addressed(
    tx: Tx,
    { deployment_id, uid, upgrade_id }: { deployment_id: DeploymentId; uid: string; upgrade_id: string },
  ): Promise<Deployment | undefined> {
    await lockCommands(tx.db, deployment_id);
    const deployment = await findLocked(tx.db, deployment_id);
    if (deployment?.uid === uid) return deployment;
    log.warn('an upgrade is of no deployment that is here', {
      deployment: deployment_id,
      upgrade: upgrade_id,
    });
    return undefined;
  }

  /** One that has been asked for before is reported as far as it is. */
  async function noteUpgrade(tx: Tx, upgrade: Parameters<typeof insertUpgrade>[1]): Promise<void> {
    const { deployment_id: id, upgrade_id, generation } = upgrade;
    if (!(await insertUpgrade(tx.db, upgrade, now()))) return await reportUpgrade(tx, id, upgrade_id);
    await passGeneration(tx.db, id, generation);
    await scheduleNow(tx.db, id, now());
  }

  /** @returns false when it was to be deleted before */
  async function end(tx: Tx, id: DeploymentId, cause: Cause): Promise<boolean> {
    if (!(await markForDeletion(tx.db, id, cause))) return false;
    await cancelTasks(tx.db, id);
    await scheduleNow(tx.db, id, now());
    return true;
  }

  return {
    /** Takes in an instance of a connector. @throws RetryLater when its deployment has not come yet */
    activateConnector: (tx: Tx, command: CommandData<'connector_activate'>) =>
      activateConnector(tx, command, options.taskDeadlineSeconds),

    /**
     * Stores the spec that a deployment should have. Older generations and deleted deployments stay as they are. One whose id is
     * another's here is refused, and reported as failed until the other is gone.
     */
    async apply(tx: Tx, command: Apply): Promise<void> {
      const { deployment: spec } = command;
      if (spec.cloud !== cloud || spec.region !== region) {
        throw new PermanentError(`the command is for ${spec.cloud} ${spec.region}, which is not this region`);
      }
      await lockCommands(tx.db, spec.id);
      const known = await findKnown(tx.db, spec.id);
      if (known && known.uid !== spec.uid) return await refuse(options, tx, command, known);
      if (await tombstoneExists(tx.db, spec)) {
        if (known) return;
        await reportUsageAgain(tx, spec.uid);
        return reportRemoved(tx, spec, now());
      }
      const nodeIds = spec.nodes.map(({ id }) => id);
      await lockNodes(tx.db, nodeIds);
      if ((await findOtherOwner(tx.db, spec.id, nodeIds)) !== undefined)
        return await refuse(options, tx, command);
      await (known ? update(tx, command) : create(tx, command));
    },

    /** Notes what a deployment shall become; the reconciler brings it about as soon as it runs. */
    async upgrade(tx: Tx, command: CommandData<'upgrade_deployment'>): Promise<void> {
      const deployment = await addressed(tx, command);
      const storage = largerOf(command.storage, deployment?.spec.storage);
      if (deployment) await noteUpgrade(tx, { ...command, storage });
    },

    /** Notes an extension, as `upgrade` does an upgrade; its nodes have come with the spec, and change nothing else. */
    async extend(tx: Tx, command: CommandData<'extend_deployment'>): Promise<void> {
      const deployment = await addressed(tx, command);
      if (!deployment) return;
      const { tier, storage, limits } = deployment.spec;
      const tier_resources = brokerResourcesSchema
        .omit({ monthly_cents: true, price: true, price_changes: true })
        .parse(limits);
      await noteUpgrade(tx, { ...command, tier, storage, tier_resources });
    },

    /** Marks a deployment for deletion, for good. One that is not here is reported as removed. */
    async delete(tx: Tx, command: CommandData<'deployment_delete'>): Promise<void> {
      const { deployment_id: id, uid, cause } = command;
      await lockCommands(tx.db, id);
      const known = await findKnown(tx.db, id);
      await insertTombstone(tx.db, { id, uid }, now());
      if (known?.uid !== uid) {
        await completeTombstone(tx.db, { uid }, now());
        return reportRemoved(tx, { id, uid }, now());
      }
      await end(tx, id, cause);
    },

    /**
     * Reports nothing more of a deployment that main-api does not know, and deletes it once that has been so for long. It can be
     * a customer's to whom it was promised before main-api's database was restored from an older copy.
     */
    async disown(tx: Tx, command: CommandData<'deployment_unknown'>): Promise<void> {
      const { deployment_id: id, uid } = command;
      await lockCommands(tx.db, id);
      const known = await findKnown(tx.db, id);
      if (known?.uid !== uid) return;
      const since = await markUnknown(tx.db, id, now());
      const about = { deployment: id, uid };
      if (!known.unknownSince) log.warn('main-api does not know a deployment', about);
      if (now().getTime() - since.getTime() < unknownSeconds * 1000) return;
      await insertTombstone(tx.db, known, now());
      if (await end(tx, id, system.cause))
        log.warn('a deployment that main-api does not know is deleted', about);
    },
  };
}

/**
 * Leaves what is here to whom it belongs. A deployment that has the id of one that main-api speaks of is none that main-api knows:
 * nothing is reported of it. Once it is gone, main-api sends the spec again.
 */
async function refuse(
  { onMismatch, now, log }: CommandsOptions,
  tx: Tx,
  { deployment: { id, uid }, report_above }: Apply,
  known?: KnownDeployment,
): Promise<void> {
  onMismatch();
  log.warn('a deployment was refused: its id, or that of a node, is taken', {
    deployment: id,
    uid,
    by: known?.uid,
  });
  if (known) await markUnknown(tx.db, id, now());
  const reason =
    'its id, or that of a node, is that of another deployment in this region, which has to go first';
  reportRefused(tx, { id, uid }, report_above, reason, now());
}

/**
 * The spec with the tier, the storage and the resources that the region has made of the deployment, where main-api could not know
 * what that is when it sent the spec.
 */
async function withUpgrades(
  tx: Tx,
  generation: number,
  spec: DeploymentSpec,
  is: Deployment | undefined,
): Promise<DeploymentSpec> {
  const { id, upgrade_id } = spec;
  const isKnown = upgrade_id !== undefined && (await findUpgrade(tx.db, id, upgrade_id)) !== undefined;
  if (!is) return spec;
  const shrinks = largerOf(spec.storage, is.spec.storage) !== spec.storage;
  if (!isKnown && !shrinks && !(await isOvertaken(tx.db, id, generation))) return spec;
  const { tier, storage, limits } = is.spec;
  const prices = isDeepStrictEqual({ tier, storage }, { tier: spec.tier, storage: spec.storage })
    ? pricesOf(spec.limits)
    : {};
  // what the plan allows is main-api's to say, what brokers may use the region's, and the price of the same shape main-api's again
  return {
    ...{ ...spec, tier, storage },
    limits: { ...planLimitsOf(spec.limits), ...resourcesOf(limits), ...prices },
  };
}

/** Counts what a deployment has cost, and goes by the price, spend limit and suspension that it has now. */
async function takePrices(tx: Tx, { id, spec: former }: Deployment, now: Date): Promise<void> {
  const deployment = await findLocked(tx.db, id);
  if (!deployment || isDeepStrictEqual(meteredBy(former), meteredBy(deployment.spec))) return;
  await settleSpending(tx, id, now);
  if (await correctLatePrices(tx, deployment, now)) await settleSpending(tx, id, now);
}

/** The status has its version, as it does not change. */
async function reportUpgrade(tx: Tx, id: DeploymentId, upgradeId: string): Promise<void> {
  const [deployment, upgrade] = [await findLocked(tx.db, id), await findUpgrade(tx.db, id, upgradeId)];
  const report = upgrade && reportOf(upgrade);
  if (!deployment || !report) return;
  reportStatus(tx, deployment, { upgrade: report });
}

type Named = Pick<KnownDeployment, 'id' | 'uid'>;

function reportRemoved(tx: Outgoing, { id, uid }: Named, now: Date): void {
  tx.report('deployment_removed', { deployment_id: id, uid, removed_at: now.toISOString() });
}
