import { createAuthority, issueCertificate } from '@sluice/system/authority';

/** A certificate for localhost and 127.0.0.1, and its authority, in PEM form. */
export async function issueLocalhost(): Promise<{ ca: string; key: string; certificate: string }> {
  const validity = { from: new Date(), days: 30 };
  const authority = await createAuthority('Servers of tests', validity);
  const names = { dns: ['localhost'], addresses: ['127.0.0.1'] };
  const { private_key, certificate } = await issueCertificate(authority, names, validity);
  return { ca: authority.certificate, key: private_key, certificate };
}
