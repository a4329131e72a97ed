import { createPrivateKey, X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';

const mostCertificates = 10;
const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

export interface Chain {
  /** PEM: the certificate, then those that lead to the root, each followed by the one that has signed it */
  certificate: string;
  leaf: X509Certificate;
  /** the last of them */
  top: X509Certificate;
}

export function certificatesOf(text: string): string[] {
  return text.match(pemCertificate) ?? [];
}

export function readChain(text: string, privateKey: string, names: readonly string[], now: Date): Chain {
  const pems = certificatesOf(text);
  const chain = pems.map((pem) => new X509Certificate(pem));
  const [leaf, top] = [chain[0], chain.at(-1)];
  if (!leaf || !top || chain.length > mostCertificates)
    throw new Error(`the authority has sent ${chain.length} certificates`);
  if (!leaf.checkPrivateKey(createPrivateKey(privateKey)))
    throw new Error('the authority has sent a certificate for another key');
  const missing = names.find((name) => leaf.checkHost(name, { subject: 'never' }) === undefined);
  if (missing !== undefined)
    throw new Error(`the authority has sent a certificate that is not for ${missing}`);
  if (leaf.validToDate <= now) throw new Error('the authority has sent a certificate that has ended');
  const broken = chain.findIndex((one, index) => index > 0 && !isSignedBy(chain[index - 1], one));
  if (broken > 0) throw new Error('the authority has sent certificates that lead nowhere');
  return { certificate: pems.map((pem) => `${pem}\n`).join(''), leaf, top };
}

/**
 * Finds what clients have to trust to trust the chain: the root that has signed the last of it.
 * @param roots PEM, looked at before the roots that Node and browsers have
 * @throws Error when none of them has
 */
export function findRoot({ top }: Chain, roots: readonly string[]): string {
  for (const pem of [...roots, ...rootCertificates]) {
    const root = new X509Certificate(pem);
    if (root.fingerprint256 === top.fingerprint256 || isSignedBy(top, root)) return `${pem.trim()}\n`;
  }
  throw new Error(
    `the authority's root is not known here (ACME_ROOTS): ${top.issuer.replaceAll('\n', ', ')}`,
  );
}

function isSignedBy(one: X509Certificate | undefined, issuer: X509Certificate): boolean {
  return one !== undefined && one.checkIssued(issuer) && one.verify(issuer.publicKey);
}
