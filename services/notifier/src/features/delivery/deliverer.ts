import { randomUUID } from 'node:crypto';
import { testMessageType, type ChannelId } from '@sluice/contracts';
import type { Log } from '@sluice/service-kit';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../database/tables.ts';
import {
  leaseQueues,
  renewLeases,
  type Attempted,
  type DueChannel,
  type DueNotification,
} from '../../stores/queues.store.ts';
import { AttemptLog } from './attempt-log.ts';
import type { NotificationCounts } from './delivery-metrics.ts';
import type { Outcome } from './https-client.ts';

/** Sends one message to the channel's destination; it never rejects. */
export type Send = (
  channel: DueChannel,
  notification: DueNotification,
  stopped: AbortSignal,
) => Promise<Outcome>;

export interface DelivererOptions {
  database: Database;
  send: Send;
  counts: NotificationCounts;
  log: Log;
  /** before the second attempt; each later one is after twice as long */
  retrySeconds: number;
  /** channels that are delivered to at the same time */
  mostChannels?: number;
}

/** attempts at a notification (interface, 6.2) */
const mostAttempts = 6;
/** a lease is prolonged for as long as its channel is delivered to; that of a process that was killed is soon over */
const leaseMilliseconds = 10_000;
const renewMilliseconds = 2_000;
/** after so long a channel is given back, so that what is due of others has its turn */
const turnMilliseconds = 15_000;
/** what has waited so long is no news any more: its destination takes too long for all that it is told */
const staleMilliseconds = 60 * 60 * 1_000;
/** how often is looked whether something is due, where nobody says so */
const lookMilliseconds = 500;
/** of the room, what channels may use whose destinations have not answered last time: the rest is for the others */
const slowPart = 0.5;
/** channels that are remembered as slow */
const mostSlow = 10_000;

interface Delivering {
  /** of the channel, when it was leased */
  version: string;
  /** by this process's own clock: nothing is sent later than this, as somebody else may do so then */
  leasedUntil: number;
  ended: Promise<void>;
}

/**
 * Delivers what is due. Replicas share the work by leases on channels: a channel's messages go out one after the other,
 * each once the one before is stored as done, so that a kill repeats at most the one that was under way there. Channels do
 * not wait for each other; those that hang use half of the room at most.
 */
export class Deliverer {
  readonly #options: Required<DelivererOptions>;
  readonly #lease = randomUUID();
  readonly #attempts: AttemptLog;
  readonly #busy = new Map<ChannelId, Delivering>();
  /** channels whose destinations or name servers did not answer the last attempt in time */
  readonly #slow = new LRUCache<ChannelId, true>({ max: mostSlow });
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  /** when is looked next, by `performance.now()` */
  #nextLook = Infinity;
  #renewal: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #again = false;
  #stopping = false;

  constructor(options: DelivererOptions) {
    this.#options = { mostChannels: 256, ...options };
    this.#attempts = new AttemptLog(options.database, this.#lease, () => this.#busy.size, options.log);
  }

  start(): void {
    this.#renewal = setInterval(() => void this.#renew(), renewMilliseconds);
    this.wake();
  }

  /** Looks whether something is due. A call while that is done makes it look once more. */
  wake(): void {
    if (this.#stopping) return;
    this.#again = true;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
      if (this.#again) this.wake();
    });
  }

  /** Begins nothing more, and gives what is under way `milliseconds` to end. */
  async stop(milliseconds: number): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    const timer = setTimeout(() => this.#stopped.abort(), milliseconds);
    await this.#looking;
    await Promise.all([...this.#busy.values()].map(({ ended }) => ended));
    clearTimeout(timer);
    clearInterval(this.#renewal);
  }

  async #look(): Promise<void> {
    clearTimeout(this.#timer);
    this.#nextLook = Infinity;
    try {
      while (this.#again && !this.#stopping) {
        this.#again = false;
        await this.#leaseSome();
      }
    } catch (error) {
      this.#options.log.warn('it could not be found out which notifications are due', { error });
    }
    this.#lookIn(lookMilliseconds);
  }

  /** Looks at the latest after so long. */
  #lookIn(milliseconds: number): void {
    const at = performance.now() + milliseconds;
    if (this.#stopping || at >= this.#nextLook) return;
    this.#nextLook = at;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#nextLook = Infinity;
      this.wake();
    }, milliseconds);
  }

  /** how many more channels can be delivered to */
  get #room(): number {
    return this.#options.mostChannels - this.#busy.size;
  }

