import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { join } from 'node:path';

/** A file of the configuration with its digest as its name, so that another certificate is another configuration. */
export function pemFile(folder: string, ...parts: readonly string[]): { path: string; content: string } {
  const content = parts.map((part) => `${part.trim()}\n`).join('');
  const name = createHash('sha256').update(content).digest('hex').slice(0, 40);
  return { path: join(folder, `${name}.pem`), content };
}

/** A server with a certificate and a key that do not fit would not start. */
export function isPair({ certificate, private_key }: { certificate: string; private_key: string }): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(private_key));
  } catch {
    return false;
  }
}
