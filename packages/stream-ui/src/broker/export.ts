import type { StreamInfo } from '@nats-io/jetstream';
import { messageJson, storedMessages, type Range } from '@sluice/streams';
import type { Broker } from './session.ts';

/** What a file of the browser takes; the command line has no limit. Bytes and messages. */
const most = { bytes: 128 * 2 ** 20, messages: 200_000 };

/** Lines are handed over to the browser when there are so many: a file made of strings would be made at once. Characters. */
const partLength = 2 ** 20;

export interface Exported {
  parts: Blob[];
  count: number;
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
  const parts: Blob[] = [];
  let lines: string[] = [];
  let [length, all, count] = [0, 0, 0];
  const handOver = () => {
    parts.push(new Blob(lines));
    lines = [];
    length = 0;
    onProgress(count);
  };
  let isCut = false;
  for await (const message of storedMessages(broker, stream, range)) {
    const line = `${JSON.stringify(messageJson(message))}\n`;
    isCut = signal.aborted || all + line.length > most.bytes || count === most.messages;
    if (isCut) break;
    lines.push(line);
    length += line.length;
    all += line.length;
    count++;
    if (length >= partLength) handOver();
  }
  handOver();
  return { parts, count, isCut };
}
