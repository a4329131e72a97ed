import { X509Certificate } from 'node:crypto';
import type { CertificateDriver, CertificateRequest, IssuedCertificate } from '../certificates.ts';
import { anyCall, ruleOf, until } from './calls.ts';

export interface CertificatesUnderTest {
  /** false where the authority cannot be run here */
  isThere: () => boolean;
  /** as another replica has it, each time */
  driver(): CertificateDriver;
  /** of a new deployment, with two names that the authority accepts */
  aRequest(): Promise<CertificateRequest>;
  /** Stores what was issued, as a supervisor does. */
  store(issued: IssuedCertificate): Promise<unknown>;
  /** orders that the authority has taken; left out where it takes none */
  orders?(): number;
  pauseSeconds?: number;
}

/** The rules for every driver of certificates: README.md, "Certificates". */
export function certificatesConformance(name: string, authority: CertificatesUnderTest): void {
  const rule = ruleOf(authority);

  async function obtain(request: CertificateRequest): Promise<IssuedCertificate> {
    let issued: IssuedCertificate | undefined;
    const isIssued = async () => {
      const answer = await authority.driver().issue(request, anyCall);
      if ('waitingFor' in answer) expect(answer.seconds).toBeGreaterThan(0);
      else issued = answer;
      return issued !== undefined;
    };
    await until('the certificate is issued', isIssued, authority.pauseSeconds);
    return issued as unknown as IssuedCertificate;
  }

  describe(`${name} as a driver of certificates`, () => {
    rule('issues what was asked for, with its key and what clients have to trust', async () => {
      const request = await authority.aRequest();
      const issued = await obtain(request);
      const leaf = new X509Certificate(issued.certificate);
      for (const one of request.names) expect(leaf.checkHost(one)).toBe(one);
      expect(leaf.validToDate.getTime()).toBeGreaterThan(Date.now());
      expect(issued.private_key).toMatch(/^-----BEGIN [A-Z ]*PRIVATE KEY-----/);
      const pems = `${issued.certificate}${issued.authority}`.match(
        /-----BEGIN[^]+?-----END CERTIFICATE-----/g,
      );
      const signers = (pems ?? []).slice(1).map((pem) => new X509Certificate(pem));
      expect(signers.some((signer) => leaf.checkIssued(signer))).toBe(true);
      await authority.store(issued);
    });

    if (authority.orders)
      rule('goes on with what was begun, until that is stored', async () => {
        const request = await authority.aRequest();
        const before = authority.orders?.() ?? 0;
        const first = await obtain(request);
        // the supervisor was killed before it had stored this
        const again = await obtain(request);
        expect(again.certificate).toBe(first.certificate);
        expect(authority.orders?.()).toBe(before + 1);
        await authority.store(again);
      });
  });
}
