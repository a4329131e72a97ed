import type { Topology } from '@sluice/contracts';
import { jetstream } from '@nats-io/jetstream';
import { headers as natsHeaders, type NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';
import type { Delivery } from './delivery.ts';
import { PermanentError } from './errors.ts';

/** When its sender has sent a message, by its clock. */
export const sentAtHeader = 'Sluice-Sent-At';
/** When the message that a dead letter was came to NATS. */
const arrivedAtHeader = 'Sluice-Arrived-At';

/** What a dead letter says of the message that it was, beside that message's own headers. */
export const deadLetterHeaders = {
  stream: 'Sluice-Stream',
  sequence: 'Sluice-Sequence',
  subject: 'Sluice-Subject',
  reason: 'Sluice-Reason',
} as const;

/** A message as it was published, however often it was dead-lettered and tried again since. */
export interface SentMessage extends Pick<Delivery, 'subject' | 'headers' | 'time' | 'json' | 'data'> {
  stream: string;
  /** its position in that stream */
  sequence: number;
}

const origin = z.object({
  stream: z.string().min(1),
  sequence: z.coerce.number().int().positive(),
  subject: z.string().min(1),
});

/**
 * What was published, of a message or of a dead letter that is tried again. Its signature is over its former subject.
 * @throws PermanentError when a dead letter does not say what it was
 */
export function sentMessageOf(message: Delivery, stream: string, redrives = false): SentMessage {
  const { headers, data } = message;
  const time = timeOf(headers?.get(arrivedAtHeader)) ?? message.time;
  const content = { headers, time, data, json: parsedOnce(message) };
  if (!redrives) return { ...content, stream, sequence: message.seq, subject: message.subject };
  const origins = Object.entries(deadLetterHeaders).map(([field, name]) => [field, headers?.get(name)]);
  const { data: sent } = origin.safeParse(Object.fromEntries(origins));
  if (!sent) throw new PermanentError('it does not say what it was');
  return { ...content, ...sent };
}

/** By how much its sender's clock was ahead of that of NATS, in milliseconds; undefined where it does not say. */
export function aheadMilliseconds({
  headers,
  time,
}: Pick<SentMessage, 'headers' | 'time'>): number | undefined {
  const sentAt = timeOf(headers?.get(sentAtHeader));
  return sentAt && sentAt.getTime() - time.getTime();
}

function timeOf(text = ''): Date | undefined {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** However often it is asked what it says. */
function parsedOnce(message: Delivery): Delivery['json'] {
  let parsed: { value: unknown } | undefined;
  return <T>() => (parsed ??= { value: message.json() }).value as T;
}

/** by which NATS recognises a message that is sent twice: of the original, it says nothing about the dead letter */
const messageId = 'Nats-Msg-Id';

/**
 * Moves a message to the dead letters as it came, with its own headers, so that it can be tried again. One that is moved twice is
 * kept once.
 * @param durable as which it came
 * @throws Error when NATS does not take it
 */
export async function moveToDeadLetters(
  { nats, topology, name }: { nats: NatsConnection; topology: Topology; name: string },
  durable: string,
  message: Delivery,
  sent: Pick<SentMessage, 'stream' | 'sequence' | 'subject'>,
  reason: string,
): Promise<void> {
  const header = natsHeaders();
  for (const key of message.headers?.keys() ?? [])
    if (key !== messageId) header.set(key, message.headers?.get(key) ?? '');
  if (!header.has(arrivedAtHeader)) header.set(arrivedAtHeader, message.time.toISOString());
  header.set(deadLetterHeaders.stream, sent.stream);
  header.set(deadLetterHeaders.sequence, String(sent.sequence));
  header.set(deadLetterHeaders.subject, sent.subject);
  header.set(deadLetterHeaders.reason, reason.replaceAll(/[\r\n]+/g, ' ').slice(0, 500));
  await jetstream(nats).publish(topology.subjects.deadLetter(name), message.data, {
    headers: header,
    // a stream that was made anew counts from the beginning
    msgID: `${durable}-${message.seq}-${message.timestampNanos}`,
  });
}
