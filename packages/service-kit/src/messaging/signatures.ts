import {
  maySay,
  signer,
  verifier,
  type Sender,
  type Sign,
  type SignerName,
  type Topology,
} from '@sluice/contracts';
import { reasonOf } from '@sluice/system';
import { z } from 'zod';
import type { ServiceEnvironment } from '../config.ts';
import type { SentMessage } from './dead-letters.ts';
import { contentOf } from './envelope.ts';
import { PermanentError } from './errors.ts';

/** The header of a message that holds its signature: over its subject and its payload. */
export const signatureHeader = 'Sluice-Signature';

/** The sender's word under its newest key. @throws Error when that is somebody else's */
export function signAs(sender: Sender, { SIGNING_KEYS }: Pick<ServiceEnvironment, 'SIGNING_KEYS'>): Sign {
  const owner = SIGNING_KEYS[0]?.kid.replace(/:[^:]*$/, '');
  if (owner !== sender)
    throw new Error(`The first of SIGNING_KEYS is a key of ${owner}, and this is ${sender}.`);
  return signer(SIGNING_KEYS);
}

/** Whose word a message is. @throws PermanentError when it is nobody's who may say it: the reason */
export type SenderOf = (message: Omit<SentMessage, 'stream' | 'sequence'>) => Promise<SignerName>;

/** Stands for the sender of what is older than the signatures. */
export const unsigned: SignerName = 'unsigned';

const typeSchema = z.looseObject({ type: z.string() });

/** Takes the word of those alone who have signed it with a trusted key, and may say it. */
export function checkSignatures(
  names: Topology,
  { TRUSTED_KEYS, SIGNED_SINCE }: Pick<ServiceEnvironment, 'TRUSTED_KEYS' | 'SIGNED_SINCE'>,
): SenderOf {
  const verify = verifier(TRUSTED_KEYS);
  return async (message) => {
    const { subject } = message;
    const signature = message.headers?.get(signatureHeader) ?? '';
    if (signature === '') {
      if (SIGNED_SINCE && message.time < SIGNED_SINCE) return unsigned;
      throw new PermanentError('it is not signed');
    }
    const sender = await verify(signature, subject, message.data).catch((error: unknown) => {
      throw new PermanentError(`its signature does not hold: ${reasonOf(error)}`);
    });
    if (!maySay(names, sender, subject)) throw new PermanentError(`${sender} may not say ${subject}`);
    const { data } = typeSchema.safeParse(contentOf(message));
    // what is permitted and signed is the subject, what is handled is the type
    if (data && data.type !== subject.split('.').at(-1))
      throw new PermanentError(`it says that it is ${data.type}, but was sent as ${subject}`);
    return sender;
  };
}
