import type { DesiredState, Heartbeat, SnapshotCheck } from '@sluice/contracts';
import type { GatewayStatus, Ports } from '../gateway/protocol.ts';

export type Details = SnapshotCheck['details'];

/** What a check has found. A share is judged by the limits of the check. */
export type Outcome = Pick<SnapshotCheck, 'finding'> &
  Partial<Pick<SnapshotCheck, 'action' | 'details'>> &
  ({ status: SnapshotCheck['status'] } | { share: number });

export interface CheckRow {
  title: string;
  /** for people: why it matters */
  meaning: string;
  /** for people: what to do when it is not well, unless the outcome says so */
  action?: string;
  /** shares from which on it is a warning, and critical */
  limits?: { much: number; most: number } | undefined;
  /** @throws Error when it cannot be made: its message says why */
  run(node: ExaminedNode, signal: AbortSignal): Promise<Outcome> | Outcome;
}

export interface Check extends CheckRow {
  id: string;
  group: string;
}

export const checksOf = (group: string, rows: Readonly<Record<string, CheckRow>>): readonly Check[] =>
  Object.entries(rows).map(([id, row]) => ({ id, group, ...row }));

export function reported(
  { id, group, title, meaning, action, limits }: Check,
  outcome: Outcome,
): SnapshotCheck {
  const status = 'status' in outcome ? outcome.status : statusOf(outcome.share, limits);
  const isWell = status === 'ok' || status === 'unknown';
  const { finding, details = [] } = outcome;
  return {
    ...{ id, group, title, meaning, status, finding, details },
    action: isWell ? null : (outcome.action ?? action ?? null),
  };
}

function statusOf(share: number, limits: CheckRow['limits']): SnapshotCheck['status'] {
  const { much, most } = limits ?? { much: Infinity, most: Infinity };
  if (share >= most) return 'critical';
  return share >= much ? 'warning' : 'ok';
}

export interface ExaminedNode {
  home: string;
  supervisorUrl: string;
  version: string;
  /** the supervisor's clock minus this machine's, in milliseconds */
  clockOffset: number;
  wanted: DesiredState;
  /** of the state that the node is in; null before the first */
  appliedRevision: number | null;
  broker: ExaminedBroker;
  gateways: readonly GatewayStatus[];
  gatewayHost: string;
  ports: Ports;
  connectors: NonNullable<Heartbeat['connectors']> | null;
}

export interface ExaminedBroker {
  report: Heartbeat['runtimes'][number];
  pid: number | null;
  failures: number;
  /** of the last failure; empty for none */
  lastFailure: string;
}

export const ok = (finding: string, details: Details = []): Outcome => ({ status: 'ok', finding, details });

const notWell =
  (status: 'warning' | 'critical') =>
  (finding: string, action?: string, details: Details = []): Outcome => ({
    ...{ status, finding, details },
    ...(action !== undefined && { action }),
  });
export const warning = notWell('warning');
export const critical = notWell('critical');

/** Of something that has a limit: the check's limits decide. */
export const byShare = (share: number, finding: string, details: Details = []): Outcome => ({
  ...{ share, finding, details },
});

/** The check cannot be made here. */
export const unknown = (finding: string): Outcome => ({ status: 'unknown', finding });

export function detail(name: string, value: string | number): Details[number] {
  return { name, value: String(value) };
}
