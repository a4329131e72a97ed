import type { DesiredCluster, NodeId } from '@sluice/contracts';
import type { SecretBox } from '@sluice/system/secrets';
import type { BrokerPlace } from '@sluice/drivers';
import { serverName } from '@sluice/region-store/clusters.store';
import type { DesiredDeployment } from './desired-state.store.ts';

/**
 * How a node's broker is one of a cluster, for its agent; null where it is by itself, undefined while it is not known how.
 * @param place where brokers of a cluster find each other in this region
 */
export async function desiredCluster(
  secrets: SecretBox,
  nodeId: NodeId,
  { id, kind, cluster }: DesiredDeployment,
  place: BrokerPlace,
): Promise<DesiredCluster | null | undefined> {
  if (kind === 'standalone') return null;
  if (cluster === null) return undefined;
  const { username, sealed_password, certificate, sealed_key, authority, former_authority } = cluster;
  return {
    name: `deployment-${id}`,
    server_name: serverName(nodeId),
    host: place.listen,
    routes: cluster.routes.map(({ node_id, port }) => ({
      server_name: serverName(node_id),
      host: place.hostOf(id, node_id),
      port,
    })),
    credentials: { username, password: await secrets.open(sealed_password) },
    tls: {
      certificate,
      private_key: await secrets.open(sealed_key),
      authority: `${authority}${former_authority ?? ''}`,
    },
    may_restart: cluster.turn_node_id === nodeId,
  };
}
