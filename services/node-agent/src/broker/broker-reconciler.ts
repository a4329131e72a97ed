import { once } from 'node:events';
import type { BrokerStatistics, Heartbeat, Protocol, Sample } from '@sluice/contracts';
import { reasonOf } from '@sluice/system';
import type { Log } from '@sluice/system/log';
import type { BrokerAddress } from '../gateway/protocol.ts';
import type { NodeRuntimes } from '../runtimes/node-runtimes.ts';
import { ConfigurationRefused, UnsafeProgram } from '../runtimes/runtime.ts';
import type {
  BrokerPage,
  BrokerRuntime,
  DesiredBroker,
  HeldStreams,
  ServingBroker,
  StoredCapacity,
} from '../runtimes/runtime.ts';
import type { Check, ExaminedBroker } from '../snapshots/check.ts';
import { trimLog } from '../trim-log.ts';
import { Due } from '../due.ts';
import { brokerFiles, findRecordedBroker, findUnrecordedBroker, startBroker } from './broker-process.ts';
import type { BrokerFiles, BrokerProcess } from './broker-process.ts';
import { isDifferent, planBroker, type BrokerPlan } from './broker-plan.ts';
import { ClusterMember } from './cluster-member.ts';
import { reloadOf } from './reload.ts';
import { Failures } from './failures.ts';

const probeInterval = 1_000;
/** This number of missing answers, or failures, in a row makes the broker failed. */
const failureThreshold = 3;
/** A start that takes longer is repeated. */
const startLimit = 120_000;

/** Bytes of the broker's log, and as many of the one before. */
const mostLog = 16 * 2 ** 20;

type Report = Heartbeat['runtimes'][number];
type Step = 'wait' | 'start' | 'await ready' | 'reload' | 'stop';

interface ReconcilerOptions {
  home: string;
  /** for files of programs that may not be in the agent's folder */
  runtimeFolder: string;
  runtimes: NodeRuntimes;
  log: Log;
  /** where a broker that is one of a cluster has to listen for the others; undefined where it may choose */
  clusterPort?: number | undefined;
  /** The public parts of the logins of the node's own programs, which the broker admits besides. */
  ownLogins: () => readonly string[];
  /** Resolves once clients are passed on to this broker, or to none. */
  forward: (broker: BrokerAddress | null) => Promise<void>;
  onChange: () => void;
}

/**
 * Keeps one broker as it is desired: looks at what is there, takes the one next step, looks again. Only `takeStep` acts
 * on the process; everything else sets what is desired and wakes its job.
 */
