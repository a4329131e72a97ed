import type { JsMsg } from '@nats-io/jetstream';
import { z } from 'zod';
import { PermanentError } from './errors.ts';

/** What every message of Sluice carries, whatever else it says. */
const envelopeSchema = z.looseObject({
  id: z.uuid(),
  type: z.string(),
  correlation_id: z.uuid().nullable(),
});
export type Envelope = z.infer<typeof envelopeSchema>;

/** @throws PermanentError when it is not JSON */
export function contentOf(message: Pick<JsMsg, 'json'>): unknown {
  try {
    return message.json();
  } catch {
    throw new PermanentError('it is not JSON');
  }
}

/** @throws PermanentError when it is no message of Sluice, whatever the release */
export function envelopeOf(message: Pick<JsMsg, 'json'>): Envelope {
  const { data, error } = envelopeSchema.safeParse(contentOf(message));
  if (!data) throw new PermanentError(`it has no envelope: ${z.prettifyError(error)}`);
  return data;
}
