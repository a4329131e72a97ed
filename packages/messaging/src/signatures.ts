import {
  isSigned,
  senderFor,
  signer,
  UnknownKeyError,
  verifier,
  type Sender,
  type Sign,
  type Topology,
} from '@sluice/contracts';
import type { ServiceEnvironment } from '@sluice/service';
import { reasonOf } from '@sluice/system';
import type { SentMessage } from './dead-letters.ts';
import { contentOf } from './envelope.ts';
import { PermanentError, UntrustedKeyError } from './errors.ts';

/** The header of a message that holds its signature: over its subject and its payload. */
export const signatureHeader = 'Sluice-Signature';

/** Signs with the sender's newest key, where it has any. @throws Error when that key is another sender's */
export function signAs(sender: Sender, { SIGNING_KEYS }: Pick<ServiceEnvironment, 'SIGNING_KEYS'>): Sign {
  if (!SIGNING_KEYS) return () => Promise.reject(new Error(`${sender} has no SIGNING_KEYS`));
  const owner = SIGNING_KEYS[0]?.kid.replace(/:[^:]*$/, '');
  if (owner !== sender)
    throw new Error(`The first of SIGNING_KEYS is a key of ${owner}, and this is ${sender}.`);
  return signer(SIGNING_KEYS);
}

/** The sender of a message. @throws PermanentError with the reason, when no sender may have sent it */
export type SenderOf = (message: Omit<SentMessage, 'stream' | 'sequence'>) => Promise<Sender>;

/**
 * Finds the sender of a message by its subject, on which no other NATS user may publish. Messages that have to be signed must have
 * the signature of that sender under a trusted key.
 */
export function checkSignatures(
  names: Topology,
  { TRUSTED_KEYS }: Pick<ServiceEnvironment, 'TRUSTED_KEYS'>,
): SenderOf {
  const verify = verifier(TRUSTED_KEYS);
  async function signerOf({ headers, subject, data }: Pick<SentMessage, 'headers' | 'subject' | 'data'>) {
    const signature = headers?.get(signatureHeader) ?? '';
    if (signature === '') throw new PermanentError('it is not signed');
    try {
      return await verify(signature, subject, data);
    } catch (error) {
      const reason = `its signature does not hold: ${reasonOf(error)}`;
      throw error instanceof UnknownKeyError ? new UntrustedKeyError(reason) : new PermanentError(reason);
    }
  }
  return async (message) => {
    const { subject } = message;
    const sender = senderFor(names, subject);
    if (sender === undefined) throw new PermanentError(`no service may send ${subject}`);
    if (isSigned(subject)) {
      const signedBy = await signerOf(message);
      if (signedBy !== sender) throw new PermanentError(`${signedBy} may not send ${subject}`);
    }
    const type = typeOf(contentOf(message));
    // what is permitted and signed is the subject, what is handled is the type
    if (type !== undefined && type !== subject.slice(subject.lastIndexOf('.') + 1))
      throw new PermanentError(`it says that it is ${type}, but was sent as ${subject}`);
    return sender;
  };
}

function typeOf(content: unknown): string | undefined {
  if (typeof content !== 'object' || content === null || !('type' in content)) return undefined;
  return typeof content.type === 'string' ? content.type : undefined;
}
