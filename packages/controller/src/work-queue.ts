import { performance } from 'node:perf_hooks';
import type { Log } from '@sluice/system/log';
import { Gauge, Histogram, type Registry } from '@prometheus-io/client';
import { Lanes, type Candidate, type LaneSizes } from './lanes.ts';
import { HeldLease, LeaseLost, type Lease } from './lease.ts';
import { Poll } from './poll.ts';

/** The slow places are taken: the work gives way, and goes on when there is one. */
export class SlowPlacesTaken extends Error {
  constructor() {
    super('all places for slow work are taken');
  }
}

/** The process stops: the work is given up, and another replica goes on. */
export class Stopping extends Error {
  constructor() {
    super('the service stops');
  }
}

/**
 * Where the work comes from. Either one statement leases due items and returns them, or due candidates are listed, more than there is room
 * for, and each is leased when its turn comes; then groups get turns.
 */
export type Source<C extends Candidate, Item> =
  | { leaseDue: (room: { all: number; slow: number }) => Promise<readonly (C & Item)[]> }
  | {
      /** at most `limit` that are due and not leased, the first to run first */
      listDue: (limit: number) => Promise<readonly C[]>;
      limit: number;
      /** undefined if it is not due any more, or another replica has it */
      lease: (candidate: C) => Promise<Item | undefined>;
    };

export interface WorkQueueOptions<C extends Candidate, Item> {
  /** label of the metrics and of log lines, unique in the process */
  name: string;
  source: Source<C, Item>;
  lanes: LaneSizes;
  /** after which another replica takes an item whose holder is silent */
  leaseSeconds: number;
  /**
   * Extends leases in the database. @returns the items that are still held. Absent where a lease lasts longer than the work may take.
   */
  renew?: (items: readonly Item[]) => Promise<readonly Item[]>;
  /** from one renewal to the next; a third of `leaseSeconds` by default */
  renewSeconds?: number;
  /**
   * Works on an item and stores the outcome under its fence. @returns the seconds after which the item is due again, as far as it knows.
   * An error is logged; the item is due again when its lease ends.
   */
  run: (item: Item, lease: Lease) => Promise<number | void>;
  /** after which running work counts as slow and needs one of the slow places, or is aborted with `SlowPlacesTaken` */
  slowAfterSeconds?: number;
  /** from one look for due work to the next where nothing wakes it */
  pollSeconds: number;
  /** true: looks again at once after a look during which it was woken, however busy that keeps the database */
  eager?: boolean;
  /** Calls its argument when something may be due. */
  listen?: (wake: () => void) => Promise<unknown>;
  /** for which a stop waits for running work before it aborts it with `Stopping` */
  stopSeconds?: number;
  metrics: Registry;
  log: Log;
}

/**
 * Works on due items, shared with the other replicas by leases with a fence. A decision that is made under a lease has to be stored under its
 * fence, so that a replica that was frozen or cut off stores nothing more. Nothing that fails here ends the process or another item's work.
 */
export class WorkQueue<C extends Candidate, Item> {
  readonly #options: WorkQueueOptions<C, Item>;
  readonly #lanes: Lanes<C>;
  readonly #poll: Poll;
  readonly #held = new Map<Item, HeldLease>();
  readonly #running = new Set<Promise<void>>();
  readonly #seconds: Histogram<'queue' | 'outcome'>;
  #renewal: NodeJS.Timeout | undefined;
  #renewing = false;
  /** true if more may be due than was read */
  #more = false;
  #stopped = false;

