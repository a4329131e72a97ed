import type { DeploymentId, NodeId } from '@sluice/contracts';
import type { Names } from '@sluice/system/authority';

export interface BrokerPlace {
  listen: string;
  hostOf(deployment: DeploymentId, node: NodeId): string;
  namesOf(deployment: DeploymentId): Names;
}

const loopback = '127.0.0.1';

export const loopbackPlace: BrokerPlace = {
  listen: loopback,
  hostOf: () => loopback,
  namesOf: () => ({ dns: [], addresses: [loopback] }),
};
