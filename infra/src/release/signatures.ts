import { createPublicKey, verify } from 'node:crypto';
import { chmod } from 'node:fs/promises';
import { z } from 'zod';
import { run, succeeds } from './programs.ts';

/** Without the public transparency log: it would publish what a private release contains, and needs the internet. */
const withoutLog = ['--use-signing-config=false', '--tlog-upload=false', '--yes'];

/** The public half of a key. @throws Error when cosign cannot read it, or its password is wrong */
export const publicKeyOf = (key: string): Promise<string> => run('cosign', ['public-key', '--key', key]);

export const verifyImage = (publicKey: string, reference: string): Promise<string> =>
  run('cosign', ['verify', '--insecure-ignore-tlog=true', '--key', publicKey, reference]);

/** Signs an image that is not signed by the key yet, and each platform of it. */
export async function signImage(key: string, publicKey: string, reference: string): Promise<void> {
  if (await succeeds(verifyImage(publicKey, reference))) return;
  await run('cosign', ['sign', '--key', key, ...withoutLog, '--recursive', reference]);
}

/** Signs a file; the signature is a Sigstore bundle beside it. */
export async function signFile(key: string, file: string): Promise<void> {
  await run('cosign', ['sign-blob', '--key', key, ...withoutLog, '--bundle', bundleOf(file), file]);
  // cosign writes it for its owner alone
  await chmod(bundleOf(file), 0o644);
}

export const bundleOf = (file: string) => `${file}.sigstore.json`;

const bundleSchema = z.object({ messageSignature: z.object({ signature: z.base64() }) });

/** Whether a bundle, as text, holds a signature of the content by the key (PEM). @throws Error when one of them can't be read */
export function isSignedBy(publicKey: string, content: Buffer, bundle: string): boolean {
  const { messageSignature } = bundleSchema.parse(JSON.parse(bundle));
  return verify(
    'sha256',
    content,
    createPublicKey(publicKey),
    Buffer.from(messageSignature.signature, 'base64'),
  );
}
