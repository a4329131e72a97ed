import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DesiredState, Heartbeat } from '@sluice/contracts';
import { tlsChoices } from '@sluice/contracts/broker-schemas';
import { keptProcesses, reasonOf, type KeptProcesses } from '@sluice/system';
import { openControlLink, type ControlLink, type Program } from '@sluice/system/control';
import type { Log } from '@sluice/system/log';
import type { RuntimeRequest, RuntimeState, RuntimeStatus } from '../connectors-runtime/protocol.ts';
import type { BrokerAddress } from '../gateway/protocol.ts';
import type { Sealing } from '../sealing.ts';
import { Due } from '../due.ts';
import type { BrokerAccess } from '../runtimes/broker-client.ts';
import type { NodeRuntimes } from '../runtimes/node-runtimes.ts';
import type { OwnLogin } from '../runtimes/runtime.ts';
import { connectorsLogin } from './own-login.ts';
import { reportOf } from './report.ts';

const answerLimit = 15_000;
/** copies of what connectors keep in the broker, where there are as many nodes */
const mostReplicas = 3;
/** from so many failures in a row on it counts as failed */
const failureThreshold = 3;

type Desired = NonNullable<DesiredState['connectors']>;
type Tls = BrokerAccess['tls'];
type Link = ControlLink<RuntimeRequest, RuntimeStatus>;
export type ReportedConnectors = NonNullable<Heartbeat['connectors']>;

interface HostOptions {
  home: string;
  sealing: Sealing;
  runtimes: NodeRuntimes;
  program: () => Promise<Program>;
  /** addresses and blocks that plugins may connect to besides, and may not */
  destinations: NonNullable<RuntimeState['destinations']>;
  /** for how many milliseconds sources may work from now on; undefined for as long as they like */
  sourceLease?: () => number | undefined;
  log: Log;
  /** called when the report has changed, counts apart */
  onChange: () => void;
}

/**
 * Keeps the connectors runtime: a process of its own, which goes on when the agent ends, and which the next one finds. It is there
 * while there are instances, unless it is to be stopped.
 */
export class ConnectorsHost {
  readonly #options: HostOptions;
  readonly #processes: KeptProcesses<Link>;
  readonly due = new Due();
  #desired: Desired | null = null;
  #tls: Tls = null;
  #replicas = 1;
  /** undefined until this agent has looked for one */
  #broker: BrokerAddress | null | undefined;
  #login: { runtime: string; own: OwnLogin } | null = null;
  #plugins: ReportedConnectors['plugins'] = [];
  #link: Link | null = null;
  #failures = 0;
  #failure: string | null = null;
  #reported = '';
  #mustRestart = false;

