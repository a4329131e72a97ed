import type { StreamInfo } from '@nats-io/jetstream';
import { newestMessages, storedMessages, type StoredMessage } from '@sluice/streams';
import { mostKept } from '../lib/payload.ts';
import type { Broker } from './session.ts';

/** Messages of a page, and bytes of them: of large messages there are fewer, but one. */
const most = { messages: 50, bytes: 16 * 2 ** 20 };

/** Where a page begins, or the sequence after its last message; neither for the newest. */
export interface At {
  from?: number;
  before?: number;
}

export interface Page {
  /** newest first */
  messages: StoredMessage[];
  /** the stream as it was then */
  stream: StreamInfo;
}

/**
 * A page of messages.
 * @param subject empty for all
 * @param former the same page as it was before: what is known of it is not read again
 */
export async function readPage(
  broker: Broker,
  name: string,
  at: At,
  subject: string,
  former?: Page,
): Promise<Page> {
  const stream = await broker.manager.streams.info(name);
  const { first_seq: first, last_seq: last, messages: count } = stream.state;
  if (former && isSame(former.stream, stream)) return { ...former, stream };
  if (count === 0) return { messages: [], stream };
  const filter = subject === '' ? {} : { subject };
  if (at.from !== undefined) {
    const found: StoredMessage[] = [];
    let bytes = 0;
    for await (const message of storedMessages(
      broker,
      stream,
      { first: at.from, last, ...filter },
      mostKept,
    )) {
      found.push(message);
      bytes += message.size;
      if (found.length === most.messages || bytes >= most.bytes) break;
    }
    return { messages: found.reverse(), stream };
  }
  const newest = (from: number) =>
    newestMessages(
      broker,
      stream,
      { first: from, last: Math.min(last, (at.before ?? last + 1) - 1), ...filter },
      most.messages,
      mostKept,
      most.bytes,
    );
  if (former && subject === '' && at.before === undefined && hasOnlyGrown(former.stream, stream)) {
    const from = former.stream.state.last_seq + 1;
    const added = await newest(from);
    // some can be left out, or gone again
    if (added.length === last - from + 1) {
      const kept = former.messages.filter(({ sequence }) => sequence >= first);
      return { messages: [...added.reverse(), ...kept].slice(0, most.messages), stream };
    }
  }
  return { messages: (await newest(first)).reverse(), stream };
}

const isSame = ({ created, state: one }: StreamInfo, { created: again, state: other }: StreamInfo): boolean =>
  created === again &&
  (['messages', 'bytes', 'first_seq', 'last_seq'] as const).every((key) => one[key] === other[key]);

/** Nothing but its oldest messages is gone. */
const hasOnlyGrown = ({ created, state: one }: StreamInfo, { created: again, state: other }: StreamInfo) =>
  created === again && one.num_deleted === other.num_deleted && one.last_seq <= other.last_seq;
