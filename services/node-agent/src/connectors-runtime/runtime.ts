import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  plugins as allPlugins,
  connectorDestinations as guardedBy,
  type ConnectorPlugin,
  type Destinations,
  type PluginContext,
} from '@sluice/connectors';
import { retry } from '@sluice/controller/retry';
import { reasonOf } from '@sluice/system';
import type { BrokerAccess, BrokerClient, ConnectClient } from '../runtimes/broker-client.ts';
import { brokerClients } from '../runtimes/clients.ts';
import { Instance } from './instance.ts';
import { usualLimits, type RunLimits } from './instance-run.ts';
import type { RuntimeState, RuntimeStatus, RuntimeTotals } from './protocol.ts';

export interface RuntimeOptions {
  folder: string;
  build: string;
  log: PluginContext['log'];
  /** called when something about the status has changed, counts apart */
  onChange: () => void;
  plugins?: readonly ConnectorPlugin[];
  clients?: typeof brokerClients;
  limits?: RunLimits;
}

/** pause before what was left is removed again; until then it holds messages back */
const forgetAgainMilliseconds = 5_000;

export class ConnectorsRuntime {
  readonly #options: RuntimeOptions;
  readonly #instances = new Map<number, Instance>();
  readonly #measure = cpuMeter();
  #state: RuntimeState = { broker: null, instances: [] };
  #broker: BrokerClient | null = null;
  #destinations: Destinations = guardedBy({ allowed: [], refused: [] });
  #connecting = new AbortController();
  /** sources work until it fires, unless they may for ever or not at all */
  #sourcesEnd: NodeJS.Timeout | undefined;
  #sourcesHeld = false;
  /** fires when what could not be forgotten is to be tried again */
  #forgetting: NodeJS.Timeout | undefined;

  constructor(options: RuntimeOptions) {
    this.#options = options;
  }

