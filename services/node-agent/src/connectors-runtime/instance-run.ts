import type { PluginContext } from '@sluice/connectors';
import type { BrokerClient, InstanceName } from '../runtimes/broker-client.ts';
import type { InstanceConfig } from './instance-config.ts';
import type { InstanceMetrics } from './protocol.ts';

/** A run of an instance: one configuration and one connection to the broker, until it is to stop. */
export interface Run {
  instance: InstanceName;
  config: InstanceConfig;
  broker: BrokerClient;
  context: PluginContext;
  metrics: InstanceMetrics;
  report: (part: string, state: PartState) => void;
  /** aborted when it has to stop: nothing new is begun */
  signal: AbortSignal;
  /** aborted somewhat later: what is under way by then is given up */
  late: AbortSignal;
  end: () => void;
  limits: RunLimits;
}

export type PartState = { status: 'Running' | 'Starting' | 'Error'; reason: string | null };

export interface RunLimits {
  write: number;
  publish: number;
  /** how long a plugin may take to end by itself */
  ending: number;
  /** after which a message comes again unless it is acknowledged or reported as being worked on */
  acknowledge: number;
  pause: { first: number; cap: number };
}

export const usualLimits: RunLimits = {
  write: 30_000,
  publish: 60_000,
  ending: 3_000,
  acknowledge: 10_000,
  pause: { first: 200, cap: 60_000 },
};
