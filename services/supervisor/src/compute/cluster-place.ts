import type { DeploymentId, NodeId } from '@sluice/contracts';
import type { Names } from '@sluice/system/authority';
import { clusterHostOf, clusterNamesOf } from './kubernetes/brokers-service.ts';

/** Where the brokers of a cluster listen for each other, and how each finds the others. */
export interface ClusterPlace {
  /** the address that they listen on */
  listen: string;
  /** where the others reach a node */
  hostOf(deployment: DeploymentId, node: NodeId): string;
  /** What the certificate is for that all of them have. */
  namesOf(deployment: DeploymentId): Names;
}

const loopback = '127.0.0.1';

/** On one machine. */
export const machinePlace: ClusterPlace = {
  listen: loopback,
  hostOf: () => loopback,
  namesOf: () => ({ dns: [], addresses: [loopback] }),
};

/** In pods, whose addresses change and whose names stay. */
export const podPlace = (owner: string): ClusterPlace => ({
  listen: '0.0.0.0',
  hostOf: (deployment, node) => clusterHostOf(owner, deployment, node),
  namesOf: (deployment) => ({ dns: [clusterNamesOf(owner, deployment)], addresses: [] }),
});
