import type { Database } from '../tables.ts';
import {
  deleteEmulatedLink,
  ensureEmulatedLink,
  moveEmulatedLink,
  type EmulatedLink,
} from './emulated-links.store.ts';
import {
  isPeering,
  linkForms,
  LinkRefused,
  type ConnectionStatus,
  type EmulatedPeer,
  type EmulatedState,
  type LinkDriver,
  type LinkKind,
  type LinkState,
  type ObservedConnection,
  type WantedLink,
} from '@sluice/drivers';

export interface EmulatedLinksOptions {
  database: Database;
  region: string;
  peers: EmulatedPeer;
}

type Attachment = Extract<WantedLink['wanted'], { connection_preference: string }>;

const seconds = { underWay: 0.05, waiting: 2, settled: 30 };

/**
 * Links of a cloud that is a table (`emulated_links`). What the other side does is written there: by itself as `peers` says, or by
 * a test that changes its row.
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
        status: linkForms[link.kind].emulated[there.state],
        facts: factsOf(link, region),
        ...('connection_preference' in link.wanted && { connections: connectionsOf(link.wanted, there) }),
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
  if (!isPeering(kind)) return 'ready';
  if (peer === 'accept') return 'accepted';
  return peer === 'reject' ? 'rejected' : undefined;
}

function factsOf({ kind, uid, deployment }: WantedLink, region: string): LinkState['facts'] {
  const own = uid.replaceAll('-', '').slice(0, 17);
  return linkForms[kind].emulatedFacts(own, deployment.id.toString(16).padStart(17, '0'), region);
}

function connectionsOf(
  { connection_preference: preference, consumer_accept_lists: list }: Attachment,
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
