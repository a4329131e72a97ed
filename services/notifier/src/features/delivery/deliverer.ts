import { randomUUID } from 'node:crypto';
import { testMessageType, type ChannelId } from '@sluice/contracts';
import { Stopping, WorkQueue, type Lease } from '@sluice/controller';
import type { Log } from '@sluice/service';
import { jittered } from '@sluice/system';
import { LRUCache } from 'lru-cache';
import type { Registry } from 'prom-client';
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
  metrics: Registry;
  log: Log;
  /** before the second attempt; each later one is after twice as long */
  retrySeconds: number;
  /** channels that are delivered to at the same time */
  mostChannels?: number;
  /** for what is under way at a stop */
  stopSeconds: number;
}

/** attempts at a notification (interface, 6.2) */
const mostAttempts = 6;
/** renewed while its channel is delivered to; that of a process that was killed is soon over */
const leaseSeconds = 10;
/** within so long a delivery under way notices that its channel was changed */
const renewSeconds = 2;
/** after so long a channel is given back, so that what is due of others has its turn */
const turnMilliseconds = 15_000;
/** what has waited so long is out of date: its destination takes too long for all that it is sent */
const staleMilliseconds = 60 * 60 * 1_000;
const pollSeconds = 0.5;
/** of the places, what channels may use whose destinations have not answered last time: the rest is for the others */
const slowPart = 0.5;
/** channels that are remembered as slow */
const mostSlow = 10_000;

type Leased = DueChannel & { key: ChannelId; slow: boolean };

/**
 * Delivers what is due. Replicas share the work by leases on channels: a channel's messages go out one after the other,
 * each once the one before is stored as done, so that a kill repeats at most the one that was under way there. Channels do
 * not wait for each other; those that hang use half of the places at most.
 */
export class Deliverer {
  readonly #options: DelivererOptions;
  readonly #lease = randomUUID();
  readonly #attempts: AttemptLog;
  /** channels whose destinations or name servers did not answer the last attempt in time */
  readonly #slow = new LRUCache<ChannelId, true>({ max: mostSlow });
  readonly #queue: WorkQueue<Leased, DueChannel>;

  constructor(options: DelivererOptions) {
    this.#options = options;
    const { database, mostChannels = 256, stopSeconds, metrics, log } = options;
    this.#queue = new WorkQueue<Leased, DueChannel>({
      name: 'channels',
      source: { leaseDue: (room) => this.#leaseDue(room) },
      lanes: { size: mostChannels, slow: mostChannels * slowPart },
      ...{ leaseSeconds, renewSeconds, pollSeconds, eager: true, stopSeconds },
      renew: async (channels) => {
        const ids = channels.map(({ id }) => id);
        const versions = await renewLeases(database, this.#lease, ids, leaseSeconds);
        // a channel that is gone, or is not what it was when it was leased, gets nothing more in this turn
        return channels.filter(({ id, version }) => versions.get(id) === version);
      },
      run: (channel, lease) => this.#deliver(channel, lease),
      ...{ metrics, log },
    });
    this.#attempts = new AttemptLog(database, this.#lease, () => this.#queue.load.running, log);
  }

  async start(): Promise<void> {
    await this.#queue.start();
  }

  /** Looks for due notifications. A call during a look causes another one. */
  wake(): void {
    this.#queue.wake();
  }

  /** Begins nothing more, and gives what is under way `stopSeconds` to end. */
  async stop(): Promise<void> {
    await this.#queue.stop();
  }

  async #leaseDue({ all, slow }: { all: number; slow: number }): Promise<Leased[]> {
    const leased = await leaseQueues(this.#options.database, this.#lease, {
      channels: all,
      seconds: leaseSeconds,
      leftOut: slow > 0 ? [] : [...this.#slow.keys()],
    });
    return leased.map((channel) => ({ ...channel, key: channel.id, slow: this.#slow.has(channel.id) }));
  }

  /** @returns the seconds after which more of the channel is due */
  async #deliver(channel: DueChannel, lease: Lease): Promise<number> {
    let retrySeconds = Infinity;
    const end = performance.now() + turnMilliseconds;
    const stopped = new AbortController();
    // a lease that is lost does not cut short what is being sent: it may have arrived
    lease.signal.addEventListener('abort', () => {
      if (lease.signal.reason instanceof Stopping) stopped.abort();
    });
    for (const notification of channel.due) {
      if (lease.stopping || !lease.held || performance.now() > end) break;
      const outcome = await this.#outcomeOf(channel, notification, stopped.signal);
      // it is unknown whether it has arrived: the next holder sends it again
      if (stopped.signal.aborted) break;
      const attempted = this.#attempted(channel, notification, outcome);
      if (attempted.status === 'pending') retrySeconds = Math.min(retrySeconds, attempted.pauseSeconds);
      await this.#attempts.store(attempted);
    }
    const isMoreDue = await this.#attempts.release(channel.id);
    return isMoreDue ? 0 : retrySeconds;
  }

  async #outcomeOf(
    channel: DueChannel,
    notification: DueNotification,
    stopped: AbortSignal,
  ): Promise<Outcome> {
    if (Date.now() - Date.parse(notification.created_at) > staleMilliseconds)
      return { result: 'never', isUnsent: true, reason: 'it could not be delivered within an hour' };
    // a test is asked for
    if (!channel.enabled && notification.message_type !== testMessageType)
      return { result: 'never', isUnsent: true, reason: 'the channel is switched off' };
    const begun = performance.now();
    const outcome = await this.#options.send(channel, notification, stopped);
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
    const backoff = jittered(1.25 * this.#options.retrySeconds * 2 ** before);
    return {
      id,
      status,
      attempts,
      reason,
      pauseSeconds: status === 'pending' ? Math.max(backoff, pauseSeconds) : 0,
    };
  }
}
