import type { Received } from '@sluice/messaging';
import type { Log } from '@sluice/service';
import { Gauge, type Registry } from 'prom-client';

/** A clock that is off by more than this is not believed, in milliseconds. */
const mostDifference = 60_000;
/** between two warnings about the same sender */
const warnEveryMilliseconds = 10 * 60_000;

export type SenderClocks = ReturnType<typeof senderClocks>;

/** Compares the clocks of senders with that of NATS: when events happened is what their senders say. */
export function senderClocks({ metrics, log }: { metrics: Registry; log: Log }) {
  const gauge = new Gauge({
    name: 'sluice_audit_sender_clock_seconds',
    help: "By how much a sender's clock was ahead of that of NATS when it sent its last event",
    labelNames: ['sender'],
    registers: [metrics],
  });
  const warnedAt = new Map<string, number>();

  return {
    /** When an event happened by the clock of NATS: undefined where the sender's is right, or says nothing. */
    correctedTime({ sender, arrivedAt, aheadMilliseconds }: Received): Date | undefined {
      if (aheadMilliseconds === undefined) return undefined;
      gauge.set({ sender }, aheadMilliseconds / 1000);
      if (Math.abs(aheadMilliseconds) <= mostDifference) return undefined;
      const now = performance.now();
      if (now - (warnedAt.get(sender) ?? -Infinity) > warnEveryMilliseconds) {
        warnedAt.set(sender, now);
        const seconds = Math.round(aheadMilliseconds / 1000);
        log.warn("a sender's clock is wrong: its events are recorded at the time of NATS", {
          sender,
          seconds,
        });
      }
      return arrivedAt;
    },
  };
}
