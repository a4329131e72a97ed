import { isSigned, type Sender } from '@sluice/contracts';
import { jetstream } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { signAs } from './signing-keys.ts';

/** Publishes a message as a service's relay does. @param sentAt when, by the sender's clock */
export async function say(
  { nats }: { nats: NatsConnection },
  sender: Sender,
  subject: string,
  message: unknown,
  sentAt?: Date,
): Promise<void> {
  const text = typeof message === 'string' ? message : JSON.stringify(message);
  const header = headers();
  if (isSigned(subject)) header.set('Sluice-Signature', await signAs(sender)(subject, text));
  if (sentAt) header.set('Sluice-Sent-At', sentAt.toISOString());
  await jetstream(nats).publish(subject, text, { headers: header });
}
