import { isDeepStrictEqual } from 'node:util';
import type { CommandData, DeploymentId, DeploymentShape } from '@sluice/contracts';
import { PermanentError, type Outgoing } from '@sluice/messaging';
import { system, type Log } from '@sluice/service';
import type { SecretBox } from '@sluice/system/secrets';
import type { ByocDriver } from '../../compute/compute-driver.ts';
import type { Transaction } from '../../database/tables.ts';
import { forgetTold } from '../../stores/connectors-told.store.ts';
import {
  findKnown,
  findLocked,
  insertDeployment,
  lockCommands,
  markForDeletion,
  markKnown,
  markUnknown,
  passGeneration,
  raiseAccessRevision,
  raiseRevision,
  renumberStatus,
  updateShape,
  type Deployment,
  type KnownDeployment,
} from '../../stores/deployments.store.ts';
import { insertDefaultRule } from '../../stores/access-rules.store.ts';
import { makeKey } from '../encryption/keys.ts';
import { setEncrypted } from '../../stores/encryption-keys.store.ts';
import { settleSpending } from '../../spending/settle-spending.ts';
import { accessOf, compareAccess, restoreAccess } from '../access-rules/kept-access.ts';
import { activateConnector } from '../connectors/activations.service.ts';
import { newLogin } from '../credentials/login.ts';
import { findOtherOwner, lockNodes, upsertNodes } from '../../stores/nodes.store.ts';
import { insertReconciliation, scheduleNow } from '../../stores/reconciliations.store.ts';
import { findUpgrade, insertUpgrade, isOvertaken, reportOf } from '../../stores/upgrades.store.ts';
import { cancelTasks } from '../../stores/tasks.store.ts';
import { completeTombstone, insertTombstone, tombstoneExists } from '../../stores/tombstones.store.ts';

export interface CommandsOptions {
  /** the region that this supervisor serves */
  cloud: string;
  region: string;
  secrets: SecretBox;
  /** whether the clients of new deployments come without TLS */
  plainText: boolean;
  /** what makes the nodes of new byoc deployments */
  byocDriver: ByocDriver;
  /** called for each shape whose id, or a node's, another deployment has here */
  onMismatch: () => void;
  /** for how long a deployment goes on that main-api does not know */
  unknownSeconds: number;
  taskDeadlineSeconds: number;
  now: () => Date;
  log: Log;
}

export type CommandsService = ReturnType<typeof commandsService>;
type Apply = CommandData<'deployment_apply'>;
type Tx = Transaction & Outgoing;

