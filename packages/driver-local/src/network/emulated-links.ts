import type { Database } from '../tables.ts';
import {
  deleteEmulatedLink,
  ensureEmulatedLink,
  moveEmulatedLink,
  type EmulatedLink,
} from './emulated-links.store.ts';
import type {
  ConnectionStatus,
  EmulatedPeer,
  EmulatedState,
  LinkKind,
  LinkRequests,
  LinkState,
  LinkStatuses,
  ObservedConnection,
  WantedLink,
} from '@sluice/drivers';
import { LinkRefused, type LinkDriver } from '@sluice/drivers';

export interface EmulatedLinksOptions {
  database: Database;
  region: string;
  /** what the other side of new links does of itself */
  peers: EmulatedPeer;
}

type Statuses = { [Kind in LinkKind]: Record<Exclude<EmulatedState, 'failed'>, LinkStatuses[Kind]> };

const statuses: Statuses = {
  cloud_a_peering: {
    ...{ asked: 'pending_acceptance', accepted: 'provisioning', ready: 'active' },
    ...{ rejected: 'rejected', withdrawn: 'deleted' },
  },
  cloud_a_service: {
    ...{ asked: 'pending', accepted: 'available', ready: 'available' },
    ...{ rejected: 'available', withdrawn: 'available' },
  },
  cloud_b_peering: {
    ...{ asked: 'inactive', accepted: 'active', ready: 'active' },
    ...{ rejected: 'inactive', withdrawn: 'inactive' },
  },
  cloud_b_attachment: {
    ...{ asked: 'pending', accepted: 'active', ready: 'active' },
    ...{ rejected: 'active', withdrawn: 'active' },
  },
};

const seconds = { underWay: 0.05, waiting: 2, settled: 30 };

/**
 * Links of a cloud that is a table (`emulated_links`). What the other side does is written there: by itself as `peers` says, or by
 * whoever changes its row.
 */
export function emulatedLinks({ database, region, peers }: EmulatedLinksOptions): LinkDriver {
  return {
    async advance(link) {
      const there = await ensureEmulatedLink(database, link.uid, peers);
      if (there.state === 'failed') throw new LinkRefused('the emulated cloud refuses it');
      const next = there.isNew ? undefined : following(link.kind, there);
      if (next) await moveEmulatedLink(database, link.uid, there.state, next);
      // the next look finds what it has become
      const underWay = next !== undefined || (there.isNew && following(link.kind, there) !== undefined);
      return {
        status: statuses[link.kind][there.state],
        facts: factsOf(link, region),
        ...(link.kind === 'cloud_b_attachment' && { connections: connectionsOf(link.wanted, there) }),
        lookAgainSeconds: underWay ? seconds.underWay : secondsIn(there.state),
      };
    },

    async remove({ uid }) {
      await deleteEmulatedLink(database, uid);
      return true;
    },
  };
}

const secondsIn = (state: EmulatedState) => (state === 'asked' ? seconds.waiting : seconds.settled);

/** What becomes of it without anybody's doing; the other side of a peering has a will of its own. */
function following(kind: LinkKind, { state, peer }: EmulatedLink): EmulatedState | undefined {
  if (state === 'accepted') return 'ready';
  if (state !== 'asked') return undefined;
  if (kind === 'cloud_a_service' || kind === 'cloud_b_attachment') return 'ready';
  if (peer === 'accept') return 'accepted';
  return peer === 'reject' ? 'rejected' : undefined;
}

function factsOf({ kind, uid, deployment }: WantedLink, region: string): LinkState['facts'] {
  const own = uid.replaceAll('-', '').slice(0, 17);
  const network = deployment.id.toString(16).padStart(17, '0');
  switch (kind) {
    case 'cloud_a_peering':
      return {
        peering_connection_id: `pcx-${own}`,
        requester_vpc_id: `vpc-${network}`,
        requester_owner_id: '000000000000',
      };
    case 'cloud_a_service':
      return {
        vpc_endpoint_service_id: `vpce-svc-${own}`,
        service_name: `com.cloud_a.vpce.${region}.vpce-svc-${own}`,
      };
    case 'cloud_b_peering':
      return { vpc_name: `sluice-${network}`, project_id: 'emulated-project' };
    case 'cloud_b_attachment':
      return {
        service_attachment_uri: `projects/emulated-project/regions/${region}/serviceAttachments/sluice-${own}`,
      };
  }
}

function connectionsOf(
  { connection_preference: preference, consumer_accept_lists: list }: LinkRequests['cloud_b_attachment'],
  { connections }: EmulatedLink,
): ObservedConnection[] {
  const isLetIn = (project: string) =>
    preference === 'accept_automatic' || list.length === 0 || list.includes(project);
  const statusOf = (project: string): ConnectionStatus => (isLetIn(project) ? 'accepted' : 'pending');
  return connections.map(({ connection_id, project, network, forwarding_rule, status }) => ({
    connection_id,
    consumer_project_id: project,
    consumer_network: network,
    consumer_forwarding_rule: forwarding_rule,
    status: status ?? statusOf(project),
  }));
}