  constructor(options: WorkQueueOptions<C, Item>) {
    this.#options = options;
    this.#lanes = new Lanes(options.lanes);
    const { pollSeconds: seconds, eager = false } = options;
    this.#poll = new Poll({ look: () => this.#look(), seconds, eager });
    this.#seconds = secondsMetric(options.metrics);
    runningMetric(options.metrics).add(options.name, () => this.#lanes.running);
  }

  /** items at work, and places for them */
  get load(): { running: number; size: number } {
    const { running, size } = this.#lanes;
    return { running, size };
  }

  /** The age of the oldest lease in seconds; 0 without any. */
  get oldestSeconds(): number {
    const now = performance.now();
    return (now - Math.min(now, ...[...this.#held.values()].map(({ takenAt }) => takenAt))) / 1_000;
  }

  async start(): Promise<void> {
    const { leaseSeconds, renewSeconds = leaseSeconds / 3, listen } = this.#options;
    await listen?.(() => this.wake());
    this.#renewal = setInterval(() => void this.#keepLeases(), renewSeconds * 1_000);
    this.wake();
  }

  /** Looks for due work at once. */
  wake(): void {
    this.#poll.wake();
  }

  /** Looks for due work in so many seconds at the latest. */
  wakeIn(seconds: number): void {
    this.#poll.wakeIn(seconds);
  }

  /** Takes nothing more, waits for running work for `stopSeconds`, then aborts it and waits for its end. */
  async stop(): Promise<void> {
    const { stopSeconds = 0 } = this.#options;
    this.#stopped = true;
    for (const lease of this.#held.values()) lease.stopping = true;
    await this.#poll.stop();
    const giveUp = () => {
      for (const lease of this.#held.values()) lease.abort(new Stopping());
    };
    const timer = setTimeout(giveUp, stopSeconds * 1_000);
    await Promise.all(this.#running);
    clearTimeout(timer);
    clearInterval(this.#renewal);
  }

  async #look(): Promise<void> {
    const { source, name, log } = this.#options;
    try {
      if ('listDue' in source) {
        const due = await source.listDue(source.limit);
        this.#lanes.wait(due);
        this.#more = due.length >= source.limit;
        this.#takeUp();
        return;
      }
      const { room } = this.#lanes;
      if (room.all === 0) return;
      const askedAt = performance.now();
      const items = await source.leaseDue(room);
      this.#more = items.length >= room.all;
      for (const item of items) {
        this.#lanes.begin(item);
        this.#track(item, this.#work(item, item, this.#hold(item, askedAt)));
      }
    } catch (error) {
      log.warn('due work could not be read', { queue: name, error });
    }
  }

  #takeUp(): void {
    const { source } = this.#options;
    if (!('listDue' in source)) return;
    for (let next = this.#next(); next; next = this.#next()) {
      const candidate = next;
      this.#track(candidate, this.#leaseAndWork(candidate, source.lease));
    }
  }

  #next(): C | undefined {
    return this.#stopped ? undefined : this.#lanes.next();
  }

  #track(candidate: C, work: Promise<void>): void {
    const { name, log } = this.#options;
    const ended: Promise<void> = work
      .catch((error: unknown) => {
        if (error instanceof LeaseLost) log.info('a lease has ended', { queue: name, key: candidate.key });
        else if (!this.#stopped) log.warn('work failed', { queue: name, key: candidate.key, error });
      })
      .then(() => {
        this.#running.delete(ended);
        this.#lanes.end(candidate.key);
        this.#takeUp();
        if (!this.#more || this.#lanes.waiting > 0) return;
        this.#more = false;
        this.wake();
      });
    this.#running.add(ended);
  }

  async #leaseAndWork(candidate: C, lease: (candidate: C) => Promise<Item | undefined>): Promise<void> {
    const askedAt = performance.now();
    const item = await lease(candidate);
    if (item !== undefined) await this.#work(candidate, item, this.#hold(item, askedAt));
  }

  #hold(item: Item, askedAt: number): HeldLease {
    const lease = new HeldLease(askedAt, this.#options.leaseSeconds);
    lease.stopping = this.#stopped;
    this.#held.set(item, lease);
    return lease;
  }

  async #work({ key }: C, item: Item, lease: HeldLease): Promise<void> {
    const { name, run, slowAfterSeconds } = this.#options;
    const slow =
      slowAfterSeconds === undefined
        ? undefined
        : setTimeout(() => {
            if (!this.#lanes.slowDown(key)) lease.abort(new SlowPlacesTaken());
          }, slowAfterSeconds * 1_000);
    const measured = this.#seconds.startTimer({ queue: name });
    let outcome = 'failed';
    try {
      const seconds = await run(item, lease);
      outcome = 'done';
      if (seconds === 0) this.wake();
      else if (seconds !== undefined && Number.isFinite(seconds)) this.wakeIn(seconds);
    } catch (error) {
      if (error instanceof LeaseLost) outcome = 'lease_lost';
      throw error;
    } finally {
      measured({ outcome });
      clearTimeout(slow);
      this.#held.delete(item);
    }
  }

  /** Ends the leases whose time is over and renews the others, all of them by one call. */
  async #keepLeases(): Promise<void> {
    const { name, renew, leaseSeconds, log } = this.#options;
    for (const lease of this.#held.values()) lease.expire(performance.now());
    const asked = [...this.#held].filter(([, { signal }]) => !signal.aborted);
    if (!renew || asked.length === 0 || this.#renewing) return;
    this.#renewing = true;
    const askedAt = performance.now();
    try {
      const held = new Set(await renew(asked.map(([item]) => item)));
      for (const [item, lease] of asked)
        if (held.has(item)) lease.extend(askedAt, leaseSeconds);
        else lease.abort(new LeaseLost());
    } catch (error) {
      log.warn('leases could not be renewed', { queue: name, error });
    } finally {
      this.#renewing = false;
    }
  }
}

function secondsMetric(registry: Registry): Histogram<'queue' | 'outcome'> {
  const name = 'sluice_queue_run_seconds';
  const known = registry.getSingleMetric(name);
  if (known instanceof Histogram) return known;
  return new Histogram({
    name,
    help: 'Duration of the work on one item of a queue',
    labelNames: ['queue', 'outcome'],
    buckets: [0.005, 0.05, 0.5, 1, 5, 30, 120, 600],
    registers: [registry],
  });
}

class RunningGauge extends Gauge<'queue'> {
  readonly #queues = new Map<string, () => number>();

  constructor(registry: Registry, name: string) {
    super({
      name,
      help: 'Items of a queue that this replica works on',
      labelNames: ['queue'],
      registers: [registry],
      collect: () => {
        for (const [queue, running] of this.#queues) this.set({ queue }, running());
      },
    });
  }

  add(queue: string, running: () => number): void {
    this.#queues.set(queue, running);
  }
}

function runningMetric(registry: Registry): RunningGauge {
  const name = 'sluice_queue_running';
  const known = registry.getSingleMetric(name);
  return known instanceof RunningGauge ? known : new RunningGauge(registry, name);
}
