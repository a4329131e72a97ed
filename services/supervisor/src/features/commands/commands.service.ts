import { randomInt } from 'node:crypto';
import type { CommandData, DeploymentId, DeploymentShape } from '@sluice/contracts';
import type { Outgoing, SecretBox } from '@sluice/service-kit';
import type { Transaction } from '../../database/tables.ts';
import {
  deploymentExists,
  insertDeployment,
  lockCommands,
  markForDeletion,
  raiseRevision,
  updateShape,
} from '../../stores/deployments.store.ts';
import { upsertNodes } from '../../stores/nodes.store.ts';
import { insertReconciliation, scheduleNow } from '../../stores/reconciliations.store.ts';
import { completeTombstone, insertTombstone, tombstoneExists } from '../../stores/tombstones.store.ts';

export interface CommandsOptions {
  /** the region that this supervisor serves */
  cloud: string;
  region: string;
  secrets: SecretBox;
  now: () => Date;
}

export type CommandsService = ReturnType<typeof commandsService>;

/** What main-api tells a region. Commands only store what is wanted and wake the reconciler, which brings it about. */
export function commandsService({ cloud, region, secrets, now }: CommandsOptions) {
  return {
    /** Stores the shape that a deployment should have. Older generations and deleted deployments stay as they are. */
    async apply(tx: Transaction & Outgoing, command: CommandData<'deployment_apply'>): Promise<void> {
      const { generation, deployment: shape, cause } = command;
      if (shape.cloud !== cloud || shape.region !== region) {
        throw new Error(`The command is for ${shape.cloud} ${shape.region}, which is not this region`);
      }
      await lockCommands(tx.db, shape.id);
      if (await tombstoneExists(tx.db, shape.id)) return;
      if (await deploymentExists(tx.db, shape.id)) {
        if (!(await updateShape(tx.db, generation, shape))) return;
        await upsertNodes(tx.db, shape.id, shape.nodes);
        await raiseRevision(tx.db, shape.id);
      } else {
        const credentials = await newCredentials(shape, secrets);
        await insertDeployment(tx.db, { generation, shape, cause, credentials, now: now() });
        await insertReconciliation(tx.db, shape.id, now());
        await upsertNodes(tx.db, shape.id, shape.nodes);
        reportCreating(tx, shape.id, now());
      }
      await scheduleNow(tx.db, shape.id, now());
    },

    /** Marks a deployment for deletion, for good. One that is not here is reported as removed. */
    async delete(tx: Transaction & Outgoing, command: CommandData<'deployment_delete'>): Promise<void> {
      const { deployment_id, cause } = command;
      await lockCommands(tx.db, deployment_id);
      await insertTombstone(tx.db, deployment_id, now());
      if (!(await deploymentExists(tx.db, deployment_id))) {
        await completeTombstone(tx.db, deployment_id, now());
        return tx.report('deployment_removed', { deployment_id, removed_at: now().toISOString() });
      }
      if (await markForDeletion(tx.db, deployment_id, cause)) await scheduleNow(tx.db, deployment_id, now());
    },
  };
}

function reportCreating(tx: Outgoing, deploymentId: DeploymentId, now: Date): void {
  tx.report('deployment_status', {
    deployment_id: deploymentId,
    version: 1,
    status: 'creating',
    status_reason: null,
    changed_at: now.toISOString(),
  });
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const passwordLength = 32;

/** The login of the deployment's clients: made once, and the same for as long as the deployment lives. */
async function newCredentials(shape: DeploymentShape, secrets: SecretBox) {
  const password = Array.from({ length: passwordLength }, () => letters[randomInt(letters.length)]).join('');
  return { username: `user-${shape.code.toLowerCase()}`, sealedPassword: await secrets.seal(password) };
}
