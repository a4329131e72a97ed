import { mkdir } from 'node:fs/promises';
import {
  ConfigRefused,
  type ConnectorPlugin,
  type Destinations,
  type PluginContext,
} from '@sluice/connectors';
import { reasonOf } from '@sluice/system';
import { boundedReason } from './attempts.ts';
import type { BrokerClient } from '../runtimes/broker-client.ts';
import { readInstanceConfig, type InstanceConfig } from './instance-config.ts';
import type { PartState, Run, RunLimits } from './instance-run.ts';
import type { InstanceMetrics, InstanceReport, InstanceStatus, WantedInstance } from './protocol.ts';
import { runSink } from './sink-run.ts';
import { runSource } from './source-run.ts';

export interface InstanceOptions {
  folder: string;
  log: PluginContext['log'];
  plugins: readonly ConnectorPlugin[];
  destinations: Destinations;
  limits: RunLimits;
  onChange: () => void;
}

const nothing: InstanceMetrics = {
  messages_produced: 0,
  messages_consumed: 0,
  messages_processed: 0,
  messages_sent: 0,
  messages_filtered: 0,
  errors: 0,
};

/** One instance of a connector. It runs while it has an enabled configuration and there is a broker, and does nothing else. */
export class Instance {
  readonly #options: InstanceOptions;
  readonly #metrics: InstanceMetrics = { ...nothing };
  #wanted: WantedInstance;
  #broker: BrokerClient | null;
  /** true while it must not work although everything it needs is there */
  #held: boolean;
  #status: InstanceStatus = 'Starting';
  #reason: string | null = null;
  #run: { signal: AbortSignal; end: () => void; ended: Promise<void> } | null = null;
  /** One change is brought about after the other. */
  #changing: Promise<void> = Promise.resolve();
  #changes = 0;

  constructor(wanted: WantedInstance, broker: BrokerClient | null, held: boolean, options: InstanceOptions) {
    this.#wanted = wanted;
    this.#broker = broker;
    this.#held = held;
    this.#options = options;
    this.#restart();
  }

  /** What has not changed goes on. */
  want(wanted: WantedInstance, broker: BrokerClient | null, held: boolean): void {
    const isSame =
      JSON.stringify(this.#wanted) === JSON.stringify(wanted) &&
      this.#broker === broker &&
      this.#held === held;
    this.#wanted = wanted;
    this.#broker = broker;
    this.#held = held;
    if (!isSame) this.#restart();
  }

  get report(): InstanceReport {
    const { id, config } = this.#wanted;
    return {
      ...{ id, status: this.#status, reason: this.#reason },
      config_id: config?.id ?? null,
      config_version: config?.version ?? null,
      metrics: { ...this.#metrics },
    };
  }

  isRunning(type: WantedInstance['type']): boolean {
    return this.#wanted.type === type && this.#status === 'Running';
  }

  async end(): Promise<void> {
    this.#wanted = { ...this.#wanted, config: null };
    this.#restart();
    await this.#changing;
  }

  #restart(): void {
    const change = ++this.#changes;
    if (this.#run !== null) this.#setStatus('Stopping', null);
    this.#run?.end();
    this.#changing = this.#changing.then(async () => {
      await this.#run?.ended;
      this.#run = null;
      // a newer change is about to follow
      if (change === this.#changes) this.#begin();
    });
  }

  #begin(): void {
    let config: InstanceConfig | null;
    try {
      config = readInstanceConfig(this.#wanted, this.#options.plugins);
    } catch (error) {
      return this.#setStatus('Error', reasonOf(error));
    }
    if (config === null) return this.#setStatus('Stopped', 'it has no configuration');
    if (!config.enabled) return this.#setStatus('Stopped', 'its configuration is not enabled');
    if (this.#held)
      return this.#setStatus('Starting', 'waits: sources work on the node that leads the cluster');
    if (this.#broker === null) return this.#setStatus('Starting', 'waits: the broker is not there');
    this.#setStatus('Starting', null);
    this.#run = this.#start(config, this.#broker);
  }

  #start(config: InstanceConfig, broker: BrokerClient) {
    const { folder, log, destinations, limits } = this.#options;
    const { id, key } = this.#wanted;
    const stop = new AbortController();
    const late = new AbortController();
    const { signal } = stop;
    const parts = new Map<string, PartState>();
    const run: Run = {
      ...{ instance: { id, key }, config, broker, metrics: this.#metrics, limits, signal },
      late: late.signal,
      end: () => {
        if (signal.aborted) return;
        stop.abort();
        setTimeout(() => late.abort(), limits.ending).unref();
      },
      context: { instanceKey: key, folder, destinations, log, stopping: signal },
      report: (part, state) => {
        parts.set(part, state);
        if (!signal.aborted) this.#combine(parts, config);
      },
    };
    return { signal, end: run.end, ended: this.#work(run) };
  }

  async #work(run: Run): Promise<void> {
    const { plugin } = run.config;
    try {
      await mkdir(run.context.folder, { recursive: true, mode: 0o700 });
      await (plugin.type === 'sink' ? runSink(run, plugin) : runSource(run, plugin));
    } catch (error) {
      // a plugin that throws where it should not is no other than one that refuses: trying again would do the same
      const refused = error instanceof ConfigRefused ? 'the configuration is refused: ' : '';
      this.#options.log('error', 'an instance cannot go on', { reason: reasonOf(error) });
      this.#setStatus('Error', `${refused}${reasonOf(error)}`);
    } finally {
      run.end();
    }
  }

  /** The stream in the worst state decides. */
  #combine(parts: ReadonlyMap<string, PartState>, { streams, plugin }: InstanceConfig): void {
    const states = [...parts.values()];
    const expected = plugin.type === 'sink' ? streams.length : 1;
    const worst =
      states.find(({ status }) => status === 'Error') ?? states.find(({ status }) => status === 'Starting');
    if (worst) this.#setStatus(worst.status, worst.reason);
    else if (states.length === expected) this.#setStatus('Running', null);
  }

  #setStatus(status: InstanceStatus, reason: string | null): void {
    const bounded = reason && boundedReason(reason);
    if (status === this.#status && bounded === this.#reason) return;
    this.#status = status;
    this.#reason = bounded;
    this.#options.onChange();
  }
}
