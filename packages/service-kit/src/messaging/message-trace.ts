import { traced } from '@sluice/system/tracing';
import type { JsMsg } from '@nats-io/jetstream';
import { newContext, withContext } from '../request-context.ts';
import type { Envelope } from './envelope.ts';

/** Does what a message leads to in a context of its own, which goes on with the trace of what has sent it. */
export async function asPartOfItsTrace(
  { name, durable = name }: { name: string; durable?: string },
  message: JsMsg,
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
