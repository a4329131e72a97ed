import {
  batchVerifier,
  maySay,
  signer,
  verifier,
  type Sender,
  type Sign,
  type SignerName,
  type Topology,
  type Verify,
} from '@sluice/contracts';
import { reasonOf } from '@sluice/system';
import type { ServiceEnvironment } from '@sluice/service';
import type { SentMessage } from './dead-letters.ts';
import { contentOf } from './envelope.ts';
import { PermanentError } from './errors.ts';

/** The header of a message that holds its signature: over its subject and its payload. */
export const signatureHeader = 'Sluice-Signature';
/** The header of a message that was sent beside others: the signature of all of them, and how it covers this one (decision 089). */
export const batchSignatureHeader = 'Sluice-Batch-Signature';

/** The sender's word under its newest key. @throws Error when that is somebody else's */
export function signAs(sender: Sender, { SIGNING_KEYS }: Pick<ServiceEnvironment, 'SIGNING_KEYS'>): Sign {
  const owner = SIGNING_KEYS[0]?.kid.replace(/:[^:]*$/, '');
  if (owner !== sender)
    throw new Error(`The first of SIGNING_KEYS is a key of ${owner}, and this is ${sender}.`);
  return signer(SIGNING_KEYS);
}

/** Whose word a message is. @throws PermanentError when it is nobody's who may say it: the reason */
export type SenderOf = (message: Omit<SentMessage, 'stream' | 'sequence'>) => Promise<SignerName>;
type SignedMessage = Pick<SentMessage, 'headers' | 'subject' | 'data'>;

/** Takes the word of those alone who have signed it with a trusted key, and may say it. */
export function checkSignatures(
  names: Topology,
  { TRUSTED_KEYS }: Pick<ServiceEnvironment, 'TRUSTED_KEYS'>,
): SenderOf {
  const signerOf = checkEither(verifier(TRUSTED_KEYS));
  return async (message) => {
    const { subject } = message;
    const sender = await signerOf(message);
    if (sender === undefined) throw new PermanentError('it is not signed');
    if (!maySay(names, sender, subject)) throw new PermanentError(`${sender} may not say ${subject}`);
    const type = typeOf(contentOf(message));
    // what is permitted and signed is the subject, what is handled is the type
    if (type !== undefined && type !== subject.slice(subject.lastIndexOf('.') + 1))
      throw new PermanentError(`it says that it is ${type}, but was sent as ${subject}`);
    return sender;
  };
}

/** By either of its signatures: that of the batch is checked once for all, and its own where that one does not hold. */
function checkEither(verify: Verify) {
  const verifyBatch = batchVerifier(verify);
  /** @returns undefined when it has neither. @throws PermanentError when none of those that it has holds */
  return async ({ headers, subject, data }: SignedMessage): Promise<SignerName | undefined> => {
    const batch = headers?.get(batchSignatureHeader) ?? '';
    const own = headers?.get(signatureHeader) ?? '';
    if (batch === '' && own === '') return undefined;
    try {
      if (batch === '') return await verify(own, subject, data);
      const checked = verifyBatch(batch, subject, data);
      // another release may sign batches in another way
      return await (own === '' ? checked : checked.catch(() => verify(own, subject, data)));
    } catch (error) {
      throw new PermanentError(`its signature does not hold: ${reasonOf(error)}`);
    }
  };
}

function typeOf(content: unknown): string | undefined {
  if (typeof content !== 'object' || content === null || !('type' in content)) return undefined;
  return typeof content.type === 'string' ? content.type : undefined;
}
