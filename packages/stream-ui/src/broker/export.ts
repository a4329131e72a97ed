import type { StreamInfo } from '@nats-io/jetstream';
import { messageJson, storedMessages, type Range } from '@sluice/streams';
import type { Broker } from './session.ts';

/** What a file of the browser takes; the command line has no limit. Bytes and messages. */
const most = { bytes: 128 * 2 ** 20, messages: 200_000 };

export interface Exported {
  lines: string[];
  /** whether there is more than the file has */
  isCut: boolean;
}

/** The messages of a range as lines of NDJSON, whole. `signal` ends it with those that were read. */
export async function exportMessages(
  broker: Broker,
  stream: StreamInfo,
  range: Range,
  signal: AbortSignal,
  onProgress: (count: number) => void,
): Promise<Exported> {
  const lines: string[] = [];
  let bytes = 0;
  for await (const message of storedMessages(broker, stream, range)) {
    const line = `${JSON.stringify(messageJson(message))}\n`;
    bytes += line.length;
    if (signal.aborted || bytes > most.bytes || lines.length === most.messages) return { lines, isCut: true };
    lines.push(line);
    if (lines.length % 256 === 0 || line.length > 2 ** 20) onProgress(lines.length);
  }
  return { lines, isCut: false };
}