/** What main-api tells a region. Commands only store what is wanted and wake the reconciler, which brings it about. */
export function commandsService(options: CommandsOptions) {
  const { cloud, region, secrets, plainText, byocDriver, unknownSeconds, now, log } = options;

  async function update(tx: Tx, command: Apply): Promise<void> {
    const { generation, deployment: shape, report_above } = command;
    await markKnown(tx.db, shape.id);
    const former = await findLocked(tx.db, shape.id);
    const wanted = await withUpgrades(tx, generation, shape, former);
    const isStored = await updateShape(tx.db, generation, wanted);
    if (isStored && !(former && isAlike(former.shape, wanted))) {
      await upsertNodes(tx.db, shape.id, shape.nodes);
      await raiseRevision(tx.db, shape.id);
      await settleSpending(tx, shape.id, now());
      await scheduleNow(tx.db, shape.id, now());
    }
    if (report_above !== undefined) {
      await reportAnew(tx, shape, report_above);
      await forgetTold(tx.db, shape.id);
      if (former) await compareAccess(tx, former, command, { secrets, now: now() });
      await scheduleNow(tx.db, shape.id, now());
    }
  }

  async function create(
    tx: Tx,
    { generation, deployment: shape, cause, report_above, access }: Apply,
  ): Promise<void> {
    const credentials = await newLogin(shape.code, secrets, false);
    const version = (report_above ?? 0) + 1;
    await insertDeployment(tx.db, {
      ...{ generation, shape, cause, credentials, plainText, version },
      byocDriver: shape.variant === 'byoc' ? byocDriver : null,
      now: now(),
    });
    await insertReconciliation(tx.db, shape.id, now());
    // a managed deployment of the Free tier can be reached from everywhere until its rules say otherwise
    const isOpen = shape.tier === 'free' && shape.variant === 'managed';
    if (!access && isOpen) await insertDefaultRule(tx.db, shape.id, now());
    const created = await raiseAccessRevision(tx.db, shape.id);
    const deployment = access ? await restoreAccess(tx, created, access, secrets) : created;
    await upsertNodes(tx.db, shape.id, shape.nodes);
    if (shape.encrypted) {
      await makeKey(tx.db, secrets, shape.id, 1);
      // from here on heartbeats find the condition, and lock no deployment for it
      await setEncrypted(tx.db, [shape.id]);
    }
    tx.report('deployment_status', {
      ...{ deployment_id: shape.id, uid: shape.uid },
      version,
      status: 'creating',
      status_reason: null,
      changed_at: now().toISOString(),
      access: await accessOf(tx, deployment, now()),
    });
    await scheduleNow(tx.db, shape.id, now());
  }

  return {
    /** Takes in an instance of a connector. @throws RetryLater when its deployment has not come yet */
    activateConnector: (tx: Tx, command: CommandData<'connector_activate'>) =>
      activateConnector(tx, command, options.taskDeadlineSeconds),

    /**
     * Stores the shape that a deployment should have. Older generations and deleted deployments stay as they are. One whose id is
     * another's here is refused, and reported as failed until the other is gone.
     */
    async apply(tx: Tx, command: Apply): Promise<void> {
      const { deployment: shape } = command;
      if (shape.cloud !== cloud || shape.region !== region) {
        throw new PermanentError(
          `the command is for ${shape.cloud} ${shape.region}, which is not this region`,
        );
      }
      await lockCommands(tx.db, shape.id);
      const known = await findKnown(tx.db, shape.id);
      if (known && known.uid !== shape.uid) return await refuse(options, tx, command, known);
      if (await tombstoneExists(tx.db, shape)) return known ? undefined : reportRemoved(tx, shape, now());
      const nodeIds = shape.nodes.map(({ id }) => id);
      await lockNodes(tx.db, nodeIds);
      if ((await findOtherOwner(tx.db, shape.id, nodeIds)) !== undefined)
        return await refuse(options, tx, command);
      await (known ? update(tx, command) : create(tx, command));
    },

    /**
     * Notes what a deployment shall become; the reconciler brings it about as soon as it runs. One that has been asked for before is
     * reported as far as it is. A deployment that is not here will be sent again, and the upgrade with it.
     */
    async upgrade(tx: Tx, command: CommandData<'upgrade_deployment'>): Promise<void> {
      const { deployment_id: id, upgrade_id } = command;
      await lockCommands(tx.db, id);
      const known = await findKnown(tx.db, id);
      if (known?.uid !== command.uid) {
        log.warn('an upgrade is of no deployment that is here', { deployment: id, upgrade: upgrade_id });
        return;
      }
      const storage = largerOf(command.storage, (await findLocked(tx.db, id))?.shape.storage);
      if (!(await insertUpgrade(tx.db, { ...command, storage }, now())))
        return await reportUpgrade(tx, id, upgrade_id);
      await passGeneration(tx.db, id, command.generation);
      await scheduleNow(tx.db, id, now());
    },

    /** Notes an extension, as `upgrade` does an upgrade; its nodes have come with the shape, and change nothing else. */
    async extend(tx: Tx, command: CommandData<'extend_deployment'>): Promise<void> {
      const { deployment_id: id, upgrade_id, ...extension } = command;
      await lockCommands(tx.db, id);
      const deployment = await findLocked(tx.db, id);
      if (!deployment || deployment.uid !== command.uid) {
        log.warn('an extension is of no deployment that is here', { deployment: id, upgrade: upgrade_id });
        return;
      }
      const { tier, storage, limits } = deployment.shape;
      const { broker_disk, broker_memory, broker_connections, broker_rate } = limits;
      const tier_resources = { broker_disk, broker_memory, broker_connections, broker_rate };
      const upgrade = { ...extension, deployment_id: id, upgrade_id, tier, storage, tier_resources };
      if (!(await insertUpgrade(tx.db, upgrade, now()))) return await reportUpgrade(tx, id, upgrade_id);
      await passGeneration(tx.db, id, command.generation);
      await scheduleNow(tx.db, id, now());
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
      if (!(await markForDeletion(tx.db, id, cause))) return;
      await cancelTasks(tx.db, id);
      await scheduleNow(tx.db, id, now());
    },

    /**
     * Tells nobody any more of a deployment that main-api does not know, and deletes it once that has been so for long. It can be
     * somebody's who was promised it, before main-api's database was restored from an older copy.
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
      if (!(await markForDeletion(tx.db, id, system.cause))) return;
      await cancelTasks(tx.db, id);
      log.warn('a deployment that main-api does not know is deleted', about);
      await scheduleNow(tx.db, id, now());
    },
  };
}

/**
 * Leaves what is here to whom it belongs. A deployment that has the id of one that main-api speaks of is none that main-api knows:
 * nobody is told of it any more. Once it is gone, main-api sends the shape again.
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
  tx.report('deployment_status', {
    ...{ deployment_id: id, uid },
    version: (report_above ?? 0) + 1,
    status: 'failed',
    status_reason:
      'its id, or that of a node, is that of another deployment in this region, which has to go first',
    changed_at: now().toISOString(),
  });
}

/**
 * The shape with the tier, the storage and the resources that the region has made of the deployment, where main-api could not know
 * what that is when it sent the shape.
 */
async function withUpgrades(
  tx: Tx,
  generation: number,
  shape: DeploymentShape,
  is: Deployment | undefined,
): Promise<DeploymentShape> {
  const { id, upgrade_id } = shape;
  const isKnown = upgrade_id !== undefined && (await findUpgrade(tx.db, id, upgrade_id)) !== undefined;
  if (!is) return shape;
  const shrinks = largerOf(shape.storage, is.shape.storage) !== shape.storage;
  if (!isKnown && !shrinks && !(await isOvertaken(tx.db, id, generation))) return shape;
  const { tier, storage, limits } = is.shape;
  // what the plan allows is main-api's to say, what brokers may use the region's
  const { access_rules, configs, backups, backup_days, snapshots, snapshot_days } = shape.limits;
  const { private_networking, private_connections, private_endpoints } = shape.limits;
  const ofThePlan = {
    ...{ access_rules, configs, backups, backup_days, snapshots, snapshot_days },
    ...{ private_networking, private_connections, private_endpoints },
  };
  return { ...shape, tier, storage, limits: { ...limits, ...ofThePlan } };
}

type Storage = DeploymentShape['storage'];

/** Storage never shrinks: a main-api that asks for less was restored from a copy older than an upgrade, and will learn of it. */
const largerOf = (wanted: Storage, is: Storage = wanted): Storage =>
  wanted.type === is.type && (wanted.size ?? 0) < (is.size ?? 0) ? is : wanted;

/**
 * Whether two shapes differ in nothing but the names of what the deployment is in. People read those; neither nodes nor drivers do, so
 * that nobody has to be told when an environment of many deployments is renamed.
 */
function isAlike(one: DeploymentShape, other: DeploymentShape): boolean {
  const [division, environment] = [null, null];
  return isDeepStrictEqual({ ...one, division, environment }, { ...other, division, environment });
}

/** The status has its version, as it does not change. */
async function reportUpgrade(tx: Tx, id: DeploymentId, upgradeId: string): Promise<void> {
  const [deployment, upgrade] = [await findLocked(tx.db, id), await findUpgrade(tx.db, id, upgradeId)];
  const report = upgrade && reportOf(upgrade);
  if (!deployment || !report) return;
  tx.report('deployment_status', {
    ...{ deployment_id: id, uid: deployment.uid },
    version: deployment.status_version,
    status: deployment.status,
    status_reason: deployment.status_reason,
    changed_at: deployment.status_changed_at.toISOString(),
    upgrade: report,
  });
}

async function reportAnew(tx: Tx, { id }: DeploymentShape, above: number): Promise<void> {
  const deployment = await renumberStatus(tx.db, id, above);
  tx.report('deployment_status', {
    ...{ deployment_id: id, uid: deployment.uid },
    version: deployment.status_version,
    status: deployment.status,
    status_reason: deployment.status_reason,
    changed_at: deployment.status_changed_at.toISOString(),
  });
}

type Named = Pick<KnownDeployment, 'id' | 'uid'>;

function reportRemoved(tx: Outgoing, { id, uid }: Named, now: Date): void {
  tx.report('deployment_removed', { deployment_id: id, uid, removed_at: now.toISOString() });
}