export class BrokerReconciler {
  readonly #options: ReconcilerOptions;
  readonly #files: BrokerFiles;
  readonly due = new Due();
  readonly #failures = new Failures();
  /** the runtimes of which a process without a pid file was looked for */
  readonly #searched = new Set<string>();
  #desired: BrokerPlan | null = null;
  #protocols: readonly Protocol[] = [];
  #page: BrokerPage | undefined;
  #refusal: string | null = null;
  #process: BrokerProcess | null = null;
  #stopping = false;
  /** true while clients may reach the process; a former agent may have exposed it before this one finds that it serves */
  #exposed = false;
  /** Set while clients may be let in to the process. */
  #serving: ServingBroker | null = null;
  /** the configuration that the broker took up last, as far as this agent has seen it */
  #taken: BrokerPlan | null = null;
  #outdated: BrokerProcess | null = null;
  /** the last state that was desired, also if it was refused */
  #wanted: DesiredBroker | null = null;
  readonly #member: ClusterMember;
  #missedProbes = 0;
  #lastProbe = 0;
  #pauseMs = 0;
  #reported = '';
  #interruption = new AbortController();
  #applied = Promise.withResolvers<void>();

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    this.#files = brokerFiles(options.home, options.runtimeFolder);
    this.#member = new ClusterMember(options.home, options.log, options.clusterPort);
  }

  /** Looks for a broker that a former agent has left. */
  async findBroker(): Promise<void> {
    const found = await findRecordedBroker(this.#files, this.#options.runtimes.find);
    if (found !== null) this.#adopt(found);
  }

  /**
   * Resolves as soon as nothing serves the former configuration any more, or the desired one was refused: then the broker stays as it was,
   * and the report has the reason. `protocols` are the new ones as soon as this has been called.
   */
  async setDesired(broker: DesiredBroker): Promise<void> {
    const { runtimes, log } = this.#options;
    this.#wanted = broker;
    try {
      const name = runtimes.nameOf(broker.runtime);
      const runtime = runtimes.get(name);
      this.#protocols = runtime.protocols;
      this.#page = runtime.page;
      await this.#member.prepare(broker.cluster ?? null);
      // a call during the choice of a port is newer
      if (this.#wanted !== broker) return;
      this.#member.follow(broker.cluster ?? null);
      const desired = await planBroker(
        broker,
        { name, runtime },
        {
          ...{ files: this.#files, member: this.#member, former: this.#desired, log },
          ownLogins: this.#options.ownLogins(),
          process: () => this.#process,
        },
      );
      const former = this.#desired;
      this.#desired = desired;
      this.#refusal = null;
      if (former !== null && isDifferent(former, desired)) this.#failures.reset();
      this.#applied = Promise.withResolvers();
      if (isDifferent(former, desired)) this.#interruption.abort();
      this.due.wake();
      await this.#applied.promise;
    } catch (error) {
      if (!(error instanceof ConfigurationRefused)) throw error;
      log.error('the broker configuration is refused', { reason: error.message });
      this.#refusal = `the configuration is refused: ${error.message}`;
      if (broker.state === 'stopped') await this.#stopAsItIs();
      this.#reportChange();
    }
  }

  /** Ends the broker for as long as this agent runs, so that it can store what it has. */
  async end(): Promise<void> {
    await this.#stopAsItIs();
  }

  /** Stops the broker although its desired configuration is refused. */
  async #stopAsItIs(): Promise<void> {
    if (this.#desired === null) return;
    this.#desired = { ...this.#desired, run: false };
    this.#applied = Promise.withResolvers();
    this.#interruption.abort();
    this.due.wake();
    await this.#applied.promise;
  }

  /** Ends the process that runs and starts another, as the configuration is; at once, if none runs. */
  restart(): void {
    this.#outdated = this.#process;
    this.#failures.reset();
    this.#interruption.abort();
    this.due.wake();
  }

  /** identifies the process; null when none runs */
  get process(): string | null {
    return this.#process && `${this.#process.pid} ${this.#process.process_start}`;
  }

  get examined(): ExaminedBroker {
    const { count: failures, reason: lastFailure } = this.#failures;
    return { report: this.report(), pid: this.#process?.pid ?? null, failures, lastFailure };
  }

  async checks(): Promise<readonly Check[]> {
    return (await this.#desired?.runtime.checks?.(this.#process?.pid ?? null)) ?? [];
  }

  /** what the node serves at `broker_http`; undefined where that is the broker's matter */
  get page(): BrokerPage | undefined {
    return this.#page;
  }

  get protocols(): readonly Protocol[] {
    return this.#protocols;
  }

  get log(): { path: string; read: NonNullable<BrokerRuntime['readLogLine']> } {
    return { path: this.#files.log, read: (line) => this.#desired?.runtime.readLogLine?.(line) ?? null };
  }

  /** null while it is not known */
  get capacity(): StoredCapacity | null {
    const { digest, configuration } = this.#desired ?? {};
    return digest !== undefined && this.#process?.applied?.digest === digest
      ? (configuration?.capacity ?? null)
      : null;
  }

  /** true while another process has to take its place, and others of the cluster restart first */
  get awaitsRestart(): boolean {
    return this.#desired?.run === true && !this.#desired.mayRestart && this.#isOutdated(this.#desired);
  }

  get sourceLease(): number | undefined {
    return this.#member.sourceLease;
  }

  /** The node's place in its cluster for a heartbeat. @param anew false for the last one that was observed */
  async clusterReport(anew: boolean): Promise<Heartbeat['cluster']> {
    if (anew) await this.#member.look(this.#serving);
    return this.#member.report(this.awaitsRestart);
  }

  report(): Report {
    const report = (status: Report['status'], reason: string | null = null): Report => {
      return { runtime: 'broker', status, version: this.#serving?.version ?? null, reason };
    };
    if (this.#refusal !== null) return report('failed', this.#refusal);
    if (!this.#member.isPlaced && this.#process === null && this.#wanted?.state === 'running')
      return report('starting', 'the others of the cluster do not know yet where it is');
    if (this.#desired?.run !== true) return report(this.#process === null ? 'stopped' : 'running');
    if (this.#missedProbes >= failureThreshold) return report('failed', 'the broker does not answer');
    if (this.#serving !== null) return report('running');
    const { count, reason } = this.#failures;
    return count >= failureThreshold ? report('failed', reason) : report('starting');
  }

  async statistics(): Promise<BrokerStatistics | null> {
    try {
      return (await this.#serving?.statistics()) ?? null;
    } catch (error) {
      this.#options.log.warn('no statistics', { reason: reasonOf(error) });
      return null;
    }
  }

  async encryptionVersion(): Promise<number | null> {
    return (await this.#serving?.encryptionVersion?.().catch(() => null)) ?? null;
  }

  async measure(): Promise<Omit<Sample, 'at'>[]> {
    const { status } = this.report();
    const metrics = (await this.#serving?.metrics?.().catch(() => null)) ?? {};
    return this.#desired === null ? [] : [{ runtime: 'broker', status, metrics }];
  }

  /** What the broker leads; null while it does not run, does not say, or has no streams. */
  async heldStreams(): Promise<HeldStreams | null> {
    return (await this.#serving?.heldStreams?.().catch(() => null)) ?? null;
  }

  /** Looks at what is there and takes the next step. The following one is due after `pauseMs`. */
  async takeStep(): Promise<void> {
    const step = this.#nextStep();
    this.#interruption = new AbortController();
    this.#pauseMs = 0;
    try {
      await this.#execute(step);
    } catch (error) {
      if (!this.#interruption.signal.aborted) {
        this.#recordFailure(reasonOf(error));
        this.#pauseMs = Math.max(50, this.#failures.untilRetry);
      }
    }
    this.#resolveApplied();
    this.#reportChange();
  }

  get pauseMs(): number {
    return this.#pauseMs;
  }

  #nextStep(): Step {
    const desired = this.#desired;
    if (desired?.run === false) return this.#process === null ? 'wait' : 'stop';
    if (desired === null) return 'wait';
    if (this.#process === null) return this.#failures.untilRetry > 0 ? 'wait' : 'start';
    if (this.#isOutdated(desired) && desired.mayRestart) return 'stop';
    if (this.#serving === null) return 'await ready';
    if (this.awaitsRestart) return 'wait';
    return this.#process.applied?.digest === desired.digest ? 'wait' : 'reload';
  }

  /** True if another process has to take its place. */
  #isOutdated({ name, configuration }: BrokerPlan): boolean {
    if (this.#process === null) return false;
    const { runtime, applied } = this.#process;
    if (this.#process === this.#outdated) return true;
    return runtime !== name || applied?.restart_key !== configuration.restartKey;
  }

  async #execute(step: Step): Promise<void> {
    const [desired, broker] = [this.#desired, this.#process];
    if (step === 'wait') return await this.#probe();
    if (step === 'stop') return await this.#stopProcess(broker);
    if (desired === null) return;
    if (step === 'start') return await this.#findOrStart(desired);
    if (broker === null) return;
    const serving = this.#serving ?? (await this.#whenReady(broker, desired));
    if (serving === null) return await this.#stopProcess(broker);
    await this.#applyConfiguration(broker, serving, desired);
  }

  async #findOrStart(desired: BrokerPlan): Promise<void> {
    const wanted = this.#wanted;
    if (!this.#searched.has(desired.name)) {
      const found = await findUnrecordedBroker(this.#files, desired);
      this.#searched.add(desired.name);
      if (found !== null) return this.#adopt(found);
    }
    if (wanted !== null && (await this.#member.isDisplaced())) {
      this.#options.log.warn('the port for the cluster is taken, another one was chosen');
      void this.setDesired(wanted);
      this.#pauseMs = probeInterval;
      return;
    }
    this.#watch(await startBroker(this.#files, desired, desired.configuration));
  }

  /** The process as it serves; null when it took too long, or must not serve. */
  async #whenReady(
    broker: BrokerProcess,
    { runtime, configuration }: BrokerPlan,
  ): Promise<ServingBroker | null> {
    const limit = AbortSignal.timeout(startLimit);
    // one that awaits its restart has another key
    const isCurrent = broker.applied?.restart_key === configuration.restartKey;
    const started = isCurrent ? configuration : { ...configuration, encryption: null };
    try {
      const signal = AbortSignal.any([limit, this.#interruption.signal]);
      return await runtime.ready(broker.pid, signal, started);
    } catch (error) {
      const isUnsafe = error instanceof UnsafeProgram;
      if (!limit.aborted && !isUnsafe) throw error;
      this.#recordFailure(
        isUnsafe ? error.message : `the broker did not serve within ${startLimit / 1_000} s`,
      );
      return null;
    }
  }

  /** Lets clients in to a process once it has the configuration that is desired. */
  async #applyConfiguration(
    broker: BrokerProcess,
    serving: ServingBroker,
    desired: BrokerPlan,
  ): Promise<void> {
    if (broker.applied?.digest !== desired.digest && !this.#isOutdated(desired)) {
      const reload = await reloadOf(this.#files, broker, serving, desired);
      if (reload.refused !== undefined) return this.#goOnAsItIs(broker, desired, reload.refused);
      if (!reload.done) {
        this.#options.log.warn('the broker did not take up its configuration, restarting it');
        return await this.#stopProcess(broker);
      }
      await broker.recordApplied(desired.configuration);
      this.#options.log.info('broker reloaded', { pid: broker.pid });
    }
    if (this.#serving !== null || this.#process !== broker || this.#desired !== desired) return;
    await this.#expose(broker, serving);
  }

  /** The broker would not have the configuration, and goes on as it is. */
  #goOnAsItIs({ applied }: BrokerProcess, desired: BrokerPlan, reason: string): void {
    this.#options.log.error('the broker refuses its configuration', { reason });
    if (this.#desired !== desired || applied === null) return;
    this.#refusal = `the configuration is refused: ${reason}`;
    const known = this.#taken?.digest === applied.digest ? this.#taken.configuration : undefined;
    const configuration = known ?? { ...desired.configuration, restartKey: applied.restart_key };
    this.#desired = { ...desired, configuration, digest: applied.digest };
  }

  /** Resolves before the broker is reported as running, so that clients can reach it by then. */
  async #expose({ pid, process_start }: BrokerProcess, serving: ServingBroker): Promise<void> {
    const { signal } = this.#interruption;
    this.#exposed = true;
    await Promise.race([
      this.#options.forward({ pid, process_start, ports: serving.ports }),
      once(signal, 'abort'),
    ]);
    if (signal.aborted) return;
    this.#serving = serving;
    this.#options.log.info('broker serves', { pid, version: serving.version });
  }

  /** The disk of a broker that is reported as stopped may be copied. */
  async #flush(runtime: BrokerRuntime): Promise<void> {
    await runtime.flush?.().catch((error: unknown) => {
      this.#options.log.warn('what the broker has stored may not be on the disk', {
        reason: reasonOf(error),
      });
    });
  }

  #conceal(): void {
    this.#serving = null;
    void this.#options.forward(null);
  }

  async #stopProcess(broker: BrokerProcess | null): Promise<void> {
    this.#stopping = true;
    try {
      // clients are left their connections until others lead what they use
      await this.#member.stepDown(this.#serving);
      this.#conceal();
      await broker?.stop();
      if (this.#desired?.run === false) await this.#flush(this.#desired.runtime);
      this.#process = null;
      this.#exposed = false;
    } finally {
      this.#stopping = false;
    }
  }

  #adopt(found: BrokerProcess): void {
    this.#options.log.info('found a running broker', { pid: found.pid });
    this.#exposed = true;
    this.#watch(found);
  }

  #watch(broker: BrokerProcess): void {
    this.#process = broker;
    this.#failures.recordStart();
    void broker.ended.then((reason) => {
      if (this.#process !== broker || this.#stopping) return;
      this.#process = null;
      this.#exposed = false;
      this.#conceal();
      this.#recordFailure(reason);
      this.#interruption.abort();
      this.due.wake();
    });
  }

  #recordFailure(reason: string): void {
    this.#failures.record(reason);
    this.#options.log.error('the broker failed', { reason, failures: this.#failures.count });
  }

  async #probe(): Promise<void> {
    const isDown = this.#process === null;
    this.#pauseMs = isDown && this.#desired?.run === true ? this.#failures.untilRetry : probeInterval;
    const serving = this.#serving;
    const { signal } = this.#interruption;
    if (serving === null) this.#missedProbes = 0;
    if (serving === null || this.#lastProbe + probeInterval > performance.now()) return;
    this.#lastProbe = performance.now();
    const answered = await Promise.race([serving.probe(), once(signal, 'abort')]);
    this.#missedProbes = answered === false ? this.#missedProbes + 1 : 0;
    if (!signal.aborted) await this.#member.look(serving);
    await trimLog(this.#files.log, mostLog);
  }

  /** Answers `setDesired` once clients can't reach a broker in a former configuration. */
  #resolveApplied(): void {
    const current =
      this.#desired?.run === true &&
      this.#process?.runtime === this.#desired.name &&
      this.#process.applied?.digest === this.#desired.digest;
    if (current) this.#taken = this.#desired;
    if (!this.#exposed || current || (this.awaitsRestart && this.#serving !== null)) this.#applied.resolve();
  }

  #reportChange(): void {
    const report = JSON.stringify([this.report(), this.#member.report(this.awaitsRestart)]);
    if (report === this.#reported) return;
    this.#reported = report;
    this.#options.onChange();
  }
}
