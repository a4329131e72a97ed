import { linkProtocols, type LinkedDeployment } from '@sluice/drivers';
import type { Deployment } from '@sluice/region-store/deployments.store';
import type { Node } from '@sluice/region-store/nodes.store';
import { privateAddress } from '../deployments/deployment-view.ts';

/** A deployment as drivers of links know it. */
export function linkedDeployment(
  { id, uid, subnet }: Deployment,
  nodes: readonly Pick<Node, 'position' | 'ports'>[],
): LinkedDeployment {
  const brokers = nodes.flatMap(({ position, ports }) => {
    const address = privateAddress({ position }, subnet);
    const known = linkProtocols.flatMap((protocol) => {
      const port = ports?.[protocol];
      return typeof port === 'number' ? [[protocol, port] as const] : [];
    });
    return address === null || known.length === 0 ? [] : [{ address, ports: Object.fromEntries(known) }];
  });
  return { id, uid, subnet, brokers };
}
