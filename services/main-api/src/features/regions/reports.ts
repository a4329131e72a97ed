import {
  reportSchemas,
  supervisorOf,
  type DeploymentId,
  type DeploymentIdentity,
  type RegionRef,
  type Sender,
} from '@sluice/contracts';
import { NotUnderstood, PermanentError, type Envelope } from '@sluice/messaging';
import type { Database, Transaction } from '@sluice/main-store/database';
import { recordKeyUse } from '@sluice/main-store/api-keys.store';
import { applyConnectorsState, deleteConnectorInstance } from '@sluice/main-store/connector-instances.store';
import { keepAccess } from './deployment-access.store.ts';
import { applyStatus, deleteDeployment, findIdentity } from '@sluice/main-store/deployments.store';
import { raiseUsageTo, upsertRegion } from './regions.store.ts';
import {
  takeChannelInventory,
  type ChannelInventoryDependencies,
} from '../notifications/channel-messages.ts';
import { keepBilled } from '../billing/usage-intervals.store.ts';
import { takeUsage } from '../billing/usage-reports.ts';
import { takeActivation } from './activations.ts';
import { recordUndeliverable } from './undeliverable-mails.store.ts';
import { handleUpgrade } from './upgrades.ts';
import { takeInventory, type InventoryDependencies } from './inventory.ts';

/**
 * Handles what the other services report. Reports can come twice and in any order: a status counts only if it is newer, and a
 * deployment that is gone stays gone. A region is believed what it says of itself and of its own deployments.
 * @throws PermanentError when it is about another region, NotUnderstood or ZodError when it is of no known kind or form
 */
export async function handleReport(
  dependencies: InventoryDependencies & ChannelInventoryDependencies,
  report: Envelope,
  db: Transaction,
  sender: Sender,
): Promise<void> {
  switch (report.type) {
    case 'region_registered': {
      const registration = reportSchemas.region_registered.parse(report['data']);
      checkRegion(sender, registration);
      await upsertRegion(db, registration);
      if (registration.usage_to) await raiseUsageTo(db, registration, new Date(registration.usage_to));
      if (registration.inventory) await takeInventory(db, dependencies, registration, registration.inventory);
      return;
    }
    case 'deployment_status': {
      const status = reportSchemas.deployment_status.parse(report['data']);
      if (!(await isAbout(db, sender, status))) return;
      await applyStatus(db, status);
      if (status.connectors) await applyConnectorsState(db, status.deployment_id, status.connectors);
      if (status.access) await keepAccess(db, status.deployment_id, status.access);
      if (status.upgrade)
        await handleUpgrade(db, dependencies.catalogue, status.deployment_id, status.upgrade);
      return;
    }
    case 'usage':
      return await takeUsage(db, dependencies.prices, sender, reportSchemas.usage.parse(report['data']));
    case 'connector_activation': {
      const activation = reportSchemas.connector_activation.parse(report['data']);
      if (await isAbout(db, sender, activation)) await takeActivation(db, activation);
      return;
    }
    case 'connector_deleted': {
      const deleted = reportSchemas.connector_deleted.parse(report['data']);
      if (await isAbout(db, sender, deleted)) await deleteConnectorInstance(db, deleted);
      return;
    }
    case 'deployment_removed': {
      const removed = reportSchemas.deployment_removed.parse(report['data']);
      if (!(await isAbout(db, sender, removed))) return;
      // its last usage may come after this
      await keepBilled(db, removed);
      await deleteDeployment(db, removed.deployment_id);
      return;
    }
    case 'api_keys_used': {
      const { uses } = reportSchemas.api_keys_used.parse(report['data']);
      await recordKeyUse(db, new Map(uses.map(({ id, used_at }) => [id, new Date(used_at)])));
      return;
    }
    case 'channel_inventory': {
      const inventory = reportSchemas.channel_inventory.parse(report['data']);
      if (sender !== 'notifier') throw new PermanentError(`${sender} speaks of channels`);
      return await takeChannelInventory(db, dependencies, inventory);
    }
    case 'mail_undeliverable': {
      const undeliverable = reportSchemas.mail_undeliverable.parse(report['data']);
      if (sender !== 'notifier') throw new PermanentError(`${sender} speaks of mails`);
      return await recordUndeliverable(db, undeliverable);
    }
    default:
      throw new NotUnderstood(`there is no report '${report.type}'`);
  }
}

function checkRegion(sender: Sender, region: RegionRef): void {
  if (sender !== supervisorOf(region))
    throw new PermanentError(`${sender} speaks of ${region.cloud} ${region.region}`);
}

/**
 * Whether there is the deployment that a region speaks of. What it says of one that is gone, or that only has the same id, has no
 * effect. @throws PermanentError when it is another region's
 */
async function isAbout(
  db: Database,
  sender: Sender,
  named: DeploymentIdentity & { deployment_id: DeploymentId },
): Promise<boolean> {
  const deployment = await findIdentity(db, named.deployment_id);
  if (deployment?.uid !== named.uid) return false;
  checkRegion(sender, deployment);
  return true;
}
