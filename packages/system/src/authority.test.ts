import { X509Certificate } from 'node:crypto';
import { createAuthority, issueCertificate, renewalIdOf } from './authority.ts';

const validity = { from: new Date(), days: 1 };

// the certificate of RFC 9773, appendix A
const example = `-----BEGIN CERTIFICATE-----
MIIBQzCB66ADAgECAgUAh2VDITAKBggqhkjOPQQDAjAVMRMwEQYDVQQDEwpFeGFt
cGxlIENBMCIYDzAwMDEwMTAxMDAwMDAwWhgPMDAwMTAxMDEwMDAwMDBaMBYxFDAS
BgNVBAMTC2V4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEeBZu
7cbpAYNXZLbbh8rNIzuOoqOOtmxA1v7cRm//AwyMwWxyHz4zfwmBhcSrf47NUAFf
qzLQ2PPQxdTXREYEnKMjMCEwHwYDVR0jBBgwFoAUaYhba4dGQEHhs3uEe6CuLN4B
yNQwCgYIKoZIzj0EAwIDRwAwRAIge09+S5TZAlw5tgtiVvuERV6cT4mfutXIlwTb
+FYN/8oCIClDsqBklhB9KAelFiYt9+6FDj3z4KGVelYM5MdsO3pK
-----END CERTIFICATE-----
`;

test('a certificate is called as its authority calls it', async () => {
  expect(renewalIdOf(example)).toBe('aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE');
  const authority = await createAuthority('Example', validity);
  const names = { dns: ['orders.example'], addresses: [] };
  const { certificate } = await issueCertificate(authority, names, validity);
  const [, serial] = renewalIdOf(certificate)?.split('.') ?? [];
  const { serialNumber } = new X509Certificate(certificate);
  expect(Buffer.from(serial ?? '', 'base64url').toString('hex')).toBe(serialNumber.toLowerCase());
  expect(renewalIdOf(authority.certificate)).toBeUndefined();
});
