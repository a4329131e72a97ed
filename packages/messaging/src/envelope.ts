import type { JsMsg } from '@nats-io/jetstream';
import { z } from 'zod';
import { PermanentError } from './errors.ts';

/** What every message of Sluice carries. */
const envelopeSchema = z.object({
  id: z.uuid(),
  type: z.string(),
  correlation_id: z.uuid().nullable(),
});
export type Envelope = z.infer<typeof envelopeSchema> & Record<string, unknown>;

/** @throws PermanentError when it is not JSON */
export function contentOf(message: Pick<JsMsg, 'json'>): unknown {
  try {
    return message.json();
  } catch {
    throw new PermanentError('it is not JSON');
  }
}

/** @throws PermanentError when it is no message of any release of Sluice */
export function envelopeOf(message: Pick<JsMsg, 'json'>): Envelope {
  const content = contentOf(message);
  if (isEnvelope(content)) return content;
  const { error } = envelopeSchema.safeParse(content);
  throw new PermanentError(`it has no envelope: ${error ? z.prettifyError(error) : ''}`);
}

/** What else it says stays where it is: a copy of all of it would cost as much as what is asked. */
function isEnvelope(content: unknown): content is Envelope {
  return envelopeSchema.safeParse(content).success;
}
