import type { Observed, Phase, Step } from './phase.ts';

/** Until the deployment has a certificate. */
export const configuringCertificates: Phase = {
  status: 'configuring_certificates',
  dependsOnNodes: false,
  lacks: ({ certificate }) => {
    if (certificate === undefined || certificate.issued) return null;
    const { lastError } = certificate;
    return `the deployment has no certificate${lastError === null ? '' : ` (${lastError})`}`;
  },
  explains: ({ status, certificate }) => {
    if (certificate === undefined || certificate.issued || certificate.lastError === null) return null;
    return `${status} is tried again: ${certificate.lastError}`;
  },
  next: (observed) =>
    dueCertificate(observed) ?? { do: 'wait', seconds: observed.certificate?.dueInSeconds ?? 0 },
};

/** The step where a certificate is to be obtained now: the first one, or the next. */
export function dueCertificate({ certificate }: Observed): Step | undefined {
  return certificate && certificate.dueInSeconds <= 0 ? { do: 'obtain_certificate' } : undefined;
}
