import type { MsgRequest, StreamInfo } from '@nats-io/jetstream';
import { createInbox, type Msg, type MsgHdrs } from '@nats-io/nats-core';
import { ShownError } from '@sluice/ui/lib/problems.ts';
import type { StoredMessage } from '../lib/message.ts';
import type { Broker } from './session.ts';

/*
 * Stored messages are read by requests for single messages and for batches, never by a consumer: nothing is acknowledged, no consumer
 * misses anything, and a stream of type workqueue keeps what it has.
 */

export const anySubject = '>';

/** What of a payload is kept for lists; the whole is read when it is asked for. Bytes. */
export const mostKept = 64 * 2 ** 10;

/** of one request: what is on its way at once */
const batch = { messages: 256, bytes: 2 ** 21 };
const patience = 10_000;

/** what the broker adds to a stored message that it hands out directly */
const added = [
  'Nats-Stream',
  'Nats-Subject',
  'Nats-Sequence',
  'Nats-Time-Stamp',
  'Nats-Num-Pending',
  'Nats-Last-Sequence',
];

export interface Range {
  first: number;
  /** included */
  last: number;
  subject?: string;
}

/**
 * The messages of a range, oldest first, with what is kept of their payloads. Those that are deleted meanwhile are left out.
 * @throws ShownError where the stream is deleted meanwhile
 */
export async function* storedMessages(
  broker: Broker,
  { config }: StreamInfo,
  { first, last, subject = anySubject }: Range,
): AsyncGenerator<StoredMessage, void, undefined> {
  let isDirect = config.allow_direct;
  let next = Math.max(1, first);
  while (next <= last) {
    const found = isDirect
      ? await readBatch(broker, config.name, { seq: next, next_by_subj: subject })
      : await readNext(broker, config.name, { seq: next, next_by_subj: subject });
    if (found === undefined) {
      const { allow_direct } = (await broker.manager.streams.info(config.name)).config;
      if (allow_direct === isDirect)
        throw new ShownError('stream_silent', 'The stream cannot be read', 'No server answers for it.');
      isDirect = allow_direct;
      continue;
    }
    for (const message of found) if (message.sequence <= last) yield message;
    const end = found.at(-1)?.sequence;
    if (end === undefined) return;
    next = end + 1;
  }
}

/**
 * The newest messages of a range, oldest of them first. A part of the range is looked at, four times as much each time, from its end on.
 */
export async function newestMessages(
  broker: Broker,
  stream: StreamInfo,
  { first, last, subject }: Range,
  count: number,
): Promise<StoredMessage[]> {
  let found: StoredMessage[] = [];
  let end = last;
  for (let length = count; found.length < count && end >= first; length *= 4) {
    const part: StoredMessage[] = [];
    const start = Math.max(first, end - length + 1);
    const range = { first: start, last: end, ...(subject !== undefined && { subject }) };
    for await (const message of storedMessages(broker, stream, range)) {
      part.push(message);
      if (part.length > count) part.shift();
    }
    found = [...part, ...found].slice(-count);
    end = start - 1;
  }
  return found;
}

interface NextRequest {
  seq: number;
  next_by_subj: string;
}

/** @returns undefined where the stream is not read directly, or is gone */
async function readBatch(
  broker: Broker,
  stream: string,
  request: NextRequest,
): Promise<StoredMessage[] | undefined> {
  const messages: StoredMessage[] = [];
  const limits = { batch: batch.messages, max_bytes: batch.bytes };
  for await (const message of answers(broker, stream, { ...request, ...limits })) {
    const code = message.headers?.code ?? 0;
    if (code === 503) return undefined;
    if (code === 404 || code === 204) break;
    if (code !== 0)
      throw new ShownError(
        'broker_refused',
        'The broker ends the batch',
        message.headers?.description ?? String(code),
      );
    messages.push(fromDirect(message));
  }
  return messages;
}

/** What a request for a batch is answered; the last answer has a code. */
async function* answers({ connection }: Broker, stream: string, request: object) {
  const reply = createInbox();
  const subscription = connection.subscribe(reply);
  let isLate = false;
  const silence = () =>
    setTimeout(() => {
      isLate = true;
      subscription.unsubscribe();
    }, patience);
  let timer = silence();
  try {
    connection.publish(`$JS.API.DIRECT.GET.${stream}`, JSON.stringify(request), { reply });
    for await (const message of subscription) {
      clearTimeout(timer);
      timer = silence();
      yield message;
    }
    throw isLate
      ? new ShownError('broker_silent', 'The broker does not answer', 'It took too long. Try again.')
      : new ShownError('session_ended', 'The session has ended', 'Connect again.');
  } finally {
    clearTimeout(timer);
    subscription.unsubscribe();
  }
}

/** A message of a stream that is not read directly. */
async function readNext(broker: Broker, stream: string, request: NextRequest): Promise<StoredMessage[]> {
  const message = await readMessage(broker, stream, request);
  return message === null ? [] : [kept(message)];
}

export type MessageQuery =
  | { seq: number; next_by_subj?: string }
  | { last_by_subj: string }
  | { start_time: string; next_by_subj: string };

/** One message with its whole payload, as the leader of the stream has it. @returns null where there is none */
export async function readMessage(
  { manager }: Broker,
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

/** A copy of the beginning: a part of the buffer would hold all of it. */
const kept = (message: StoredMessage): StoredMessage =>
  message.size > mostKept ? { ...message, data: message.data.slice(0, mostKept) } : message;

function fromDirect({ headers, data }: Msg): StoredMessage {
  const all = headers ? recordOf(headers) : {};
  // a stored message can have headers of these names: the broker's are the last ones
  const [, subject = '', sequence = '', time = ''] = added.map((name) => {
    const value = all[name]?.pop();
    if (all[name]?.length === 0) delete all[name];
    return value;
  });
  return kept({ sequence: Number(sequence), time, subject, headers: all, data, size: data.length });
}

/** The first message at a time or after it. @returns its sequence; undefined where there is none */
export async function sequenceAt(
  broker: Broker,
  { config }: StreamInfo,
  time: Date,
): Promise<number | undefined> {
  const query = { start_time: time.toISOString(), next_by_subj: anySubject };
  return (await readMessage(broker, config.name, query))?.sequence;
}

/** How many messages there are from a sequence on. @returns undefined where the stream is not read directly */
export async function countFrom(
  broker: Broker,
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
