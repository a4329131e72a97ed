import type { StreamInfo } from '@nats-io/jetstream';
import { storedMessages, type Range, type StoredMessage } from '@sluice/streams';
import { mostKept } from '../lib/payload.ts';
import type { Matches } from '../lib/search.ts';
import type { Broker } from './session.ts';

/** What one search looks at and finds; it goes on when it is asked to. */
const most = { messages: 20_000, bytes: 64 * 2 ** 20, found: 200 };

export interface Scan {
  found: StoredMessage[];
  looked: number;
  /** where to go on; null when all of the range was looked at */
  next: number | null;
}

/** Looks for messages in a range, from its beginning on. `signal` ends it with what was found. */
export async function scan(
  broker: Broker,
  stream: StreamInfo,
  range: Range,
  matches: Matches,
  signal: AbortSignal,
  onProgress: (looked: number) => void,
): Promise<Scan> {
  const found: StoredMessage[] = [];
  let looked = 0;
  let bytes = 0;
  for await (const message of storedMessages(broker, stream, range, mostKept)) {
    looked++;
    bytes += message.size;
    if (matches(message)) found.push(message);
    if (looked % 256 === 0) onProgress(looked);
    if (signal.aborted || looked >= most.messages || bytes >= most.bytes || found.length >= most.found)
      return { found, looked, next: message.sequence + 1 };
  }
  return { found, looked, next: null };
}
