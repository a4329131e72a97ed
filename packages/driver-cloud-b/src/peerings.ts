import type { LinkState, WantedLink } from '@sluice/drivers';
import { change, find, pages } from './api-changes.ts';
import type { compute_v1, Step } from './clients.ts';
import { asPeopleReadIt, CloudError } from './errors.ts';
import { ensureFirewall, removeFirewall } from './firewalls.ts';
import { linkName, networkName } from './names.ts';
import { ensureNetwork } from './networks.ts';

type Peering = Extract<WantedLink, { kind: 'cloud_b_peering' }>;

const seconds = { underWay: 1, waiting: 15, settled: 60 };

/** Has this side of a peering made unless it is there, lets the other side's block in, and sees whether the other side has its own. */
export async function advancePeering(step: Step, link: Peering): Promise<LinkState> {
  const { name, network, peerings } = await ensureNetwork(step, link.deployment);
  const facts = { vpc_name: name, project_id: step.project };
  const peering = peerings.find((one) => one.name === linkName(link.uid));
  if (!peering) {
    await request(step, link, name);
    return { status: 'inactive', facts, lookAgainSeconds: seconds.underWay };
  }
  await ensureFirewall(step, link, network, [link.wanted.peer_vpc_cidr]);
  if (peering.state === 'ACTIVE') return { status: 'active', facts, lookAgainSeconds: seconds.settled };
  const reason = peering.stateDetails?.slice(0, 300);
  return {
    ...{ status: 'inactive', facts, lookAgainSeconds: seconds.waiting },
    ...(reason !== undefined && reason !== '' && { reason }),
  };
}

/** Takes this side of a peering away. @returns whether nothing was left */
export async function removePeering(step: Step, link: Peering): Promise<boolean> {
  const { api, project } = step;
  const name = linkName(link.uid);
  const network = await networkWith(step, link, name);
  if (network !== undefined)
    await change(step, (options) =>
      api.networks.removePeering({ project, network, requestBody: { name } }, options),
    );
  const wasOpen = await removeFirewall(step, link.uid);
  return network === undefined && !wasOpen;
}

async function request(step: Step, { uid, wanted }: Peering, network: string): Promise<void> {
  const { api, project } = step;
  const networkPeering = {
    name: linkName(uid),
    network: `projects/${wanted.peer_project_id}/global/networks/${wanted.peer_vpc_name}`,
    exchangeSubnetRoutes: true,
  };
  const requestBody = { networkPeering };
  const add = change(step, (options) => api.networks.addPeering({ project, network, requestBody }, options));
  await add.catch(async (error: unknown) => {
    // a request whose answer was lost has come to pass meanwhile: a second one is refused
    if (error instanceof CloudError && (await hasPeering(step, network, networkPeering.name))) return;
    throw asPeopleReadIt(error, true);
  });
}

/** The network that has the peering. A deployment that is gone does not say any more which is its own. */
async function networkWith(
  step: Step,
  { deployment, facts }: Peering,
  peering: string,
): Promise<string | undefined> {
  const { api, project } = step;
  const known = deployment.uid === null ? facts.vpc_name : networkName(deployment);
  if (known !== undefined) return (await hasPeering(step, known, peering)) ? known : undefined;
  const all = pages(step, (pageToken, options) =>
    api.networks.list({ project, filter: 'name eq sluice-.*', ...(pageToken && { pageToken }) }, options),
  );
  for await (const { items } of all) {
    const name = items?.find((network) => has(network, peering))?.name;
    if (name) return name;
  }
  return undefined;
}

async function hasPeering(step: Step, network: string, peering: string): Promise<boolean> {
  const { api, project } = step;
  const found = await find(step, (options) => api.networks.get({ project, network }, options));
  return found !== undefined && has(found, peering);
}

const has = ({ peerings }: compute_v1.Schema$Network, peering: string) =>
  peerings?.some(({ name }) => name === peering) ?? false;
