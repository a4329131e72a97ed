import {
  commandSchemas,
  connectorInstanceIdSchema,
  deploymentIdentitySchema,
  deploymentIdSchema,
  type CommandType,
} from '@sluice/contracts';
import { z } from 'zod';
import { reportRefused, reportStatus } from '@sluice/region-store/status-report';
import { findKnown, findLocked } from '@sluice/region-store/deployments.store';
import type { Tx } from '../shared.ts';

/** As much of a command as names what it is about. */
const appliedSchema = z.object({
  deployment: deploymentIdentitySchema.extend({ id: deploymentIdSchema }),
  report_above: z.int().min(0).optional(),
});
const upgradeSchema = z.object({ deployment_id: deploymentIdSchema, upgrade_id: z.uuid() });
const activationSchema = deploymentIdentitySchema.extend({
  deployment_id: deploymentIdSchema,
  instance: z.object({ id: connectorInstanceIdSchema }),
});

/**
 * Reports the failure of what a command asks for that this release cannot read. A new spec of a deployment that is here waits instead,
 * and the deployment goes on as it is.
 * @returns whether a failure was reported
 */
export async function reportUnreadable(tx: Tx, type: string, data: unknown): Promise<boolean> {
  const schema = Object.hasOwn(commandSchemas, type) ? commandSchemas[type as CommandType] : undefined;
  const { error } = schema?.safeParse(data) ?? {};
  if (!error) return false;
  const places = [...new Set(error.issues.map(({ path }) => path.join('.')))].slice(0, 5).join(', ');
  const reason = `the region cannot read what was sent for it: ${places} is not what this release of the region accepts`;
  return await reportFailure(tx, type, data, reason);
}

/** Reports the failure of what a command asks for that has become a dead letter. */
export async function reportAbandoned(tx: Tx, type: string, data: unknown): Promise<void> {
  await reportFailure(tx, type, data, 'the region could not carry out what was sent for it');
}

/** @returns whether it has named something that can be reported */
async function reportFailure(tx: Tx, type: string, data: unknown, reason: string): Promise<boolean> {
  switch (type) {
    case 'deployment_apply': {
      const { data: applied } = appliedSchema.safeParse(data);
      return applied !== undefined && (await reportCreation(tx, applied, reason));
    }
    case 'upgrade_deployment':
    case 'extend_deployment': {
      const { data: upgrade } = upgradeSchema.safeParse(data);
      return upgrade !== undefined && (await reportUpgrade(tx, upgrade, reason));
    }
    case 'connector_activate': {
      const { data: activation } = activationSchema.safeParse(data);
      if (!activation) return false;
      const { instance, ...about } = activation;
      tx.report('connector_activation', { ...about, instance_id: instance.id, accepted: false, reason });
      return true;
    }
    default:
      return false;
  }
}

async function reportCreation(
  tx: Tx,
  { deployment, report_above }: z.infer<typeof appliedSchema>,
  reason: string,
): Promise<boolean> {
  if (await findKnown(tx.db, deployment.id)) return false;
  reportRefused(tx, deployment, report_above, reason, new Date());
  return true;
}

/** The deployment stays as it is, and so does the version of its status. */
async function reportUpgrade(
  tx: Tx,
  { deployment_id, upgrade_id }: z.infer<typeof upgradeSchema>,
  reason: string,
): Promise<boolean> {
  const deployment = await findLocked(tx.db, deployment_id);
  if (!deployment) return false;
  reportStatus(tx, deployment, { upgrade: { upgrade_id, state: 'rolled_back', reason } });
  return true;
}
