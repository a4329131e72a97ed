import type { StreamInfo } from '@nats-io/jetstream';
import { kept, storedMessages, type Range, type StoredMessage } from '@sluice/streams';
import { mostKept } from '../lib/payload.ts';
import type { Fits } from '../lib/search.ts';
import type { Broker } from './session.ts';

/** What one search looks at and finds; it goes on when it is asked to. */
const most = { messages: 500_000, bytes: 512 * 2 ** 20, found: 200 };
/** what is held and looked at together */
const batch = { messages: 256, bytes: 2 ** 20 };

export interface Looked {
  messages: number;
  bytes: number;
  /** the last one that was looked at */
  sequence: number;
}

export interface Scan {
  found: StoredMessage[];
  looked: Looked;
  /** where to go on; null when all of the range was looked at */
  next: number | null;
}

/**
 * Looks for messages in a range, from its beginning on, at their whole payloads; of what is found the beginnings are kept. `signal` ends it
 * with what was found.
 */
export async function scan(
  broker: Broker,
  stream: StreamInfo,
  range: Range,
  fits: Fits,
  signal: AbortSignal,
  onProgress: (looked: Looked) => void,
): Promise<Scan> {
  const found: StoredMessage[] = [];
  const looked: Looked = { messages: 0, bytes: 0, sequence: range.first - 1 };
  let waiting: StoredMessage[] = [];
  let bytes = 0;
  /** @returns whether the search is at an end */
  const look = async (): Promise<boolean> => {
    if (signal.aborted) return true;
    const fitting = await fits(waiting).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
    if (!fitting) return true;
    for (const [index, message] of waiting.entries()) {
      looked.messages++;
      looked.bytes += message.size;
      looked.sequence = message.sequence;
      if (fitting[index]) found.push(kept(message, mostKept));
      if (found.length >= most.found) return true;
    }
    waiting = [];
    bytes = 0;
    onProgress({ ...looked });
    return looked.messages >= most.messages || looked.bytes >= most.bytes;
  };
  for await (const message of storedMessages(broker, stream, range)) {
    waiting.push(message);
    bytes += message.size;
    if (waiting.length < batch.messages && bytes < batch.bytes) continue;
    if (await look()) return { found, looked, next: looked.sequence + 1 };
  }
  const isCut = waiting.length > 0 && (await look()) && looked.sequence < range.last;
  return { found, looked, next: isCut ? looked.sequence + 1 : null };
}
