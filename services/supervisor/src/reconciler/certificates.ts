import { LeaseLost } from '@sluice/controller';
import { X509Certificate } from 'node:crypto';
import { system } from '@sluice/service';
import type { SecretBox } from '@sluice/system/secrets';
import { pauseAfter } from '@sluice/system';
import {
  HeldBack,
  type CertificateDriver,
  type CertificateRequest,
  type IssuedCertificate,
} from '@sluice/drivers';
import type { Base, Database, Tx } from '@sluice/region-store/tables';
import { domainOf } from '../network/domain-of.ts';
import {
  findCertificate,
  markWarned,
  recordCertificateFailure,
  recordCertificateUnderWay,
  storeCertificate,
  type StoredCertificate,
} from '@sluice/region-store/certificates.store';
import {
  nameAndCode,
  raiseRevision,
  subjectsOf,
  type Deployment,
} from '@sluice/region-store/deployments.store';
import type { Node } from '@sluice/region-store/nodes.store';
import type { CallDriver } from './driver-calls.ts';
import { describeError } from '@sluice/region-store/describe-error';
import type { Lease } from './lease.ts';

export interface CertificateKeeperOptions extends Base {
  /** absent where no step is to obtain one */
  certificates?: CertificateDriver;
  callDriver: CallDriver;
  secrets: SecretBox;
  baseDomain: string;
  gatewayHost: string;
  /** where the gateways of private deployments listen; absent where their driver alone knows */
  privateGatewayHost?: string | undefined;
  /** which part of its life has passed when a certificate is renewed */
  renewAt: number;
}

/** Whether a step is still the right one, asked in the transaction in which it takes effect. */
type Holds = (db: Database) => Promise<boolean>;

export type ObtainCertificate = (
  deployment: Deployment,
  nodes: readonly Node[],
  lease: Lease,
  holds: Holds,
) => Promise<void>;

/** A failure is tried again in growing pauses: authorities limit requests. */
const retryPauses = { first: 5_000, cap: 6 * 60 * 60 * 1_000 };
/** Up to this part of its life earlier, so that what was made together is not renewed together. */
const spread = 1 / 20;
/** People are warned once this part of what was left at the renewal has passed in vain. */
const warnAfter = 1 / 2;

/** Obtains a deployment's first certificate, or its next, for its nodes. What fails is noted and tried again; people are warned in time. */
export function certificateKeeper(options: CertificateKeeperOptions): ObtainCertificate {
  const { database, work, certificates, callDriver, secrets, now } = options;

  return async (deployment, nodes, lease, holds) => {
    if (!certificates) return;
    const { id } = deployment;
    const former = await findCertificate(database, id);
    const cause = former?.requested_by ?? { ...system.cause };
    const change = (effect: (tx: Tx) => Promise<void>) =>
      work({ cause }, async (tx) => {
        if (await holds(tx.db)) await effect(tx);
      });
    const replaced = former?.ask_renewal_at ? former.certificate : null;
    const request = {
      ...requestOf(deployment, nodes, options),
      ...(replaced !== null && { former: replaced }),
    };
    try {
      const issued = await callDriver('certificate', lease, (call) => certificates.issue(request, call));
      if ('waitingFor' in issued) {
        const askAgain = new Date(now().getTime() + issued.seconds * 1_000);
        return await change(({ db }) => recordCertificateUnderWay(db, id, askAgain));
      }
      const sealed_key = await secrets.seal(issued.private_key);
      await change((tx) => keep(tx, deployment, former, { issued, sealed_key, request }));
    } catch (error) {
      if (error instanceof LeaseLost || lease.signal.aborted) throw error;
      await change((tx) => noteFailure(tx, deployment, former, error));
    }
  };

  async function keep(
    tx: Tx,
    deployment: Deployment,
    former: StoredCertificate | undefined,
    got: { issued: IssuedCertificate; sealed_key: string; request: CertificateRequest },
  ): Promise<void> {
    const { certificate, authority } = got.issued;
    const { serialNumber, validFromDate, validToDate } = new X509Certificate(certificate);
    const [not_before, not_after] = [validFromDate, validToDate];
    const life = not_after.getTime() - not_before.getTime();
    const server_name = got.request.names[0] ?? got.request.hosts[0] ?? '';
    await storeCertificate(
      tx.db,
      deployment.id,
      {
        ...{ certificate, authority, server_name, not_before, not_after },
        ...{ serial: serialNumber.toLowerCase(), sealed_key: got.sealed_key },
        ask_renewal_at: got.issued.tellsRenewal === true ? now() : null,
      },
      new Date(not_before.getTime() + life * (options.renewAt - Math.random() * spread)),
    );
    await got.issued.onStored?.(tx.db);
    await raiseRevision(tx.db, deployment.id);
    if (!former?.certificate) return;
    const data = { ...nameAndCode(deployment), not_after: not_after.toISOString() };
    tx.emit('deployment_certificates_rotated', subjectsOf(deployment), data);
  }

  async function noteFailure(
    tx: Tx,
    deployment: Deployment,
    former: StoredCertificate | undefined,
    failure: unknown,
  ): Promise<void> {
    const { id } = deployment;
    const failures = former?.failures ?? 0;
    const error = describeError(failure);
    const held_until = failure instanceof HeldBack ? failure.until : null;
    const again = now().getTime() + pauseAfter(Math.min(failures, 30), retryPauses);
    const due_at = new Date(Math.max(again, held_until?.getTime() ?? 0));
    const noted = { failures: failures + 1, last_error: error, due_at, held_until };
    await recordCertificateFailure(tx.db, id, noted);
    const { not_before: from, not_after: to, warned_at } = former ?? {};
    if (!from || !to || warned_at) return;
    const left = (to.getTime() - from.getTime()) * (1 - options.renewAt) * warnAfter;
    if (to.getTime() - now().getTime() > left) return;
    await markWarned(tx.db, id, now());
    const data = { ...nameAndCode(deployment), not_after: to.toISOString(), reason: error };
    tx.emit('certificate_expiring', subjectsOf(deployment), data);
  }
}

/** By which names clients come: the deployment's, those of its nodes, and where its gateways are. */
function requestOf(
  { id, spec }: Deployment,
  nodes: readonly Node[],
  { baseDomain, gatewayHost, privateGatewayHost = gatewayHost }: CertificateKeeperOptions,
): CertificateRequest {
  const domain = domainOf(spec, baseDomain);
  const names = domain === null ? [] : [domain, ...nodes.map(({ name }) => `${name}.${domain}`)];
  if (spec.public_ip_enabled) return { deploymentId: id, names, hosts: [gatewayHost] };
  const placed = nodes.flatMap(({ address }) => address?.host ?? []);
  return { deploymentId: id, names, hosts: placed.length > 0 ? [...new Set(placed)] : [privateGatewayHost] };
}
