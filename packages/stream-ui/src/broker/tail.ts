import { countFrom, newestMessages, type StoredMessage } from '@sluice/streams';
import type { Broker } from './session.ts';
import { mostKept } from '../lib/payload.ts';

/** What a person can follow: the rest is counted. Of one step; of large messages there are fewer. */
const most = { messages: 20, bytes: 4 * 2 ** 20 };

export interface TailPlace {
  /** when the stream was made: another one of its name begins anew */
  created: string;
  next: number;
}

export interface TailStep {
  messages: StoredMessage[];
  /** messages that were stored since the step before and are not shown */
  dropped: number;
  /** whether these are of another stream than those before */
  isOther: boolean;
  place: TailPlace;
}

/**
 * The newest of what was stored from a place on; without one nothing but the place. It reads what is stored, so that a stream that is filled
 * from others is followed as well, and it takes no more from the broker than it shows.
 */
export async function tailStep(
  broker: Broker,
  stream: string,
  from: TailPlace | undefined,
  subject?: string,
): Promise<TailStep> {
  const info = await broker.manager.streams.info(stream);
  const { first_seq, last_seq: last } = info.state;
  const place = { created: info.created, next: last + 1 };
  const isOther = from !== undefined && from.created !== info.created;
  const first = isOther ? first_seq : from?.next;
  if (first === undefined || last < first) return { messages: [], dropped: 0, isOther, place };
  const filter = subject === undefined ? {} : { subject };
  const all = subject === undefined ? last - first + 1 : await countFrom(broker, info, first, [subject]);
  const range = { first, last, ...filter };
  const messages = await newestMessages(broker, info, range, most.messages, mostKept, most.bytes);
  return { messages, dropped: Math.max(0, (all ?? 0) - messages.length), isOther, place };
}
