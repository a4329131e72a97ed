import { once } from 'node:events';
import type { BrokerStatistics, Heartbeat, Protocol } from '@sluice/contracts';
import { createBackoff } from '../backoff.ts';
import { createBell } from '../bell.ts';
import { reasonOf, type Log } from '../log.ts';
import { writePrivately } from '../machine/files.ts';
import { ConfigurationRefused } from '../runtimes/runtime.ts';
import type {
  BrokerConfiguration,
  BrokerRuntime,
  DesiredBroker,
  ServingBroker,
} from '../runtimes/runtime.ts';
import { brokerFiles, findBroker, inForceOf, startBroker, trimLog } from './broker-process.ts';
import type { BrokerFiles, BrokerProcess } from './broker-process.ts';

const probeInterval = 1_000;
/** From so many missing answers, or failures, in a row on the broker counts as failed. */
const patience = 3;
/** A start that takes longer is begun anew. */
const startLimit = 120_000;
/** A broker that ran for so long starts with a clean record when it ends. */
const provenAfter = 10_000;

type Report = Heartbeat['runtimes'][number];
type Step = 'rest' | 'start' | 'bring up' | 'reload' | 'stop';

interface Wanted {
  run: boolean;
  configuration: BrokerConfiguration;
  digest: string;
}

interface KeeperOptions {
  home: string;
  runtime: BrokerRuntime;
  log: Log;
  /** Called when the report has changed. */
  onChange: () => void;
}

/**
 * Keeps one broker as it is wanted: looks at what is there, takes the one next step, looks again. Only that loop acts
 * on the process; everything else says what is wanted and wakes it.
 */
