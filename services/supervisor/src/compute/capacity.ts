import type { BrokerCapacity, BrokerResources } from '@sluice/contracts';

/** What one node's broker may use, of what its deployment may: clients choose any node, and each has its own volume. */
export function ofOneNode(resources: BrokerResources, nodes: number): BrokerResources {
  const { broker_rate } = resources;
  if (typeof broker_rate !== 'number') return resources;
  return { ...resources, broker_rate: Math.max(1, Math.floor(broker_rate / nodes)) };
}

/** The settings (BROKER_*) of a broker that may use so much. */
export function brokerValues(resources: BrokerResources): Record<string, string> {
  const { broker_connections, broker_disk, broker_memory } = resources;
  return {
    ...(broker_connections !== undefined && { BROKER_TCP_MAX_CONNECTIONS: String(broker_connections) }),
    ...(broker_disk !== undefined && { BROKER_STREAM_MAX_DISK: String(broker_disk) }),
    ...(broker_memory !== undefined && { BROKER_STREAM_MAX_MEMORY: String(broker_memory) }),
  };
}

/** Whether a broker may use exactly so much; what is not set can be anything. */
export function isOf(capacity: BrokerCapacity, resources: BrokerResources): boolean {
  const { broker_connections, broker_disk, broker_memory, broker_rate } = resources;
  const pairs = [
    [broker_connections, capacity.connections],
    [broker_disk, capacity.file_store],
    [broker_memory, capacity.memory_store],
    [broker_rate, capacity.rate_limit],
  ];
  return pairs.every(([wanted, is]) => wanted === undefined || wanted === is);
}
