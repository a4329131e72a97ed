import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DesiredState, LogLine, Sample, TelemetryBatch } from '@sluice/contracts';
import { readIfPresent, reasonOf } from '@sluice/system';
import type { Log } from '@sluice/system/log';
import { secretsOf } from '../secrets.ts';
import { Due } from '../due.ts';
import { LineLimit } from './line-limit.ts';
import { FollowedLogs, type FollowedLog } from './followed-logs.ts';
import { cleanMessage, readOwnLine } from './lines.ts';
import { agentMetrics, nodeMetrics } from './node-metrics.ts';
import type { OwnLines } from './own-lines.ts';
import { openSpool, type Spool } from './spool.ts';

/** Measures one program or several; the time is added later. */
export type Measure = () => Promise<Omit<Sample, 'at'>[]>;

export interface TelemetryOptions {
  home: string;
  /** Rejects with a refusal, or another error that kept the batch from the supervisor. */
  send: (batch: TelemetryBatch) => Promise<void>;
  /** The status of a refusal, and the least pause that the supervisor wants, in seconds; null for any other error. */
  refusalOf: (error: unknown) => { status: number; retryAfter: number } | null;
  /** the supervisor's: milliseconds since 1970, and its difference to this machine's */
  clock: { now: () => number; readonly offset: number };
  own: OwnLines;
  measures: readonly Measure[];
  /** those of the node's other programs, the broker's first */
  logs: readonly FollowedLog[];
  log: Log;
}

const tickMilliseconds = 1_000;
const mostPending = 10_000;
/** Pauses by the status of a refusal. Milliseconds. */
const pauses = { 401: 60_000, 403: 60_000, 404: 300_000 } as Record<number, number>;

/** Measures the node, collects its logs, and sends both to the supervisor, which may be away for long. */
export class Telemetry {
  readonly #options: TelemetryOptions;
  readonly #spool: Spool;
  readonly #logs: FollowedLogs;
  readonly #limit = new LineLimit();
  readonly #measureNode: ReturnType<typeof nodeMetrics>;
  readonly #measureAgent = agentMetrics();
  readonly sendDue = new Due();
  #state: DesiredState;
  #samples: Sample[] = [];
  #lines: LogLine[] = [];
  #lost = 0;
  #sampledAt = -Infinity;
  #flushedAt = performance.now();
  #position = '';
  #away = false;

  private constructor(
    options: TelemetryOptions,
    state: DesiredState,
    spool: Spool,
    positions: string | null,
  ) {
    this.#options = options;
    this.#state = state;
    this.#spool = spool;
    this.#logs = new FollowedLogs(options.logs, positions);
    this.#measureNode = nodeMetrics(options.home);
  }

  static async open(options: TelemetryOptions, state: DesiredState): Promise<Telemetry> {
    const folder = join(options.home, 'telemetry');
    const spool = await openSpool(folder);
    const positions = await readIfPresent(join(folder, 'position'));
    return new Telemetry(options, state, spool, positions);
  }

  /** the time between two samples, in seconds */
  get metricsSeconds(): number {
    return this.#state.telemetry.metrics_seconds;
  }

  follow(state: DesiredState): void {
    this.#state = state;
  }

