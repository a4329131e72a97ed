import type { LinkedDeployment } from '@sluice/drivers';
import { change, ensure, kindOf, lastPart, pages, pathOf, remove } from './api-changes.ts';
import type { compute_v1, Step } from './clients.ts';
import { machineLabel, networkMark, networkName, type NetworkOwner } from './names.ts';

/**
 * The machines of a deployment, in a group per zone. The groups belong to the deployment and not to a link: a machine may be in one group
 * that a balancer leads to.
 */

/** Has groups with the machines on which brokers are, as far as there are such machines. @returns links to those that have members */
export async function ensureMembers(
  step: Step,
  deployment: LinkedDeployment,
  network: string,
): Promise<string[]> {
  const groups: string[] = [];
  for (const [zone, machines] of await machinesByZone(step, deployment, network)) {
    const { selfLink } = await ensure(step, groupKind(step, deployment, zone, network));
    await keepMembers(step, networkName(deployment), zone, machines);
    groups.push(selfLink ?? '');
  }
  return groups;
}

export async function removeGroups(step: Step, owner: NetworkOwner): Promise<void> {
  const { api, project } = step;
  const filter = `name eq ${networkName(owner)}`;
  const all = pages(step, (pageToken, options) =>
    api.instanceGroups.aggregatedList({ project, filter, ...(pageToken && { pageToken }) }, options),
  );
  for await (const { items } of all)
    for (const { instanceGroups = [] } of Object.values(items ?? {}))
      for (const { name, zone } of instanceGroups)
        if (name === networkName(owner) && zone) await remove(step, groupKind(step, owner, lastPart(zone)));
}

async function machinesByZone(
  step: Step,
  { uid, brokers }: LinkedDeployment,
  network: string,
): Promise<Map<string, string[]>> {
  const zones = new Map<string, string[]>();
  if (uid === null || brokers.length === 0) return zones;
  const { api, project } = step;
  const isBroker = ({ networkInterfaces = [] }: compute_v1.Schema$Instance) =>
    networkInterfaces.some(
      (one) =>
        pathOf(one.network) === pathOf(network) && brokers.some(({ address }) => address === one.networkIP),
    );
  const filter = `labels.${machineLabel} eq ${uid}`;
  const all = pages(step, (pageToken, options) =>
    api.instances.aggregatedList({ project, filter, ...(pageToken && { pageToken }) }, options),
  );
  for await (const { items } of all)
    for (const { instances = [] } of Object.values(items ?? {}))
      for (const machine of instances.filter(isBroker)) {
        const zone = lastPart(machine.zone ?? '');
        zones.set(zone, [...(zones.get(zone) ?? []), machine.selfLink ?? '']);
      }
  return zones;
}

async function keepMembers(
  step: Step,
  instanceGroup: string,
  zone: string,
  wanted: readonly string[],
): Promise<void> {
  const { api, project } = step;
  const about = { project, zone, instanceGroup };
  const found: string[] = [];
  const all = pages(step, (pageToken, options) =>
    api.instanceGroups.listInstances(
      { ...about, requestBody: { instanceState: 'ALL' }, ...(pageToken && { pageToken }) },
      options,
    ),
  );
  for await (const { items } of all) found.push(...(items ?? []).flatMap(({ instance }) => instance ?? []));
  const lacks = (some: readonly string[], link: string) => !some.some((one) => pathOf(one) === pathOf(link));
  const added = wanted.filter((link) => lacks(found, link)).map((instance) => ({ instance }));
  const gone = found.filter((link) => lacks(wanted, link)).map((instance) => ({ instance }));
  if (gone.length > 0)
    await change(step, (options) =>
      api.instanceGroups.removeInstances({ ...about, requestBody: { instances: gone } }, options),
    );
  if (added.length > 0)
    await change(step, (options) =>
      api.instanceGroups.addInstances({ ...about, requestBody: { instances: added } }, options),
    );
}

const groupKind = ({ api, project }: Step, owner: NetworkOwner, zone: string, network = '') =>
  kindOf<compute_v1.Schema$InstanceGroup>(
    api.instanceGroups,
    'instanceGroup',
    { project, zone },
    {
      ...{ name: networkName(owner), description: networkMark(owner), network },
    },
  );
