import type { ConnectorInstanceId, ConnectorType } from '@sluice/contracts';
import type { BrokerAccess } from '../runtimes/broker-client.ts';

/**
 * What an agent and the connectors runtime say to each other over the runtime's unix socket. Both may be of another release than the
 * other, so fields are only ever added, and what is not known is passed by.
 */

export interface WantedInstance {
  id: ConnectorInstanceId;
  type: ConnectorType;
  connector_key: string;
  key: string;
  /** null while it has none: then it is there and does nothing */
  config: { id: number; version: number; values: Record<string, unknown> } | null;
}

export interface RuntimeState {
  broker: BrokerAccess | null;
  instances: readonly WantedInstance[];
  /** how long sources may work from now on: 0 for not at all, absent for no limit */
  sources?: { milliseconds: number };
  /** addresses and blocks that plugins may connect to besides, and may not */
  destinations?: { allowed: readonly string[]; refused: readonly string[] };
}

export type RuntimeRequest = { apply: RuntimeState };

export type InstanceStatus = 'Starting' | 'Running' | 'Stopping' | 'Stopped' | 'Error';

/** Counted since the runtime has begun with the instance. */
export interface InstanceMetrics {
  messages_produced: number;
  /** messages that a sink has got from the broker, those that came again included */
  messages_consumed: number;
  /** what has gone through filters and transforms */
  messages_processed: number;
  /** what a sink's destination, or for a source the broker, has taken */
  messages_sent: number;
  messages_filtered: number;
  /** attempts that failed, and dead letters */
  errors: number;
}

export interface InstanceReport {
  id: ConnectorInstanceId;
  status: InstanceStatus;
  reason: string | null;
  /** of the configuration that it goes by; null for none */
  config_id: number | null;
  config_version: number | null;
  metrics: InstanceMetrics;
}

export interface RuntimeTotals {
  /** of one processor, since the last look: 100 is all of it */
  cpu_percent: number;
  memory_bytes: number;
  running_sources: number;
  running_sinks: number;
}

export interface RuntimeStatus {
  pid: number;
  build: string;
  plugins: readonly { type: ConnectorType; key: string }[];
  connected: boolean;
  instances: readonly InstanceReport[];
  totals: RuntimeTotals;
}
