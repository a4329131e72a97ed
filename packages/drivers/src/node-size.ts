import type { Tier } from '@sluice/contracts';
import type { NodeShape } from './compute.ts';

export interface NodeSize {
  /** in thousandths of a core: what it is sure of, and what it may take while others do not need it */
  cpu: { request: number; limit: number };
  /** MiB, which it has to itself */
  memory: number;
  /** of its volume, gigabytes */
  storage: number;
}

/** thousandths of a core */
const processors: Record<Tier, NodeSize['cpu']> = {
  free: { request: 100, limit: 1_000 },
  small: { request: 250, limit: 2_000 },
  medium: { request: 500, limit: 2_000 },
  large: { request: 1_000, limit: 2_000 },
  xlarge: { request: 4_000, limit: 4_000 },
  '2xlarge': { request: 8_000, limit: 8_000 },
  '4xlarge': { request: 16_000, limit: 16_000 },
  '8xlarge': { request: 32_000, limit: 32_000 },
  '16xlarge': { request: 64_000, limit: 64_000 },
};

const mebibyte = 2 ** 20;
/** what agent, gateway, connectors runtime and an idle broker need, MiB */
const leastMemory = 1_024;
/** gigabytes, where nothing says how much */
const leastStorage = 10;
/** the part of its volume that a broker may fill at most; the rest is the agent's, and the file system's */
const brokersPart = 0.9;

/** How large a node is: its memory is twice what its broker may store in it, and its volume holds what the broker may store on it. */
export function sizeOf({ tier, storage, resources }: NodeShape): NodeSize {
  const { broker_memory = 0, broker_disk = 0 } = resources;
  return {
    cpu: processors[tier],
    memory: Math.max(leastMemory, Math.ceil((2 * broker_memory) / mebibyte)),
    storage: storage.size ?? Math.max(leastStorage, Math.ceil(broker_disk / brokersPart / 1e9)),
  };
}

/** What so many nodes take at most, each as large as the largest of `sizes`. */
export function quotaOf(sizes: readonly NodeSize[], nodes: number): NodeSize {
  const most = (pick: (size: NodeSize) => number) => nodes * Math.max(0, ...sizes.map(pick));
  return {
    cpu: { request: most(({ cpu }) => cpu.request), limit: most(({ cpu }) => cpu.limit) },
    memory: most(({ memory }) => memory),
    storage: most(({ storage }) => storage),
  };
}
