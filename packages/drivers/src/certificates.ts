import type { DeploymentId } from '@sluice/contracts';
import type { Job } from '@sluice/controller';
import type { DriverCall } from './compute.ts';
import type { DriverDatabase } from './database.ts';

export interface CertificateRequest {
  deploymentId: DeploymentId;
  /** names of the deployment and its nodes, the deployment's own first; none where it has no subdomain */
  names: readonly string[];
  hosts: readonly string[];
  /** PEM, the certificate that is to be replaced, where the driver can be asked about its renewal */
  former?: string | undefined;
}

export interface IssuedCertificate {
  /** the certificate, then those that lead to the authority */
  certificate: string;
  private_key: string;
  /** what clients trust: one certificate or several */
  authority: string;
  /** whether the driver can be asked when it is to be renewed */
  tellsRenewal?: boolean;
  /** Called in the transaction in which the certificate is stored; until then the next call answers the same one. */
  onStored?(tx: DriverDatabase): Promise<void>;
}

/** The certificate is being made: the call is to be repeated. */
export interface CertificateUnderWay {
  /** what it waits for, as people read it */
  waitingFor: string;
  /** until it is worthwhile to ask again */
  seconds: number;
}

/** The authority allows no request before this time. The message is for people. */
export class HeldBack extends Error {
  readonly until: Date;

  constructor(message: string, until: Date) {
    super(message);
    this.until = until;
  }
}

export interface RenewalWindow {
  from: Date;
  to: Date;
  /** until it may say something else */
  askAgainSeconds: number;
}

/**
 * Has certificates made. A call may be repeated, also after one that was cut short, and goes on where that was; once
 * `signal` is aborted, its answer is ignored.
 */
export interface CertificateDriver {
  /** what it does periodically, on each replica */
  readonly jobs?: readonly Job[];
  /** whether it can prove names alone: certificates of deployments without one are the driver `local`'s */
  readonly namesOnly?: boolean;
  /** @throws HeldBack when the next request is allowed only later; any error is tried again */
  issue(
    request: CertificateRequest,
    call: Pick<DriverCall, 'signal' | 'confirm'>,
  ): Promise<IssuedCertificate | CertificateUnderWay>;
  /** @returns undefined where the authority does not say; rejects where it cannot be asked */
  renewal?(certificate: string, signal: AbortSignal): Promise<RenewalWindow | undefined>;
}
