import { figures } from '@sluice/service';
import type { Registry } from '@prometheus-io/client';
import type { Database } from '@sluice/region-store/tables';
import { countByStatus } from '@sluice/region-store/deployments.store';
import { countLinks } from '@sluice/region-store/network-links.store';
import { countByAgent } from '@sluice/region-store/nodes.store';

/** what a region has changes slowly, and each replica counts it */
const keptMilliseconds = 15_000;

/** What a region has: its deployments by status, its nodes by the version of their agents, its links. All replicas report the same. */
export function measureRegion(registry: Registry, database: Database): void {
  const gauges = {
    deployments: {
      name: 'sluice_deployments',
      help: 'Deployments of the region by status',
      labelNames: ['status'],
    },
    seconds: {
      name: 'sluice_deployments_status_seconds',
      help: 'How long the deployment that has been in this status for longest has been so',
      labelNames: ['status'],
    },
    nodes: {
      name: 'sluice_nodes',
      help: 'Nodes of the region by the version of their agents, the twenty most frequent',
      labelNames: ['agent_version'],
    },
    links: {
      name: 'sluice_network_links',
      help: 'Peerings, endpoint services and attachments of the region by kind and status, those that are gone left out',
      labelNames: ['kind', 'status', 'failing'],
    },
  };
  const read = async () => {
    const [statuses, agents] = [await countByStatus(database), await countByAgent(database)];
    const links = await countLinks(database);
    return {
      deployments: statuses.map(({ status, count }) => ({ labels: { status }, value: count })),
      seconds: statuses.map(({ status, seconds }) => ({ labels: { status }, value: seconds })),
      nodes: agents.map(({ agent_version, count }) => ({ labels: { agent_version }, value: count })),
      links: links.map(({ count, failing, ...labels }) => ({
        labels: { ...labels, failing: String(failing) },
        value: count,
      })),
    };
  };
  figures(registry, gauges, read, keptMilliseconds);
}
