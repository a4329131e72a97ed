import type { ActivatedConnector, Cause, ReportData } from '@sluice/contracts';
import { shown } from '@sluice/http';
import { system } from '@sluice/service';
import type { Transaction } from '@sluice/main-store/database';
import {
  type ConnectorInstanceRow,
  listWantedInstances,
  markAccepted,
  markRefused,
} from '@sluice/main-store/connector-instances.store';
import { aboutOf, findDeployments, type PlacedDeployment } from '@sluice/main-store/deployments.store';
import { pick } from '@sluice/main-store/rows';

/** Has the region of a deployment bring an instance of a connector onto it. */
export function sendActivation(
  tx: Transaction,
  cause: Cause,
  deployment: PlacedDeployment,
  instance: ConnectorInstanceRow,
): void {
  const { id, uid, code } = deployment;
  tx.command(deployment, 'connector_activate', {
    ...{ deployment_id: id, uid, code, cause },
    instance: shown(instance, 'id', 'connector_type', 'connector_key', 'name', 'key', 'created_at'),
  });
}

export const connectorData = ({ id: instance_id, ...instance }: Omit<ActivatedConnector, 'created_at'>) => ({
  instance_id,
  ...pick(instance, 'connector_type', 'connector_key', 'name', 'key'),
});

/** Sends the connectors of deployments once more, behind their shapes: their regions may have lost them. */
export async function sendActivationsAgain(tx: Transaction, deployments: PlacedDeployment[]): Promise<void> {
  const byId = new Map(deployments.map((deployment) => [deployment.id, deployment]));
  for (const instance of await listWantedInstances(tx, [...byId.keys()])) {
    const deployment = byId.get(instance.deployment_id);
    if (deployment) sendActivation(tx, system.cause, deployment, instance);
  }
}

/** Takes in what a region says to an activation. The last word counts, but a refusal is final. */
export async function takeActivation(
  tx: Transaction,
  { accepted, reason, ...named }: ReportData<'connector_activation'>,
): Promise<void> {
  if (accepted) return void (await markAccepted(tx, named));
  const why = reason ?? 'the region has refused it';
  const refused = await markRefused(tx, named, why);
  const [deployment] = await findDeployments(tx, [named.deployment_id]);
  if (!refused || !deployment) return;
  tx.emit('connector_refused', aboutOf(deployment), { ...connectorData(refused), reason: why });
}