  /** The slow ones, where they have their part of the room already. */
  #leftOut(): ChannelId[] {
    const slow = [...this.#busy.keys()].filter((channel) => this.#slow.has(channel)).length;
    return slow < this.#options.mostChannels * slowPart ? [] : [...this.#slow.keys()];
  }

  async #leaseSome(): Promise<void> {
    const room = this.#room;
    if (room <= 0) return;
    const since = performance.now();
    const leased = await leaseQueues(this.#options.database, this.#lease, {
      channels: room,
      seconds: leaseMilliseconds / 1_000,
      leftOut: this.#leftOut(),
    });
    for (const channel of leased) {
      const { id, version } = channel;
      const delivering = { version, leasedUntil: since + leaseMilliseconds, ended: Promise.resolve() };
      this.#busy.set(id, delivering);
      delivering.ended = this.#deliver(channel, delivering)
        .catch((error: unknown) => {
          this.#options.log.error('notifications of a channel could not be delivered', {
            channel: id,
            error,
          });
          return false;
        })
        .then((isMoreDue) => {
          const others = this.#room <= 0;
          this.#busy.delete(id);
          if (isMoreDue || others) this.wake();
        });
    }
    if (leased.length === room) this.#again = true;
  }

  async #renew(): Promise<void> {
    const busy = [...this.#busy];
    if (busy.length === 0) return;
    const since = performance.now();
    try {
      const { database } = this.#options;
      const channels = busy.map(([channel]) => channel);
      const renewed = await renewLeases(database, this.#lease, channels, leaseMilliseconds / 1_000);
      // a channel that is gone, or is not what it was when it was leased, gets nothing more in this turn
      for (const [channel, delivering] of busy)
        delivering.leasedUntil = renewed.get(channel) === delivering.version ? since + leaseMilliseconds : 0;
    } catch (error) {
      this.#options.log.warn('leases on channels could not be prolonged', { error });
    }
  }

  /** @returns whether more of the channel is due */
  async #deliver(channel: DueChannel, delivering: Delivering): Promise<boolean> {
    let retrySeconds = Infinity;
    const end = performance.now() + turnMilliseconds;
    for (const notification of channel.due) {
      if (this.#stopping || performance.now() > Math.min(end, delivering.leasedUntil)) break;
      const outcome = await this.#outcomeOf(channel, notification);
      // nobody knows whether it has arrived: it is sent again by whoever comes next
      if (this.#stopped.signal.aborted) break;
      const attempted = this.#attempted(channel, notification, outcome);
      if (attempted.status === 'pending') retrySeconds = Math.min(retrySeconds, attempted.pauseSeconds);
      await this.#attempts.store(attempted);
    }
    const isMoreDue = await this.#attempts.release(channel.id);
    this.#lookIn(retrySeconds * 1_000);
    return isMoreDue;
  }

  async #outcomeOf(channel: DueChannel, notification: DueNotification): Promise<Outcome> {
    if (Date.now() - Date.parse(notification.created_at) > staleMilliseconds)
      return { result: 'never', isUnsent: true, reason: 'it could not be delivered within an hour' };
    // a test is asked for
    if (!channel.enabled && notification.message_type !== testMessageType)
      return { result: 'never', isUnsent: true, reason: 'the channel is switched off' };
    const begun = performance.now();
    const outcome = await this.#options.send(channel, notification, this.#stopped.signal);
    const isSlow = outcome.result !== 'delivered' && performance.now() - begun > 3_000;
    // a name that has just not been answered fails at once without being asked for, and takes its time again later
    if (isSlow || outcome.isNameUnanswered) this.#slow.set(channel.id, true);
    else this.#slow.delete(channel.id);
    return outcome;
  }

  #attempted(
    { channel }: DueChannel,
    { id, attempts: before }: DueNotification,
    outcome: Outcome,
  ): Attempted {
    const { result, reason, isUnsent = false, pauseSeconds = 0 } = outcome;
    const attempts = isUnsent ? before : before + 1;
    const isLast = result === 'never' || attempts >= mostAttempts;
    const status = result === 'delivered' ? 'delivered' : isLast ? 'failed' : 'pending';
    this.#options.counts.attempts.inc({ channel, outcome: status === 'pending' ? 'later' : status });
    const backoff = this.#options.retrySeconds * 2 ** before * (1 + Math.random() / 2);
    return {
      id,
      status,
      attempts,
      reason,
      pauseSeconds: status === 'pending' ? Math.max(backoff, pauseSeconds) : 0,
    };
  }
}
