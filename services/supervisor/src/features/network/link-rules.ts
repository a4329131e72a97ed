import { fieldProblem, problem } from '@sluice/service';
import { canonicalIpv4Block } from '@sluice/system';
import ipaddr from 'ipaddr.js';
import { cloudOf, endedStatuses, isPeering, type LinkKind } from '@sluice/drivers';
import { requireLive, requireRoom } from '../deployment-rules.ts';
import type { Deployment } from '@sluice/region-store/deployments.store';
import type { NetworkLink } from '@sluice/region-store/network-links.store';

/** Who may have which links (interface, 4.8 rule 1). */

const prefixes = { shortest: 8, longest: 28 };

/** @throws Problem `feature_not_available` */
export function requirePrivateNetworking({ spec }: Deployment): void {
  if (spec.limits.private_networking) return;
  throw problem('feature_not_available', {
    detail: "The tenant's plan does not have private_networking_enabled.",
    extensions: { feature: 'private_networking_enabled' },
  });
}

/** @throws Problem `managed_only`, `cloud_mismatch`, `state_conflict` */
export function requireFitting(deployment: Deployment, kind: LinkKind): void {
  requireLive(deployment);
  const { spec, subnet } = deployment;
  if (spec.variant !== 'managed') throw problem('managed_only');
  const cloud = cloudOf(kind);
  if (spec.cloud !== cloud)
    throw problem('cloud_mismatch', { detail: `The deployment is on ${spec.cloud}, not on ${cloud}.` });
  if (subnet === null)
    throw problem('state_conflict', { detail: 'The deployment has no network yet; wait until it has.' });
}

/** @throws Problem `limit_reached`; what could not be or was refused counts until it is deleted */
export function requireRoomForLink(
  { spec }: Deployment,
  kind: LinkKind,
  present: readonly NetworkLink[],
): void {
  const { private_connections, private_endpoints } = spec.limits;
  const alike = present.filter((link) => isPeering(link.kind) === isPeering(kind)).length;
  if (isPeering(kind)) requireRoom('private_connections_limit', private_connections, alike);
  else requireRoom('private_endpoints_limit', private_endpoints, alike);
}

/** @throws Problem `invalid_request` for what is no block of a network that can be peered with */
export function checkBlock(block: string): void {
  const canonical = canonicalIpv4Block(block);
  if (canonical === null)
    throw fieldProblem('peer_vpc_cidr', 'wrong_format', 'has to be an IPv4 block such as 172.16.0.0/16');
  const bits = Number(canonical.split('/')[1]);
  if (bits < prefixes.shortest || bits > prefixes.longest)
    throw fieldProblem('peer_vpc_cidr', 'wrong_format', 'has to have a prefix of 8 to 28');
  if (canonical === block) return;
  const message = `has bits below its prefix or a leading zero: write ${canonical}`;
  throw fieldProblem('peer_vpc_cidr', 'wrong_format', message);
}

/** @throws Problem `cidr_overlap` */
export function checkOverlap(block: string, { subnet }: Deployment, present: readonly NetworkLink[]): void {
  if (subnet !== null && overlap(block, subnet)) throw overlapping(`the deployment's subnet ${subnet}`);
  for (const { name, wanted, status } of present) {
    if (!('peer_vpc_cidr' in wanted) || endedStatuses.includes(status)) continue;
    if (overlap(block, wanted.peer_vpc_cidr))
      throw overlapping(`${wanted.peer_vpc_cidr} of the peering ${name}`);
  }
}

function overlapping(what: string) {
  const message = `overlaps ${what}`;
  return problem('cidr_overlap', {
    detail: `The block ${message}.`,
    fieldIssues: [{ path: '/body/peer_vpc_cidr', code: 'overlap', message }],
  });
}

/** Whether two blocks are the same as far as the larger one goes. */
function overlap(one: string, other: string): boolean {
  const [first, bits] = ipaddr.IPv4.parseCIDR(one);
  const [second, otherBits] = ipaddr.IPv4.parseCIDR(other);
  return first.match(second, Math.min(bits, otherBits));
}
