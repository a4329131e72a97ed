import { isTracing, traced } from '@sluice/system/tracing';
import { newContext, withContext } from '@sluice/service';
import type { Received } from './consumer-options.ts';
import type { Delivery } from './delivery.ts';
import type { Envelope } from './envelope.ts';

/** Does what a message leads to in a context of its own, which goes on with the trace of what has sent it. */
export async function asPartOfItsTrace(
  { name, durable = name }: { name: string; durable?: string },
  message: Delivery,
  envelope: Envelope,
  work: () => Promise<void>,
): Promise<void> {
  const parent = message.headers?.get('traceparent') || undefined;
  const attributes = {
    'messaging.system': 'nats',
    'messaging.consumer.group.name': durable,
    'messaging.message.id': envelope.id,
    'sluice.message_type': envelope.type,
  };
  await traced(`handle ${name}`, { kind: 'consumer', parent, attributes }, (span) =>
    withContext(newContext(span?.traceparent ?? parent, envelope.correlation_id), work),
  );
}

/** Tells in the trace of each message what they lead to together. */
export async function asPartOfTheirTraces(
  consumer: { name: string; durable?: string },
  messages: readonly { message: Delivery; received: Received }[],
  effect: Promise<void>,
): Promise<void> {
  if (!isTracing()) return await effect;
  await Promise.all(
    messages.map(({ message, received }) =>
      asPartOfItsTrace(consumer, message, received.message, () => effect),
    ),
  );
}
