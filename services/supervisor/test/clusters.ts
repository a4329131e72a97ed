import type { NatsConnection } from '@nats-io/transport-node';
import { idOf, type DeploymentSpec, type NodeId } from '@sluice/contracts';
import { aDeployment, client, connectBrokers, type Login, type ShapeChanges } from '@sluice/testing';
import type { Deployment } from './client.ts';

/** The shape of a cluster of so many nodes. */
export function aCluster(size: number, more: ShapeChanges = {}): DeploymentSpec {
  const shape = aDeployment({ cluster: 'cluster', ...more });
  return { ...shape, nodes: nodesOf(shape, size) };
}

/** Its nodes, if it had so many. */
export const nodesOf = ({ id }: DeploymentSpec, size: number) =>
  Array.from({ length: size }, (_, index) => ({
    ...{ id: idOf<NodeId>(id + 1 + index), name: `node-${index + 1}` },
  }));

/** Connects the stock client to all nodes of a cluster with the login of the API. */
export async function connectToAll(
  url: string,
  key: string,
  { id, nodes }: Deployment,
): Promise<NatsConnection> {
  const { body } = await client(url, key).get<Login>(`/deployments/${id}/credentials`);
  return await connectBrokers(
    nodes.map(({ endpoints }) => endpoints.broker_tcp),
    body,
  );
}
