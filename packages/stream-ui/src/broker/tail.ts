import { countFrom, newestMessages, type StoredMessage } from '@sluice/streams';
import type { Broker } from './session.ts';
import { mostKept } from '../lib/payload.ts';

/** What a person can follow: the rest is counted. Messages of one step. */
const mostShown = 20;

export interface TailStep {
  messages: StoredMessage[];
  /** messages that were stored since the step before and are not shown */
  dropped: number;
  /** where the next step begins */
  next: number;
}

/**
 * The newest of what was stored from a sequence on. It reads what is stored, so that a stream that is filled from others is followed as well,
 * and it takes no more from the broker than it shows.
 */
export async function tailStep(
  broker: Broker,
  stream: string,
  next: number,
  subject?: string,
): Promise<TailStep> {
  const info = await broker.manager.streams.info(stream);
  const last = info.state.last_seq;
  // a stream that was made anew begins again
  if (last < next) return { messages: [], dropped: 0, next: last + 1 };
  const filter = subject === undefined ? {} : { subject };
  const all = subject === undefined ? last - next + 1 : await countFrom(broker, info, next, [subject]);
  const messages = await newestMessages(broker, info, { first: next, last, ...filter }, mostShown, mostKept);
  return { messages, dropped: Math.max(0, (all ?? 0) - messages.length), next: last + 1 };
}
