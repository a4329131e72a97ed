import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { system } from '@sluice/service';
import type { Database } from '@sluice/region-store/tables';
import { findCertificate, requestCertificate } from '@sluice/region-store/certificates.store';
import type { Deployment } from '@sluice/region-store/deployments.store';
import { moveRecords } from '@sluice/region-store/dns-records.store';
import { changeNode } from '@sluice/region-store/nodes.store';
import type { PlacedNode } from './phases/phase.ts';

/**
 * Stores where these nodes are reached, and the deployment's domain leads to the first one that has an address. A private
 * deployment has no domain: its certificate names the addresses.
 */
export async function placeNodes(
  db: Database,
  { id, spec }: Deployment,
  nodes: readonly PlacedNode[],
  now: Date,
): Promise<void> {
  for (const { id: node, address } of nodes) await changeNode(db, node, { address: JSON.stringify(address) });
  await moveRecords(db, id);
  if (spec.public_ip_enabled) return;
  const { certificate } = (await findCertificate(db, id)) ?? {};
  if (!certificate) return;
  const issued = new X509Certificate(certificate);
  if (nodes.every(({ address }) => names(issued, address.host))) return;
  await requestCertificate(db, id, { ...system.cause }, now);
}

const names = (certificate: X509Certificate, host: string) =>
  (isIP(host) > 0 ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined;
