import type { JetStreamManager, MsgRequest, StreamInfo } from '@nats-io/jetstream';
import type { Msg, MsgHdrs, NatsConnection } from '@nats-io/nats-core';

/*
 * Stored messages are read by requests for single messages and for batches, never by a consumer: nothing is acknowledged, no consumer
 * misses anything, and a stream of type workqueue keeps what it has.
 */

/** A connection with a broker. */
export interface StreamBroker {
  connection: NatsConnection;
  manager: JetStreamManager;
}

/** A message as a stream has stored it. */
export interface StoredMessage {
  sequence: number;
  /** as the broker has it, to the nanosecond */
  time: string;
  subject: string;
  headers: Record<string, string[]>;
  /** the payload, or its beginning */
  data: Uint8Array;
  /** bytes of the whole payload */
  size: number;
}

/** Sequences, both included. */
export interface Range {
  first: number;
  last: number;
  subject?: string;
}

/** A stream was deleted while it was read; there may be another one of its name. */
export class StreamReplacedError extends Error {
  override readonly name = 'StreamReplacedError';
  constructor(stream: string, next: number) {
    super(`The stream ${stream} was deleted while it was read. What was read are messages before ${next}.`);
  }
}

export const anySubject = '>';

/** of one request: what is held in memory */
const batch = { messages: 256, bytes: 2 ** 21 };
/** for each answer, of which one can have several MiB. Milliseconds. */
const patience = 15_000;
/** parts of a range that had more bytes than are to be read, and were read for nothing */
const mostFailed = 3;

/** what the broker adds to a stored message that it hands out directly */
const added = [
  'Nats-Stream',
  'Nats-Subject',
  'Nats-Sequence',
  'Nats-Time-Stamp',
  'Nats-Num-Pending',
  'Nats-Last-Sequence',
];

/**
 * The messages of a range, oldest first; those that are deleted meanwhile are left out.
 * @param mostKept bytes of a payload that are held
 * @throws StreamReplacedError
 */
export async function* storedMessages(
  broker: StreamBroker,
  stream: StreamInfo,
  { first, last, subject = anySubject }: Range,
  mostKept = Infinity,
): AsyncGenerator<StoredMessage, void, undefined> {
  const { name } = stream.config;
  let isDirect = stream.config.allow_direct;
  let next = Math.max(1, first);
  while (next <= last) {
    const request = { seq: next, next_by_subj: subject };
    const found = isDirect ? await readBatch(broker, name, request) : await readNext(broker, name, request);
    if (found === undefined) {
      const { config } = await sameStream(broker, stream, next);
      if (config.allow_direct === isDirect) throw new Error('The broker does not answer for the stream.');
      isDirect = config.allow_direct;
      continue;
    }
    for (const message of found) if (message.sequence <= last) yield kept(message, mostKept);
    const end = found.at(-1)?.sequence;
    if (end === undefined) break;
    next = end + 1;
  }
  await sameStream(broker, stream, next);
}

/**
 * The newest messages of a range, oldest of them first. A part of the range is looked at, four times as much each time, from its end on.
 * @param mostKept as for `storedMessages`
 * @param mostRead about so many bytes are read: of large messages there are fewer, but one
 */
export async function newestMessages(
  broker: StreamBroker,
  stream: StreamInfo,
  { first, last, ...filter }: Range,
  count: number,
  mostKept = Infinity,
  mostRead = Infinity,
): Promise<StoredMessage[]> {
  const { messages, bytes } = stream.state;
  const average = Math.max(1, messages === 0 ? 0 : bytes / messages);
  let found: StoredMessage[] = [];
  let end = last;
  let read = 0;
  let failed = 0;
  let length = Math.min(count, Math.max(1, Math.floor(mostRead / average)));
  const isEnough = () =>
    found.length >= count || (found.length > 0 && (read >= mostRead || failed >= mostFailed));
  while (end >= first && !isEnough()) {
    const part: StoredMessage[] = [];
    const start = Math.max(first, end - length + 1);
    const range = { first: start, last: end, ...filter };
    let ofPart = 0;
    for await (const message of storedMessages(broker, stream, range, mostKept)) {
      part.push(message);
      if (part.length > count) part.shift();
      ofPart += message.size;
      if (ofPart > mostRead && start < end) break;
    }
    if (ofPart > mostRead && start < end) {
      // its newest were not reached
      length = Math.ceil((end - start + 1) / 4);
      failed++;
      continue;
    }
    read += ofPart;
    found = [...part, ...found].slice(-count);
    end = start - 1;
    length *= 4;
  }
  return found;
}

/** With a copy of the beginning of its payload: a part of the buffer would hold all of it. */
export const kept = (message: StoredMessage, most: number): StoredMessage =>
  message.size > most ? { ...message, data: message.data.slice(0, most) } : message;