  /** Measures and reads logs, where it is time for that. */
  async collect(): Promise<void> {
    const { telemetry } = this.#state;
    if (!telemetry) return void this.#options.own.take();
    const now = performance.now();
    // a timer may come a little early
    if (now - this.#sampledAt >= telemetry.metrics_seconds * 1_000 - tickMilliseconds / 2) {
      this.#sampledAt = now;
      await this.#measure();
    }
    await this.#collectLines();
    const waited = now - this.#flushedAt >= telemetry.send_seconds * 1_000;
    const linesWait = this.#lines.length > 0 && !this.#away;
    if (waited || linesWait || this.#samples.length + this.#lines.length > 500) await this.#flush();
  }

  async #measure(): Promise<void> {
    const at = new Date(this.#options.clock.now()).toISOString();
    const measured = await Promise.allSettled([
      this.#measureNode().then((metrics) => [{ runtime: 'node' as const, metrics }]),
      Promise.resolve([
        { runtime: 'agent' as const, status: 'running' as const, metrics: this.#measureAgent() },
      ]),
      ...this.#options.measures.map((measure) => measure()),
    ]);
    for (const outcome of measured) {
      if (outcome.status === 'rejected') {
        this.#options.log.warn('something could not be measured', { reason: reasonOf(outcome.reason) });
        continue;
      }
      for (const sample of outcome.value)
        this.#samples.push({ at, ...sample, metrics: finite(sample.metrics) });
    }
    this.#samples.splice(0, this.#samples.length - mostPending);
  }

  async #collectLines(): Promise<void> {
    const mine = this.#options.own.take();
    const { lines, skipped } = await this.#logs.read();
    const read = [...mine.lines.flatMap((text) => readOwnLine(text) ?? []), ...lines];
    const secrets = secretsOf(this.#state);
    const clean = read.map(({ at, runtime, level, message }) => ({
      at: this.#supervisorTime(at),
      ...{ runtime, level, message: cleanMessage(message, secrets) },
    }));
    const at = this.#supervisorTime(new Date());
    const notes: [LogLine['runtime'], number, string][] = [
      ['agent', mine.lost, 'lines of the agent were lost'],
      ...skipped.map(([runtime, bytes]): [LogLine['runtime'], number, string] => [
        runtime,
        bytes,
        'bytes of the log were skipped: it grows too fast',
      ]),
      ['agent', this.#spool.takeDropped(), 'batches of telemetry were dropped: there was no room for them'],
      ['agent', this.#lost, 'lines were dropped: too many waited'],
    ];
    this.#lost = 0;
    const warnings = notes.flatMap(([runtime, count, what]) =>
      count > 0 ? [{ at, runtime, level: 'warn' as const, message: `${count} ${what}` }] : [],
    );
    this.#lines.push(...this.#limit.pass(clean), ...this.#limit.leftOut(at), ...warnings);
    this.#lost += this.#lines.splice(0, this.#lines.length - mostPending).length;
  }

  #supervisorTime(at: Date): string {
    return new Date(
      (Number.isNaN(at.getTime()) ? Date.now() : at.getTime()) + this.#options.clock.offset,
    ).toISOString();
  }

  async #flush(): Promise<void> {
    this.#flushedAt = performance.now();
    const [samples, lines] = [this.#samples, this.#lines];
    [this.#samples, this.#lines] = [[], []];
    await this.#spool.add(samples, lines);
    this.sendDue.wake();
    const position = this.#logs.positions;
    if (position === this.#position) return;
    this.#position = position;
    // one that is damaged costs lines that come twice
    await writeFile(join(this.#options.home, 'telemetry/position'), position, { mode: 0o600 });
  }

  /** Sends all batches that wait, the oldest first. @throws what kept one from the supervisor */
  async send(): Promise<void> {
    for (;;) {
      const oldest = await this.#spool.oldest();
      if (oldest === null) break;
      await this.#options.send(oldest.batch).catch(async (error: unknown) => {
        const { status = 0 } = this.#options.refusalOf(error) ?? {};
        if (![400, 413, 415].includes(status)) throw error;
        // a batch that the supervisor does not understand would keep all others waiting
        this.#options.log.error('the supervisor does not take a batch of telemetry', { status });
      });
      await this.#spool.remove(oldest.name);
      this.#away = false;
    }
    this.#away = false;
  }

  /** @returns the least pause before the next attempt, in milliseconds */
  sendFailed(error: unknown): number {
    const { status = 0, retryAfter = 0 } = this.#options.refusalOf(error) ?? {};
    if (!this.#away) this.#options.log.warn('telemetry has to wait', { reason: reasonOf(error) });
    this.#away = true;
    return Math.max(pauses[status] ?? 0, retryAfter * 1_000);
  }
}

/** Others would not survive JSON. */
function finite(metrics: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(metrics).filter(([, value]) => Number.isFinite(value)));
}
