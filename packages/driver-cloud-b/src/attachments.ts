import type { ConnectionStatus, LinkState, ObservedConnection, WantedLink } from '@sluice/drivers';
import { ensureBalancer, removeBalancer } from './balancers.ts';
import { change, ensure, kindOf, lastPart, pathOf, remove, sameSet } from './api-changes.ts';
import type { compute_v1, Step } from './clients.ts';
import { ensureFirewall, removeFirewall } from './firewalls.ts';
import { linkMark, linkName } from './names.ts';
import { ensureNetwork } from './networks.ts';
import { ensureTranslation, removeTranslation } from './translation.ts';

type Attachment = Extract<WantedLink, { kind: 'cloud_b_attachment' }>;

/** from which the cloud's health checks come */
const healthCheckRanges = ['35.191.0.0/16', '130.211.0.0/22'];
/** endpoints that a project of the list may have; the cloud wants a number */
const connectionsPerProject = 10;
const settledSeconds = 30;

const statuses: Record<string, ConnectionStatus> = {
  PENDING: 'pending',
  ACCEPTED: 'accepted',
  REJECTED: 'rejected',
  CLOSED: 'closed',
  NEEDS_ATTENTION: 'needs_attention',
};

/** Makes the balancer and the attachment unless they are there, keeps whom it lets in, and sees who is connected. */
export async function advanceAttachment(step: Step, link: Attachment): Promise<LinkState> {
  const network = await ensureNetwork(step, link.deployment);
  const targetService = await ensureBalancer(step, link, network);
  const { link: subnet, block } = await ensureTranslation(step, link.uid, network.network);
  await ensureFirewall(step, link, network.network, [block, ...healthCheckRanges]);
  const wanted = {
    ...{ targetService, natSubnets: [subnet], ...admissionOf(link.wanted) },
    enableProxyProtocol: link.wanted.enable_proxy_protocol,
    // connections that were let in by an older list do not stay
    reconcileConnections: true,
  };
  const found = await ensure(step, attachmentKind(step, link.uid, wanted));
  await keepAdmission(step, link, found);
  return {
    status: 'active',
    facts: { service_attachment_uri: pathOf(found.selfLink) },
    connections: connectionsOf(found),
    lookAgainSeconds: settledSeconds,
  };
}

/** Removes an attachment with its connections, and then what it leads to. @returns whether nothing was left */
export async function removeAttachment(step: Step, { uid }: Attachment): Promise<boolean> {
  const wasThere = await remove(step, attachmentKind(step, uid));
  const balancerGone = await removeBalancer(step, uid);
  const wasOpen = await removeFirewall(step, uid);
  const wasTranslated = await removeTranslation(step, uid);
  return !wasThere && balancerGone && !wasOpen && !wasTranslated;
}

/** An empty list admits every project. */
function admissionOf({
  connection_preference: preference,
  consumer_accept_lists: list,
}: Attachment['wanted']): Pick<
  compute_v1.Schema$ServiceAttachment,
  'connectionPreference' | 'consumerAcceptLists' | 'consumerRejectLists'
> {
  if (preference === 'accept_automatic' || list.length === 0)
    return { connectionPreference: 'ACCEPT_AUTOMATIC', consumerAcceptLists: [], consumerRejectLists: [] };
  return {
    connectionPreference: 'ACCEPT_MANUAL',
    consumerAcceptLists: list.map((projectIdOrNum) => ({
      projectIdOrNum,
      connectionLimit: connectionsPerProject,
    })),
    consumerRejectLists: [],
  };
}

async function keepAdmission(
  step: Step,
  { uid, wanted }: Attachment,
  found: compute_v1.Schema$ServiceAttachment,
): Promise<void> {
  const admission = admissionOf(wanted);
  const namesOf = ({ consumerAcceptLists: list }: compute_v1.Schema$ServiceAttachment) =>
    (list ?? []).flatMap(({ projectIdOrNum }) => projectIdOrNum ?? []);
  const isKept =
    found.connectionPreference === admission.connectionPreference &&
    sameSet(namesOf(found), namesOf(admission)) &&
    (found.consumerRejectLists ?? []).length === 0;
  if (isKept) return;
  const { api, project, region } = step;
  const { fingerprint } = found;
  const requestBody = { ...admission, ...(fingerprint && { fingerprint }) };
  await change(step, (options) =>
    api.serviceAttachments.patch({ project, region, serviceAttachment: linkName(uid), requestBody }, options),
  );
}

function connectionsOf({
  connectedEndpoints = [],
}: compute_v1.Schema$ServiceAttachment): ObservedConnection[] {
  return connectedEndpoints.flatMap(({ pscConnectionId, endpoint, consumerNetwork, status }) => {
    const [, project] = /^projects\/([^/]+)\//.exec(pathOf(endpoint)) ?? [];
    // one that is being made has no number yet
    if (!pscConnectionId || project === undefined) return [];
    return [
      {
        connection_id: pscConnectionId,
        consumer_project_id: project,
        consumer_network: consumerNetwork ? lastPart(consumerNetwork) : null,
        consumer_forwarding_rule: endpoint ? lastPart(endpoint) : null,
        status: statuses[status ?? ''] ?? 'needs_attention',
      },
    ];
  });
}

const attachmentKind = (
  { api, ...place }: Step,
  uid: string,
  wanted: compute_v1.Schema$ServiceAttachment = {},
) =>
  kindOf<compute_v1.Schema$ServiceAttachment>(api.serviceAttachments, 'serviceAttachment', place, {
    ...wanted,
    name: linkName(uid),
    description: linkMark(uid),
  });
