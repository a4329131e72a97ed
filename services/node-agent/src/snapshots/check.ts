import type { DesiredState, Heartbeat, SnapshotCheck } from '@sluice/contracts';
import type { ReportedConnectors } from '../connectors/connectors-host.ts';
import type { GatewayStatus, Ports } from '../gateway/protocol.ts';

export type Outcome = Pick<SnapshotCheck, 'status' | 'finding'> &
  Partial<Pick<SnapshotCheck, 'action' | 'details' | 'meaning'>>;
export type Details = SnapshotCheck['details'];

/** One thing that is looked at on a node. */
export interface Check {
  id: string;
  group: string;
  title: string;
  /** why somebody should care, for people */
  meaning: string;
  /** @throws Error when it cannot be made: its message says why */
  run(node: ExaminedNode, signal: AbortSignal): Promise<Outcome> | Outcome;
}

/** What the agent knows of the node that it examines. */
export interface ExaminedNode {
  /** the agent's folder */
  home: string;
  supervisorUrl: string;
  /** of the agent */
  version: string;
  /** what has to be added to this machine's clock, in milliseconds */
  clockOffset: number;
  /** the newest that the supervisor has told */
  wanted: DesiredState;
  /** of the state that the node is in; null before the first */
  appliedRevision: number | null;
  broker: ExaminedBroker;
  gateways: readonly GatewayStatus[];
  /** address that it listens on */
  gatewayHost: string;
  /** where clients connect */
  ports: Ports;
  connectors: ReportedConnectors | null;
}

export interface ExaminedBroker {
  report: Heartbeat['runtimes'][number];
  /** null when none runs */
  pid: number | null;
  /** in a row */
  failures: number;
  /** of the last failure; empty for none */
  lastFailure: string;
}

export const ok = (finding: string, details: Details = []): Outcome => ({ status: 'ok', finding, details });

export const warning = (finding: string, action: string, details: Details = []): Outcome => ({
  status: 'warning',
  ...{ finding, action, details },
});

export const critical = (finding: string, action: string, details: Details = []): Outcome => ({
  status: 'critical',
  ...{ finding, action, details },
});

/** The check cannot be made here. */
export const unknown = (finding: string): Outcome => ({ status: 'unknown', finding });

export function detail(name: string, value: string | number): Details[number] {
  return { name, value: String(value) };
}

/** `critical` from a share of `most` on, `warning` from `much` on: the figure decides which. */
export function byShare(
  share: number,
  { much, most }: { much: number; most: number },
  { finding, action, details = [] }: { finding: string; action: string; details?: Details },
): Outcome {
  if (share >= most) return critical(finding, action, details);
  return share >= much ? warning(finding, action, details) : ok(finding, details);
}
