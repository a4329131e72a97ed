import type { Node } from '@sluice/region-store/nodes.store';
import type { VolumeWork } from '@sluice/region-store/volume-work.store';

/**
 * Whether a heartbeat says that the agent has applied the last revision, and that its broker is as that says. The revision that a
 * node asks by does not count: it comes without the broker's state.
 */
export function hasReached(
  node: Node,
  { revision }: Pick<VolumeWork, 'revision'>,
  status: 'stopped' | 'running',
): boolean {
  const broker = node.runtimes.find(({ runtime }) => runtime === 'broker');
  return (node.applied?.revision ?? 0) >= (revision ?? 0) && broker?.status === status;
}

export function isStopped({ former_states }: VolumeWork, { id }: Node): boolean {
  return former_states?.find(({ node_id }) => node_id === id)?.stopped ?? false;
}

export const namesOf = (nodes: readonly Node[]) =>
  nodes.map(({ name }) => name).join(', ') || 'the deployment';
