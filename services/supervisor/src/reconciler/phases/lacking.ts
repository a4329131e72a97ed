import type { ObservedNode } from './phase.ts';

/** Why its agent is not at work; null when it is. */
export function absence({ presence, reason, waitsFor }: ObservedNode): string | null {
  if (waitsFor !== undefined) return waitsFor;
  if (presence === 'running') return null;
  return `its agent does not run${reason === undefined ? '' : `: ${reason}`}`;
}

/** The same, and why an agent that is at work has not enrolled. */
export function unenrolled(node: ObservedNode): string | null {
  const { enrolled, reason } = node;
  const absent = absence(node);
  if (absent !== null || enrolled) return absent;
  return `its agent has not enrolled${reason === undefined ? '' : `: ${reason}`}`;
}

/** What lacks until the node's broker runs in this revision of its configuration, or is stopped where that is wanted. */
export function undeployed(node: ObservedNode, revision: number): string | null {
  const { stopped, broker, appliedRevision, drifted, address } = node;
  const absent = absence(node);
  if (absent !== null) return absent;
  if (drifted === true) return 'it is not as it should be yet';
  if (address === null) return 'it has no address yet';
  if (!broker) return 'its agent has not reported';
  if (broker.status !== (stopped ? 'stopped' : 'running')) {
    return `its broker is ${broker.status}${broker.reason === null ? '' : ` (${broker.reason})`}`;
  }
  if (awaitsRestart(node)) return 'it waits for its turn to restart';
  return appliedRevision >= revision ? null : 'its agent has not applied the configuration';
}

/** Whether its broker, or its agent with it, is to be replaced while it runs. */
export const awaitsRestart = ({ cluster, stopped, ...node }: ObservedNode): boolean =>
  !stopped && (cluster?.awaits_restart === true || node.awaitsRestart === true);

/** What nodes lack, as people read it; null when none lacks anything. */
export function listed(
  nodes: readonly ObservedNode[],
  lacks: (node: ObservedNode) => string | null,
): string | null {
  const lines = nodes.flatMap((node) => {
    const lacking = lacks(node);
    return lacking === null ? [] : [`node ${node.name}: ${lacking}`];
  });
  return lines.length === 0 ? null : lines.join('; ');
}
