import type { DeploymentId, EventData, NetworkLinkId } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { Outgoing } from '@sluice/messaging';
import { isUniqueViolation, problem } from '@sluice/service';
import type { Base } from '@sluice/region-store/tables';
import {
  cloudOf,
  linkForms,
  type LinkForm,
  type LinkKind,
  type LinkRequests,
  type LinkStatus,
} from '@sluice/drivers';
import { listConnections, type AttachmentConnection } from './attachment-connections.store.ts';
import {
  getDeployment,
  lockDeployment,
  subjectsOf,
  type Deployment,
} from '@sluice/region-store/deployments.store';
import {
  getLink,
  insertLink,
  listLinks,
  listPresentLinks,
  markLinkForDeletion,
  type LinkOf,
  type NetworkLink,
} from '@sluice/region-store/network-links.store';
import {
  checkBlock,
  checkOverlap,
  requireFitting,
  requirePrivateNetworking,
  requireRoomForLink,
} from './link-rules.ts';

/** A link with the deployment that it leads to. */
export interface PlacedLink<Kind extends LinkKind> {
  deployment: Deployment;
  link: LinkOf<Kind>;
}

interface LinkRequest<Kind extends LinkKind> {
  name: string;
  remarks?: string | null | undefined;
  wanted: LinkRequests[Kind];
}

export type LinksService = ReturnType<typeof linksService>;

/**
 * Peerings, endpoint services and attachments (interface, 2.10, 3 and 4.8). What is written here is wanted; the keeper of links brings it
 * about.
 */
export function linksService({ database, work, now }: Base) {
  return {
    async list<Kind extends LinkKind>(deploymentId: DeploymentId, kind: Kind): Promise<PlacedLink<Kind>[]> {
      const deployment = await getDeployment(database, deploymentId);
      const links = await listLinks(database, deploymentId, kind);
      return links.map((link) => ({ deployment, link }));
    },

    async get<Kind extends LinkKind>(
      deploymentId: DeploymentId,
      kind: Kind,
      id: NetworkLinkId,
    ): Promise<PlacedLink<Kind>> {
      const link = await getLink(database, deploymentId, kind, id);
      return { deployment: await getDeployment(database, deploymentId), link };
    },

    /** Who is connected to an attachment, as it was last seen. */
    async connections(
      deploymentId: DeploymentId,
      kind: LinkKind,
      id: NetworkLinkId,
    ): Promise<AttachmentConnection[]> {
      const link = await getLink(database, deploymentId, kind, id);
      return await listConnections(database, link.id);
    },

    async create<Kind extends LinkKind>(
      caller: Caller,
      deploymentId: DeploymentId,
      kind: Kind,
      { name, remarks = null, wanted }: LinkRequest<Kind>,
    ): Promise<PlacedLink<Kind>> {
      return await work(caller, async (tx) => {
        const deployment = await lockDeployment(tx.db, deploymentId);
        requirePrivateNetworking(deployment);
        const present = await listPresentLinks(tx.db, deploymentId);
        if ('peer_vpc_cidr' in wanted) checkBlock(wanted.peer_vpc_cidr);
        requireFitting(deployment, kind);
        if ('peer_vpc_cidr' in wanted) checkOverlap(wanted.peer_vpc_cidr, deployment, present);
        requireRoomForLink(deployment, kind, present);
        const link = await insertLink(tx.db, {
          ...{ deployment_id: deploymentId, kind, name, remarks, wanted },
          status: linkForms[kind].asked,
          cause: caller.cause,
          now: now(),
        });
        tellOf(tx, deployment, link, 'created');
        return { deployment, link };
      }).catch((error: unknown) => {
        throw isUniqueViolation(error, 'network_links_name') ? problem('name_taken') : error;
      });
    },

    /** Has a link go; a second time that has no effect. */
    async delete(
      caller: Caller,
      deploymentId: DeploymentId,
      kind: LinkKind,
      id: NetworkLinkId,
    ): Promise<void> {
      await work(caller, async (tx) => {
        const deployment = await lockDeployment(tx.db, deploymentId);
        const link = await getLink(tx.db, deploymentId, kind, id);
        const status: LinkStatus | undefined = linkForms[kind].leaving;
        if (await markLinkForDeletion(tx.db, link, caller.cause, { status }))
          tellOf(tx, deployment, link, 'deleted');
      });
    },
  };
}

function tellOf(
  tx: Outgoing,
  deployment: Deployment,
  link: LinkOf<LinkKind>,
  verb: 'created' | 'deleted',
): void {
  const name = linkForms[link.kind].event;
  const about = subjectsOf(deployment);
  const remarked = link.remarks === null ? {} : { description: link.remarks };
  if (name === 'vpc_peering')
    tx.emit(`${name}_${verb}`, about, { ...peeringOf(link as NetworkLink), ...remarked });
  else
    tx.emit(`${name}_${verb}`, about, {
      ...{ ...named(link), ...remarked },
      allowed: allowedBy(link as NetworkLink),
    });
}

/** What the interface shows of a link of any kind. */
export const linkView = ({
  id,
  name,
  status_reason,
  remarks,
  created_at,
}: NetworkLink | LinkOf<LinkKind>) => ({
  ...{ id, name, status_reason, remarks },
  created_at: created_at.toISOString(),
});

/** Emits that a link has come into another status. */
export function tellChange(
  tx: Outgoing,
  deployment: Deployment,
  link: LinkOf<LinkKind>,
  { status, reason }: { status: LinkStatus; reason: string | null },
): void {
  const { correlation_id } = link.deleted_by ?? link.created_by;
  const data = { ...named(link), from: link.status, status, ...(reason !== null && { reason }) };
  tx.emit(`${linkForms[link.kind].event}_changed`, subjectsOf(deployment), data, correlation_id);
}

/** as the compiler follows it for a kind that is not known yet */
const formOf = <Kind extends LinkKind>(kind: Kind): LinkForm<Kind> => linkForms[kind];

const named = ({ id, name, kind }: Pick<LinkOf<LinkKind>, 'id' | 'name' | 'kind'>) => ({
  link_id: id,
  name,
  cloud: cloudOf(kind),
});

/** @throws Error for a link of another kind */
function peeringOf<Kind extends LinkKind>(
  link: Pick<LinkOf<Kind>, 'id' | 'name' | 'kind' | 'wanted'>,
): EventData<'vpc_peering_created'> {
  const { kind, wanted } = link;
  const peer = formOf(kind).peer?.(wanted);
  if (!peer || !('peer_vpc_cidr' in wanted)) throw new Error(`${kind} is no peering`);
  return { ...named(link), peer_network: peer.network, peer_owner: peer.owner, cidr: wanted.peer_vpc_cidr };
}

/** The accounts that an endpoint service or an attachment admits; empty for all. */
const allowedBy = <Kind extends LinkKind>({ kind, wanted }: Pick<LinkOf<Kind>, 'kind' | 'wanted'>) =>
  formOf(kind).admitted?.(wanted) ?? [];
