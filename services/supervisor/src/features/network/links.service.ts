import type { DeploymentId, EventData, NetworkLinkId } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { Outgoing, UnitOfWork } from '@sluice/messaging';
import { isUniqueViolation, problem } from '@sluice/service';
import type { Database, Transaction } from '../../database/tables.ts';
import {
  cloudOf,
  linkMoments,
  type LinkKind,
  type LinkRequests,
  type LinkStatus,
} from '../../database/links.ts';
import { listConnections, type AttachmentConnection } from '../../stores/attachment-connections.store.ts';
import {
  getDeployment,
  lockDeployment,
  subjectsOf,
  type Deployment,
} from '../../stores/deployments.store.ts';
import {
  getLink,
  insertLink,
  listLinks,
  listPresentLinks,
  markLinkForDeletion,
  type LinkOf,
  type NetworkLink,
} from '../../stores/network-links.store.ts';
import {
  checkBlock,
  checkOverlap,
  requireFitting,
  requirePrivateNetworking,
  requireRoom,
} from './link-rules.ts';

export interface LinksOptions {
  database: Database;
  work: UnitOfWork<Transaction>;
  now: () => Date;
}

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
export function linksService({ database, work, now }: LinksOptions) {
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
    async connections(deploymentId: DeploymentId, id: NetworkLinkId): Promise<AttachmentConnection[]> {
      const link = await getLink(database, deploymentId, 'cloud_b_attachment', id);
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
        requireRoom(deployment, kind, present);
        const link = await insertLink(tx.db, {
          ...{ deployment_id: deploymentId, kind, name, remarks, wanted },
          status: linkMoments[kind].asked,
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
        const status: LinkStatus | undefined = linkMoments[kind].leaving;
        if (await markLinkForDeletion(tx.db, link, caller.cause, { status }))
          tellOf(tx, deployment, link, 'deleted');
      });
    },
  };
}

const eventNames = {
  cloud_a_peering: 'vpc_peering',
  cloud_a_service: 'private_link',
  cloud_b_peering: 'vpc_peering',
  cloud_b_attachment: 'private_service',
} as const;

function tellOf(
  tx: Outgoing,
  deployment: Deployment,
  link: LinkOf<LinkKind>,
  verb: 'created' | 'deleted',
): void {
  const name = eventNames[link.kind];
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

/** Tells that a link has come into another status. */
export function tellChange(
  tx: Outgoing,
  deployment: Deployment,
  link: LinkOf<LinkKind>,
  { status, reason }: { status: LinkStatus; reason: string | null },
): void {
  const { correlation_id } = link.deleted_by ?? link.created_by;
  const data = { ...named(link), from: link.status, status, ...(reason !== null && { reason }) };
  tx.emit(`${eventNames[link.kind]}_changed`, subjectsOf(deployment), data, correlation_id);
}

const named = ({ id, name, kind }: LinkOf<LinkKind>) => ({ link_id: id, name, cloud: cloudOf(kind) });

function peeringOf(link: NetworkLink): EventData<'vpc_peering_created'> {
  switch (link.kind) {
    case 'cloud_a_peering': {
      const { peer_vpc_id, peer_owner_id, peer_vpc_cidr } = link.wanted;
      return { ...named(link), peer_network: peer_vpc_id, peer_owner: peer_owner_id, cidr: peer_vpc_cidr };
    }
    case 'cloud_b_peering': {
      const { peer_vpc_name, peer_project_id, peer_vpc_cidr } = link.wanted;
      return {
        ...named(link),
        peer_network: peer_vpc_name,
        peer_owner: peer_project_id,
        cidr: peer_vpc_cidr,
      };
    }
    default:
      throw new Error(`${link.kind} is no peering`);
  }
}

/** Whom an endpoint service or an attachment lets in; empty for anybody. */
function allowedBy(link: NetworkLink): string[] {
  if (link.kind === 'cloud_a_service') return link.wanted.allowed_principals;
  return link.kind === 'cloud_b_attachment' ? link.wanted.consumer_accept_lists : [];
}