/** @throws StreamReplacedError where it is another one, or none */
async function sameStream({ manager }: StreamBroker, { config, created }: StreamInfo, next: number) {
  const { name } = config;
  const found = await manager.streams.info(name).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'StreamNotFoundError') return undefined;
    throw error;
  });
  if (found?.created === created) return found;
  throw new StreamReplacedError(name, next);
}

interface NextRequest {
  seq: number;
  next_by_subj: string;
}

/** @returns undefined where the stream is not read directly, or is gone */
async function readBatch(
  broker: StreamBroker,
  stream: string,
  request: NextRequest,
): Promise<StoredMessage[] | undefined> {
  const messages: StoredMessage[] = [];
  const limits = { batch: batch.messages, max_bytes: batch.bytes };
  for await (const message of answers(broker, stream, { ...request, ...limits })) {
    const code = message.headers?.code ?? 0;
    if (code === 503) return undefined;
    if (code === 404 || code === 204) break;
    if (code !== 0) throw new Error(`The broker ends the batch: ${message.headers?.description || code}.`);
    messages.push(fromDirect(message));
  }
  return messages;
}

/** What a request for a batch is answered; the last answer has a code. @throws TimeoutError where that does not come */
async function* answers(
  { connection }: StreamBroker,
  stream: string,
  request: NextRequest & { batch: number },
) {
  // the command line loads it when it is needed
  const { createInbox, errors } = await import('@nats-io/nats-core');
  const reply = createInbox();
  const subscription = connection.subscribe(reply);
  // browsers' timers cannot be refreshed
  const late = () => setTimeout(() => subscription.unsubscribe(), patience);
  let silence = late();
  try {
    connection.publish(`$JS.API.DIRECT.GET.${stream}`, JSON.stringify(request), { reply });
    for await (const message of subscription) {
      clearTimeout(silence);
      silence = late();
      yield message;
    }
    throw connection.isClosed() ? new errors.ClosedConnectionError() : new errors.TimeoutError();
  } finally {
    clearTimeout(silence);
    subscription.unsubscribe();
  }
}

/** A message of a stream that is not read directly. @returns undefined where the stream is gone */
async function readNext(
  broker: StreamBroker,
  stream: string,
  request: NextRequest,
): Promise<StoredMessage[] | undefined> {
  try {
    const message = await readMessage(broker, stream, request);
    return message === null ? [] : [message];
  } catch (error) {
    if (error instanceof Error && error.name === 'StreamNotFoundError') return undefined;
    throw error;
  }
}

export type MessageQuery =
  | { seq: number; next_by_subj?: string }
  | { last_by_subj: string }
  | { start_time: string; next_by_subj: string };

/** One message with its whole payload, as the leader of the stream has it. @returns null where there is none */
export async function readMessage(
  { manager }: StreamBroker,
  stream: string,
  query: MessageQuery,
): Promise<StoredMessage | null> {
  // the types know a part of what the server takes
  const found = await manager.streams.getMessage(stream, query as MsgRequest);
  return (
    found && {
      sequence: found.seq,
      time: found.timestamp,
      subject: found.subject,
      headers: recordOf(found.header),
      data: found.data,
      size: found.data.length,
    }
  );
}

const recordOf = (headers: MsgHdrs): Record<string, string[]> =>
  Object.fromEntries([...headers].map(([name, values]) => [name, [...values]]));

function fromDirect({ headers, data }: Msg): StoredMessage {
  const all = headers ? recordOf(headers) : {};
  // a stored message can have headers of these names: the broker's are the last ones
  const [, subject = '', sequence = '', time = ''] = added.map((name) => {
    const value = all[name]?.pop();
    if (all[name]?.length === 0) delete all[name];
    return value;
  });
  return { sequence: Number(sequence), time, subject, headers: all, data, size: data.length };
}

/** The first message at a time or after it. @returns its sequence; undefined where there is none */
export async function sequenceAt(
  broker: StreamBroker,
  { config }: StreamInfo,
  time: Date,
): Promise<number | undefined> {
  const query = { start_time: time.toISOString(), next_by_subj: anySubject };
  return (await readMessage(broker, config.name, query))?.sequence;
}

/** How many messages there are from a sequence on. @returns undefined where the stream is not read directly */
export async function countFrom(
  broker: StreamBroker,
  { config }: StreamInfo,
  sequence: number,
  subjects: readonly string[] = [],
): Promise<number | undefined> {
  if (!config.allow_direct) return undefined;
  let sum = 0;
  for (const subject of subjects.length === 0 ? [anySubject] : subjects) {
    const request = { seq: Math.max(1, sequence), next_by_subj: subject, batch: 1 };
    for await (const { headers } of answers(broker, config.name, request)) {
      const code = headers?.code ?? 0;
      if (code === 0) sum += 1 + Number(headers?.last('Nats-Num-Pending') ?? 0);
      if (code === 503) return undefined;
      if (code !== 0) break;
    }
  }
  return sum;
}
