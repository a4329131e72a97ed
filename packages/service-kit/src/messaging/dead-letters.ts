import type { Topology } from '@sluice/contracts';
import { jetstream, type JsMsg } from '@nats-io/jetstream';
import { headers as natsHeaders, type NatsConnection } from '@nats-io/transport-node';

/** What a dead letter tells of the message that it was, beside that message's own headers. */
const deadLetterHeaders = {
  stream: 'Sluice-Stream',
  sequence: 'Sluice-Sequence',
  subject: 'Sluice-Subject',
  reason: 'Sluice-Reason',
} as const;

/** by which NATS recognises a message that is sent twice: of the original, it says nothing about the dead letter */
const messageId = 'Nats-Msg-Id';

/**
 * Puts a message aside as it came, with its own headers, so that it can be tried again. One that is put aside twice is
 * kept once.
 * @throws Error when NATS does not take it
 */
export async function putAside(
  nats: NatsConnection,
  { subjects }: Topology,
  consumer: string,
  stream: string,
  message: JsMsg,
  reason: string,
): Promise<void> {
  const header = natsHeaders();
  for (const name of message.headers?.keys() ?? [])
    if (name !== messageId) header.set(name, message.headers?.get(name) ?? '');
  header.set(deadLetterHeaders.stream, stream);
  header.set(deadLetterHeaders.sequence, String(message.seq));
  header.set(deadLetterHeaders.subject, message.subject);
  header.set(deadLetterHeaders.reason, reason.replaceAll(/[\r\n]+/g, ' ').slice(0, 500));
  await jetstream(nats).publish(subjects.deadLetter(consumer), message.data, {
    headers: header,
    // a stream that was made anew counts from the beginning
    msgID: `${stream}-${consumer}-${message.seq}-${message.timestampNanos}`,
  });
}
