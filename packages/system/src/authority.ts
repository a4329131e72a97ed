// the library below asks for it, to come first
import 'reflect-metadata';
import { createPublicKey, randomBytes, webcrypto } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

/**
 * A certificate authority of one's own (RFC 5280), for machines that no public one knows. Keys are of P-256, which each client has. An
 * entry of its own (`@sluice/system/authority`), since few programs need it.
 */

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
/** Clocks differ: what is issued is valid from so long before. Milliseconds. */
const backdated = 5 * 60_000;

/** A certificate with its key, both PEM. */
export interface KeyPair {
  certificate: string;
  private_key: string;
}

/** What a certificate is for. */
export interface Names {
  /** in the order of importance */
  dns: readonly string[];
  addresses: readonly string[];
}

export interface Validity {
  from: Date;
  days: number;
}

/** Whom a certificate is for: a server; or peers, which are client and server of each other. */
export type Holder = 'server' | 'peer';
const usages = {
  server: [ExtendedKeyUsage.serverAuth],
  peer: [ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth],
};

/** Makes an authority that signs certificates of machines, no further authorities. */
export async function createAuthority(name: string, validity: Validity): Promise<KeyPair> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerial(),
    name: [{ CN: [name] }],
    ...between(validity),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: pemOf(certificate), private_key: await exportKey(keys.privateKey) };
}

/** Issues a certificate with a key of its own, that ends with the authority's at the latest. */
export async function issueCertificate(
  authority: KeyPair,
  { dns, addresses }: Names,
  validity: Validity,
  holder: Holder = 'server',
): Promise<KeyPair> {
  const issuer = new X509Certificate(authority.certificate);
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const { notBefore, notAfter } = between(validity);
  const certificate = await X509CertificateGenerator.create({
    serialNumber: newSerial(),
    // the names stand in the extension, where alone clients look; here is room for 64 characters
    subject: [{ CN: [(dns[0] ?? addresses[0] ?? '').slice(0, 64)] }],
    issuer: issuer.subjectName,
    notBefore: new Date(Math.max(notBefore.getTime(), issuer.notBefore.getTime())),
    notAfter: new Date(Math.min(notAfter.getTime(), issuer.notAfter.getTime())),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: await importKey(authority.private_key),
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension(usages[holder]),
      new SubjectAlternativeNameExtension([
        ...dns.map((value) => ({ type: 'dns' as const, value })),
        ...addresses.map((value) => ({ type: 'ip' as const, value })),
      ]),
      await AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: pemOf(certificate), private_key: await exportKey(keys.privateKey) };
}

/** Makes a key for a certificate that another authority is asked for. @returns PEM */
export async function createKey(): Promise<string> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  return await exportKey(keys.privateKey);
}

/** Asks for a certificate for such names (PKCS #10), signed by the key that it shall be of. @returns DER */
export async function requestCertificate(privateKey: string, dns: readonly string[]): Promise<Buffer> {
  const keys = {
    privateKey: await importKey(privateKey),
    publicKey: await importPublicKey(privateKey),
  };
  const request = await Pkcs10CertificateRequestGenerator.create({
    keys,
    signingAlgorithm: algorithm,
    extensions: [new SubjectAlternativeNameExtension(dns.map((value) => ({ type: 'dns' as const, value })))],
  });
  return Buffer.from(request.rawData);
}

/**
 * How an authority calls a certificate that it has issued when it is asked about its renewal (RFC 9773, 4.1); undefined where the certificate
 * does not say by which key it was signed.
 */
export function renewalIdOf(certificate: string): string | undefined {
  const parsed = new X509Certificate(certificate);
  const { keyId } = parsed.getExtension(AuthorityKeyIdentifierExtension) ?? {};
  if (keyId === undefined) return undefined;
  const digits = parsed.serialNumber.replace(/^(00)+/, '');
  // as in the certificate, where the first bit would be a sign
  const serial = Buffer.from(/^[89a-f]/i.test(digits) ? `00${digits}` : digits, 'hex');
  return `${Buffer.from(keyId, 'hex').toString('base64url')}.${serial.toString('base64url')}`;
}

function between({ from, days }: Validity) {
  const notBefore = new Date(from.getTime() - backdated);
  return { notBefore, notAfter: new Date(from.getTime() + days * 24 * 60 * 60_000) };
}

/** Positive, and of no more bytes than clients take. */
function newSerial(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString('hex');
}

const pemOf = (certificate: X509Certificate) => `${certificate.toString('pem')}\n`;

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  return `${PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')}\n`;
}

async function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  return await webcrypto.subtle.importKey('pkcs8', PemConverter.decodeFirst(pem), algorithm, false, ['sign']);
}

async function importPublicKey(privatePem: string): Promise<webcrypto.CryptoKey> {
  const { kty, crv, x, y } = createPublicKey(privatePem).export({ format: 'jwk' });
  return await webcrypto.subtle.importKey(
    'jwk',
    { kty, crv, x, y } as webcrypto.JsonWebKey,
    algorithm,
    true,
    ['verify'],
  );
}