export class BrokerKeeper {
  readonly #options: KeeperOptions;
  readonly #files: BrokerFiles;
  readonly #bell = createBell();
  readonly #backoff = createBackoff({ first: 100, cap: 10_000 });
  #wanted: Wanted | null = null;
  #refusal: string | null = null;
  #ending = false;
  #process: BrokerProcess | null = null;
  #stopping = false;
  /** Set while clients may be let in to the process. */
  #serving: ServingBroker | null = null;
  #failures = { count: 0, reason: '', retryAt: 0, runningSince: Infinity };
  #missedProbes = 0;
  #announced = '';
  #interruption = new AbortController();
  #settled = Promise.withResolvers<void>();
  #work: Promise<void> | null = null;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#files = brokerFiles(options.home);
  }

  /** Looks for a broker that a former agent has left, and begins to keep it as `want` says. */
  async begin(): Promise<void> {
    const found = await findBroker(this.#files, this.#options.runtime);
    if (found !== null) {
      this.#options.log.info('found a running broker', { pid: found.pid });
      this.#follow(found);
    }
    this.#work = this.#keep();
  }

  /**
   * From now on the broker should be like this. Resolves as soon as nothing serves the former configuration any more,
   * or what is wanted was refused: then the broker stays as it was and the report tells why.
   */
  async want(broker: DesiredBroker): Promise<void> {
    const { runtime, log } = this.#options;
    try {
      const configuration = runtime.configure(broker);
      const { unknownKeys } = configuration;
      if (unknownKeys.length > 0)
        log.warn('configuration keys that this agent does not know', { keys: unknownKeys });
      const wanted = {
        run: broker.state === 'running',
        configuration,
        digest: inForceOf(configuration).digest,
      };
      const changed = wanted.digest !== this.#wanted?.digest || wanted.run !== this.#wanted.run;
      this.#wanted = wanted;
      this.#refusal = null;
      this.#settled = Promise.withResolvers();
      if (changed) this.#interruption.abort();
      this.#bell.ring();
      await this.#settled.promise;
    } catch (error) {
      if (!(error instanceof ConfigurationRefused)) throw error;
      log.error('the broker configuration is refused', { reason: error.message });
      this.#refusal = `the configuration is refused: ${error.message}`;
      this.#announce();
    }
  }

  /** How the broker is, as a heartbeat tells it. */
  report(): Report {
    const tell = (status: Report['status'], reason: string | null = null): Report => {
      return { runtime: 'broker', status, version: this.#serving?.version ?? null, reason };
    };
    if (this.#refusal !== null) return tell('failed', this.#refusal);
    if (this.#wanted?.run !== true) return tell(this.#process === null ? 'stopped' : 'running');
    if (this.#missedProbes >= patience) return tell('failed', 'the broker does not answer');
    if (this.#serving !== null) return tell('running');
    return this.#failures.count >= patience ? tell('failed', this.#failures.reason) : tell('starting');
  }

  /** The broker's port on 127.0.0.1, null while it does not serve. */
  port(protocol: Protocol): number | null {
    return this.#serving?.ports[protocol] ?? null;
  }

  /** What the broker holds; null while it does not serve or can't tell. */
  async statistics(): Promise<BrokerStatistics | null> {
    try {
      return (await this.#serving?.statistics()) ?? null;
    } catch (error) {
      this.#options.log.warn('no statistics', { reason: reasonOf(error) });
      return null;
    }
  }

  /** Ends the broker. Resolves when its process is gone. */
  async stop(): Promise<void> {
    this.#ending = true;
    this.#interruption.abort();
    this.#bell.ring();
    await this.#work;
  }

  async #keep(): Promise<void> {
    for (;;) {
      const step = this.#nextStep();
      if (step === 'rest' && this.#ending) return;
      this.#interruption = new AbortController();
      try {
        await this.#take(step);
      } catch (error) {
        if (!this.#interruption.signal.aborted) {
          this.#failed(reasonOf(error));
          await this.#bell.rest(Math.max(50, this.#failures.retryAt - Date.now()));
        }
      }
      this.#settle();
      this.#announce();
    }
  }

  #nextStep(): Step {
    const wanted = this.#wanted;
    if (this.#ending || wanted?.run === false) return this.#process === null ? 'rest' : 'stop';
    if (wanted === null) return 'rest';
    if (this.#process === null) return this.#untilRetry() > 0 ? 'rest' : 'start';
    const { inForce } = this.#process;
    if (inForce?.restart_key !== wanted.configuration.restartKey) return 'stop';
    if (this.#serving === null) return 'bring up';
    return inForce.digest === wanted.digest ? 'rest' : 'reload';
  }

  async #take(step: Step): Promise<void> {
    const [wanted, broker] = [this.#wanted, this.#process];
    if (step === 'rest') return await this.#rest();
    if (step === 'stop') return await this.#end(broker);
    if (wanted === null) return;
    if (step === 'start') {
      this.#follow(await startBroker(this.#files, this.#options.runtime, wanted.configuration));
    } else if (broker !== null) {
      const serving = this.#serving ?? (await this.#whenReady(broker));
      if (serving === null) return await this.#end(broker);
      await this.#takeUp(broker, serving, wanted);
    }
  }

  /** The process as it serves; null when it took too long. */
  async #whenReady(broker: BrokerProcess): Promise<ServingBroker | null> {
    const limit = AbortSignal.timeout(startLimit);
    try {
      return await this.#options.runtime.ready(
        broker.pid,
        AbortSignal.any([limit, this.#interruption.signal]),
      );
    } catch (error) {
      if (!limit.aborted) throw error;
      this.#failed(`the broker did not serve within ${startLimit / 1_000} s`);
      return null;
    }
  }

  /** Lets clients in to a process once it has the configuration that is wanted. */
  async #takeUp(broker: BrokerProcess, serving: ServingBroker, wanted: Wanted): Promise<void> {
    if (broker.inForce?.digest !== wanted.digest) {
      await writePrivately(this.#files.configuration, wanted.configuration.text);
      if (!(await serving.reload().catch(() => false))) {
        this.#options.log.warn('the broker did not take up its configuration, restarting it');
        return await this.#end(broker);
      }
      await broker.tookUp(wanted.configuration);
      this.#options.log.info('broker reloaded', { pid: broker.pid });
    }
    if (this.#serving !== null || this.#process !== broker || this.#wanted !== wanted) return;
    this.#serving = serving;
    this.#options.log.info('broker serves', { pid: broker.pid, version: serving.version });
  }

  async #end(broker: BrokerProcess | null): Promise<void> {
    this.#serving = null;
    this.#stopping = true;
    try {
      await broker?.stop();
      this.#process = null;
    } finally {
      this.#stopping = false;
    }
  }

  #follow(broker: BrokerProcess): void {
    this.#process = broker;
    this.#failures.runningSince = Date.now();
    void broker.ended.then((reason) => {
      if (this.#process !== broker || this.#stopping) return;
      this.#process = null;
      this.#serving = null;
      this.#failed(reason);
      this.#interruption.abort();
      this.#bell.ring();
    });
  }

  #failed(reason: string): void {
    const proven = Date.now() - this.#failures.runningSince > provenAfter;
    if (proven) this.#backoff.reset();
    const count = (proven ? 0 : this.#failures.count) + 1;
    // The first time it is likely to be an accident that the next start repairs.
    const retryAt = Date.now() + (count === 1 ? 0 : this.#backoff.next());
    this.#failures = { count, reason, retryAt, runningSince: Infinity };
    this.#options.log.error('the broker failed', { reason, failures: count });
  }

  #untilRetry(): number {
    if (this.#wanted?.run !== true) return probeInterval;
    return Math.max(0, this.#failures.retryAt - Date.now());
  }

  async #rest(): Promise<void> {
    await this.#bell.rest(this.#process === null ? this.#untilRetry() : probeInterval);
    const serving = this.#serving;
    const { signal } = this.#interruption;
    if (serving === null) this.#missedProbes = 0;
    if (serving === null || signal.aborted) return;
    const answered = await Promise.race([serving.probe(), once(signal, 'abort')]);
    this.#missedProbes = answered === false ? this.#missedProbes + 1 : 0;
    await trimLog(this.#files);
  }

  /** Answers `want` once clients can't reach a broker in a former configuration. */
  #settle(): void {
    const current = this.#wanted?.run === true && this.#process?.inForce?.digest === this.#wanted.digest;
    if (this.#serving === null || current) this.#settled.resolve();
  }

  #announce(): void {
    const report = JSON.stringify(this.report());
    if (report === this.#announced) return;
    this.#announced = report;
    this.#options.onChange();
  }
}