  apply(state: RuntimeState): void {
    const former = this.#state;
    this.#state = state;
    this.#lend(state.sources);
    if (state.destinations) this.#guard(former, state.destinations);
    if (JSON.stringify(former.broker) !== JSON.stringify(state.broker)) this.#reconnect(state.broker);
    const wanted = new Set(state.instances.map(({ id }) => id));
    const gone = [...this.#instances.keys()].filter((id) => !wanted.has(id as never));
    if (gone.length > 0) void this.#remove(gone);
    else if (former.instances.length === 0) void this.#removeFolders();
    this.#applyToInstances();
  }

  get status(): RuntimeStatus {
    const { build, plugins = allPlugins } = this.#options;
    const instances = [...this.#instances.values()];
    return {
      ...{ pid: process.pid, build },
      plugins: plugins.map(({ type, key }) => ({ type, key })),
      connected: this.#broker?.connected === true,
      instances: instances.map(({ report }) => report),
      totals: this.#totals(instances),
    };
  }

  /** Ends all instances, and resolves when what they were at has ended. */
  async end(): Promise<void> {
    this.#connecting.abort();
    await Promise.all([...this.#instances.values()].map((instance) => instance.end()));
    const broker = this.#broker;
    this.#broker = null;
    await broker?.close();
  }

  /** Sources end by themselves when their lease is not renewed: the agent may be stuck. */
  #lend(sources: RuntimeState['sources']): void {
    clearTimeout(this.#sourcesEnd);
    this.#sourcesEnd = undefined;
    this.#sourcesHeld = sources?.milliseconds === 0;
    if (!sources || this.#sourcesHeld) return;
    this.#sourcesEnd = setTimeout(() => {
      this.#sourcesHeld = true;
      this.#applyToInstances();
    }, sources.milliseconds);
  }

  #applyToInstances(): void {
    const { folder, log, plugins = allPlugins, limits = usualLimits, onChange } = this.#options;
    for (const wanted of this.#state.instances) {
      const instance = this.#instances.get(wanted.id);
      const held = wanted.type === 'source' && this.#sourcesHeld;
      if (instance) {
        instance.want(wanted, this.#broker, held);
        continue;
      }
      const options = {
        ...{ plugins, limits, onChange, destinations: this.#destinations.of(`instance ${wanted.id}`) },
        folder: join(folder, String(wanted.id)),
        log: ((level, message, fields) =>
          log(level, message, { ...fields, instance: wanted.key })) satisfies PluginContext['log'],
      };
      this.#instances.set(wanted.id, new Instance(wanted, this.#broker, held, options));
    }
  }

  async #remove(ids: readonly number[]): Promise<void> {
    const gone = ids.flatMap((id) => this.#instances.get(id) ?? []);
    for (const id of ids) this.#instances.delete(id);
    await Promise.all(gone.map((instance) => instance.end()));
    await Promise.all([this.#removeFolders(), this.#forgetGone()]);
  }

  /** Removes the files of instances that are gone, once none of these works. */
  async #removeFolders(): Promise<void> {
    const { folder, log } = this.#options;
    const isGone = (name: string) => !this.#state.instances.some(({ id }) => String(id) === name);
    try {
      const names = await readdir(folder).catch(() => []);
      for (const name of names.filter(isGone)) await rm(join(folder, name), { recursive: true, force: true });
    } catch (error) {
      log('warn', 'not all files of an instance that is gone could be removed', { reason: reasonOf(error) });
    }
  }

  /** New rules apply to instances when they begin again. */
  #guard({ destinations: former }: RuntimeState, rules: NonNullable<RuntimeState['destinations']>): void {
    if (JSON.stringify(former) === JSON.stringify(rules)) return;
    this.#destinations = guardedBy(rules);
    const instances = [...this.#instances.values()];
    this.#instances.clear();
    for (const instance of instances) void instance.end();
  }

  /** Removes what the broker keeps for instances that are gone; a failure is tried again, also with the next connection. */
  async #forgetGone(): Promise<void> {
    const broker = this.#broker;
    if (broker === null) return;
    const isGone = (id: number) => !this.#state.instances.some((instance) => Number(instance.id) === id);
    try {
      await broker.forget(isGone);
    } catch (error) {
      this.#options.log('warn', 'not all of an instance that is gone could be removed', {
        reason: reasonOf(error),
      });
      clearTimeout(this.#forgetting);
      this.#forgetting = setTimeout(() => void this.#forgetGone(), forgetAgainMilliseconds).unref();
    }
  }

  #reconnect(access: BrokerAccess | null): void {
    this.#connecting.abort();
    this.#connecting = new AbortController();
    const former = this.#broker;
    this.#broker = null;
    // instances end by themselves first
    if (former) setTimeout(() => void former.close(), 5_000).unref();
    if (access !== null) void this.#connect(access, this.#connecting.signal);
  }

  async #connect(access: BrokerAccess, signal: AbortSignal): Promise<void> {
    const { log, onChange } = this.#options;
    let reported = '';
    const failed = (error: unknown) => {
      const reason = reasonOf(error);
      if (reason !== reported) log('warn', 'the broker cannot be reached', { reason });
      reported = reason;
    };
    const connect = async () => await (await this.#clientFor(access.runtime))(access);
    const pause = { first: 100, cap: 5_000 };
    const broker = await retry(connect, { pause, failed, signal }).catch(() => null);
    if (broker === null) return;
    if (signal.aborted) return await broker.close();
    this.#broker = broker;
    this.#applyToInstances();
    onChange();
    await this.#forgetGone();
  }

  async #clientFor(runtime: string): Promise<ConnectClient> {
    const { clients = brokerClients } = this.#options;
    const load = clients.get(runtime);
    if (!load) throw new Error(`connectors cannot work with the runtime "${runtime}"`);
    return await load();
  }

  #totals(instances: readonly Instance[]): RuntimeTotals {
    return {
      cpu_percent: this.#measure(),
      memory_bytes: process.memoryUsage.rss(),
      running_sources: instances.filter((instance) => instance.isRunning('source')).length,
      running_sinks: instances.filter((instance) => instance.isRunning('sink')).length,
    };
  }
}

/** Of one processor, since the last call; a mean of at least a second. */
function cpuMeter(): () => number {
  let [cpu, at, last] = [process.cpuUsage(), performance.now(), 0];
  return () => {
    const milliseconds = performance.now() - at;
    if (milliseconds < 1_000) return last;
    const { user, system } = process.cpuUsage(cpu);
    last = Math.round((user + system) / milliseconds) / 10;
    [cpu, at] = [process.cpuUsage(), performance.now()];
    return last;
  };
}
