import type { DeploymentId, NodeId } from '@sluice/contracts';
import type { Names } from '@sluice/system/authority';

/** Where the brokers of one deployment listen for each other, and how each finds the others. */
export interface BrokerPlace {
  /** the address that they listen on */
  listen: string;
  /** where the others reach a node */
  hostOf(deployment: DeploymentId, node: NodeId): string;
  /** the names of the certificate that all of them have */
  namesOf(deployment: DeploymentId): Names;
}

const loopback = '127.0.0.1';

/** Brokers on one machine. */
export const loopbackPlace: BrokerPlace = {
  listen: loopback,
  hostOf: () => loopback,
  namesOf: () => ({ dns: [], addresses: [loopback] }),
};