  constructor(options: HostOptions) {
    const { home, log } = options;
    this.#options = options;
    this.#processes = keptProcesses({
      name: 'connectors runtime',
      folder: join(home, 'connectors'),
      errorsFile: join(home, 'connectors.log'),
      open: (socket) =>
        openControlLink<RuntimeRequest, RuntimeStatus>(socket, {
          ...{ name: 'connectors runtime', answerLimit, log },
          onClose: this.due.wake,
          onStatus: () => this.#reportChange(),
        }),
      log,
    });
  }

  async setDesired({ connectors, broker }: Pick<DesiredState, 'connectors' | 'broker'>): Promise<void> {
    const { home, sealing, runtimes, log } = this.#options;
    const runtime = runtimes.nameOf(broker.runtime);
    const logins = runtimes.find(runtime)?.ownLogins;
    if (connectors.instances.length > 0 && logins && this.#login?.runtime !== runtime)
      this.#login = { runtime, own: await connectorsLogin(home, logins, sealing, log) };
    this.#desired = connectors;
    this.#tls = trustIn(broker);
    this.#replicas = Math.min(mostReplicas, Math.max(1, broker.cluster?.routes.length ?? 1));
    this.due.wake();
    if (this.#plugins.length === 0) void this.#findPlugins();
  }

  /** The broker that instances work with from now on; null for none. */
  setBroker(broker: BrokerAddress | null): void {
    this.#broker = broker;
    this.due.wake();
  }

  get logins(): readonly string[] {
    return this.#login === null ? [] : [this.#login.own.publicKey];
  }

  /** Connections that the runtime has to the broker: they are no client's. */
  get connections(): number {
    return this.#running?.connected === true ? 1 : 0;
  }

  restart(): void {
    this.#mustRestart = true;
    this.due.wake();
  }

  /** identifies the process; null when none runs */
  get process(): string | null {
    return this.#running === null ? null : String(this.#running.pid);
  }

  /** true when every instance has its configuration */
  get isCurrent(): boolean {
    const versions = new Map(this.#running?.instances.map(({ id, config_id }) => [id, config_id]));
    return (this.#desired?.instances ?? []).every(
      ({ id, config }) => versions.get(id) === (config?.id ?? null),
    );
  }

  /** For a heartbeat; null without a desired state, and until the plugins are known. */
  report(): ReportedConnectors | null {
    const running = this.#running;
    const plugins = running?.plugins ?? this.#plugins;
    // without plugins the node would be taken for one that can run no connector
    if (this.#desired === null || plugins.length === 0) return null;
    const failure = this.#failures >= failureThreshold ? this.#failure : null;
    return reportOf(this.#desired, running, failure, plugins);
  }

  get totals(): RuntimeStatus['totals'] | null {
    return this.#running?.totals ?? null;
  }

  get hasLease(): boolean {
    return this.#lease !== undefined;
  }

  get #lease(): number | undefined {
    return this.#options.sourceLease?.();
  }

  get #running(): RuntimeStatus | null {
    return this.#link === null || this.#link.closed ? null : this.#link.status;
  }

  async converge(): Promise<void> {
    const mustRestart = this.#mustRestart;
    if (mustRestart) await this.#stop();
    await this.#converge();
    if (mustRestart) this.#mustRestart = false;
    this.#failures = 0;
    this.#reportChange();
  }

  failed(error: unknown): void {
    this.#failures++;
    this.#failure = reasonOf(error);
    this.#options.log.error('the state of the connectors runtime could not be applied', {
      reason: this.#failure,
    });
    this.#reportChange();
  }

  async #converge(): Promise<void> {
    const [desired, broker, login] = [this.#desired, this.#broker, this.#login];
    if (desired === null) return;
    if (desired.state === 'stopped') return await this.#stop();
    if (desired.instances.length === 0) {
      await this.#stop();
      // those that are gone leave no files
      return await rm(join(this.#options.home, 'connectors/instances'), { recursive: true, force: true });
    }
    // the state that the former agent applied holds until there is another
    if (broker === undefined || login === null) return;
    const access = accessTo(broker, login, this.#tls);
    const lease = this.#lease;
    const state: RuntimeState = {
      broker: access && { ...access, replicas: this.#replicas },
      instances: desired.instances,
      ...(lease !== undefined && { sources: { milliseconds: lease } }),
      destinations: this.#options.destinations,
    };
    await this.#apply(await this.#current(), state);
  }

  async #apply(link: Link, state: RuntimeState): Promise<void> {
    try {
      await link.ask({ apply: state }, answerLimit);
    } catch (error) {
      if (!link.closed) await this.#processes.kill(link.status.pid);
      throw error;
    }
  }

  /** The runtime that runs, of this agent's own program; a new one where there is none. */
  async #current(): Promise<Link> {
    const { program, log } = this.#options;
    const own = await program();
    const [first, ...others] = await this.#find();
    for (const { status } of others) await this.#processes.end(status.pid);
    if (first !== undefined && first.status.build === own.build) return (this.#link = first);
    if (first !== undefined) {
      log.info('another release of the connectors runtime is replaced', { pid: first.status.pid });
      await this.#processes.end(first.status.pid);
    }
    this.#link = await this.#processes.start(own);
    log.info('connectors runtime started', { pid: this.#link.status.pid });
    return this.#link;
  }

  async #find(): Promise<Link[]> {
    if (this.#link?.closed === false) return [this.#link];
    return await this.#processes.find(new Set());
  }

  async #stop(): Promise<void> {
    for (const { status } of await this.#find()) {
      await this.#processes.end(status.pid);
      this.#options.log.info('connectors runtime stopped', { pid: status.pid });
    }
    this.#link = null;
  }

  async #findPlugins(): Promise<void> {
    const { plugins } = await import('@sluice/connectors');
    this.#plugins = plugins.map(({ type, key }) => ({ type, key }));
    this.#reportChange();
  }

  #reportChange(): void {
    const report = this.report();
    const reported = JSON.stringify({
      ...report,
      instances: report?.instances.map((one) => ({ ...one, metrics: null })),
    });
    if (reported === this.#reported) return;
    this.#reported = reported;
    this.#options.onChange();
  }
}

/** null where clients come without TLS: then the broker refuses it */
function trustIn({ tls, values }: DesiredState['broker']): Tls {
  if (!tls) return null;
  const { tcp } = tlsChoices(values, tls.plain_text);
  return tcp === 'off' ? null : { authority: tls.authority, server_name: tls.server_name };
}

function accessTo(
  broker: BrokerAddress | null,
  { runtime, own: { secret } }: { runtime: string; own: OwnLogin },
  tls: Tls,
): RuntimeState['broker'] {
  const port = broker?.ports.broker_tcp;
  if (broker === null || port === undefined) return null;
  return { runtime, port, process: `${broker.pid} ${broker.process_start}`, secret, tls };
}
