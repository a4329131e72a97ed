import type { DeploymentId } from '@sluice/contracts';

/** What a certificate is asked for. */
export interface CertificateRequest {
  deploymentId: DeploymentId;
  /** names of the deployment and its nodes, the deployment's own first; none where it has no subdomain */
  names: readonly string[];
  /** host names or addresses on which its gateways listen */
  hosts: readonly string[];
}

/** PEM, all of it. */
export interface IssuedCertificate {
  /** the certificate, then those that lead to the authority */
  certificate: string;
  private_key: string;
  /** what clients trust: one certificate or several */
  authority: string;
}

/** Has certificates made. A call may be repeated, also after one that was cut short; whoever is let go of by `signal` is not listened to. */
export interface CertificateDriver {
  issue(request: CertificateRequest, call: { signal: AbortSignal }): Promise<IssuedCertificate>;
}
