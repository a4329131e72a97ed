import type { PluginContext } from '@sluice/connectors';
import type { Broker } from './broker.ts';
import type { Named } from './consumers.ts';
import type { InstanceConfig } from './instance-config.ts';
import type { InstanceMetrics } from './protocol.ts';

/** What a run of an instance works with: one configuration, one connection to the broker, until it is to stop. */
export interface Run {
  instance: Named;
  config: InstanceConfig;
  broker: Broker;
  context: PluginContext;
  metrics: InstanceMetrics;
  /** Says how one of its parts is: it works, it waits for something, an attempt has failed. */
  tell: (part: string, state: PartState) => void;
  /** aborted when it is to stop: nothing new is begun */
  signal: AbortSignal;
  /** aborted somewhat later: what is under way by then is let go */
  late: AbortSignal;
  /** ends it */
  end: () => void;
  limits: RunLimits;
}

export type PartState = { status: 'Running' | 'Starting' | 'Error'; reason: string | null };

/** Milliseconds. */
export interface RunLimits {
  /** how long one attempt to write may take */
  write: number;
  /** how long the broker may take for a batch */
  takeIn: number;
  /** what a plugin may take to end by itself once it is told to */
  ending: number;
  /** after so long a message that was not acknowledged comes again; who works on it says so in time */
  acknowledge: number;
  /** between two attempts, growing */
  pause: { first: number; cap: number };
}

export const usualLimits: RunLimits = {
  write: 30_000,
  takeIn: 60_000,
  ending: 3_000,
  acknowledge: 10_000,
  pause: { first: 200, cap: 60_000 },
};
