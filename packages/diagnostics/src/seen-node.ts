import type { DeploymentStatus, Heartbeat, LogLevel, TelemetryRuntime } from '@sluice/contracts';

/** What the region itself knew of a node when it was examined: a snapshot keeps it, times as ISO 8601. */
export interface SeenNode {
  at: string;
  status: DeploymentStatus;
  status_reason: string | null;
  agent_version: string | null;
  last_heartbeat_at: string | null;
  unreachable_since: string | null;
  revision: number;
  applied_revision: number;
  runtimes: Heartbeat['runtimes'];
  broker_stopped: boolean;
  certificate_ends_at: string | null;
  /** when the newest sample was taken */
  measured_at: string | null;
  /** kinds of alerts that are raised */
  alerts: string[];
  /** the newest warnings and errors of its programs, oldest first */
  lines: SeenLine[];
  series: SeenSeries[];
}

export interface SeenLine {
  at: string;
  runtime: TelemetryRuntime;
  level: LogLevel;
  message: string;
}

/** A figure over the last day: seconds before `SeenNode.at`, and its value then. */
export interface SeenSeries {
  runtime: TelemetryRuntime;
  metric: string;
  points: [secondsBefore: number, value: number][];
}
