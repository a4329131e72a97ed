import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter } from 'age-encryption';

/** Encrypts with age for each of the public keys, as it flows. An error of the content is one of the result. */
export async function encrypted(
  content: AsyncIterable<Buffer>,
  recipients: readonly string[],
): Promise<Readable> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  return fromWeb(await encrypter.encrypt(toWeb(Readable.from(content))));
}

/**
 * What was encrypted, as it flows: each 64 KiB after they are verified. A part that was changed or is missing is an error of the result.
 * @throws Error where no key opens it
 */
export async function decrypted(content: Readable, identities: readonly string[]): Promise<Readable> {
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  return fromWeb(await decrypter.decrypt(toWeb(content)));
}

// the streams of Node and those of the library are the same, their types differ
const toWeb = (stream: Readable) =>
  Readable.toWeb(stream) as unknown as Parameters<Encrypter['encrypt']>[0] &
    globalThis.ReadableStream<Uint8Array>;
const fromWeb = (stream: unknown) => Readable.fromWeb(stream as ReadableStream);
