import type { Condition } from '@sluice/client';
import type { StatusKind } from '@sluice/ui/lib/status.ts';

/** What is watched of nodes, which a region sees at once. Anything else that does not hold may be on its way. */
const graveReasons = new Set(['Unreachable', 'NotRunning', 'Expired', 'DataLost', 'Failed']);

/** How a condition is shown. */
export function conditionKind({ status, reason }: Pick<Condition, 'status' | 'reason'>): StatusKind {
  if (status === 'True') return reason === 'RenewalFailing' ? 'warn' : 'ok';
  if (status === 'Unknown') return 'idle';
  return graveReasons.has(reason) ? 'bad' : 'warn';
}

/** `AgentsConnected` is `Agents connected`. */
export function conditionName(type: string): string {
  const words = type.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').split(' ');
  return words
    .map((word, index) =>
      word === 'Dns' ? 'DNS' : index === 0 || /^[A-Z\d]+$/.test(word) ? word : word.toLowerCase(),
    )
    .join(' ');
}

/** The nodes whose data is gone, as the reason of the status names them. */
export function lostNodes<Node extends { name: string }>(
  reason: string | null,
  nodes: readonly Node[],
): Node[] {
  const [, names = ''] = /^data_lost: the data of (.*) is gone/.exec(reason ?? '') ?? [];
  const lost = new Set(names.split(', '));
  return nodes.filter(({ name }) => lost.has(name));
}
