import {
  followChanges,
  getStructure,
  SluiceError,
  type Change,
  type ChangeReset,
  type SluiceClient,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { createBacklog } from '../entries/backlog.ts';

/** A change, and where it was: `main-api`, or the cloud and key of a region. */
export type LayerChange = (Change | ChangeReset) & { layer: string };

/** about what a change takes in memory */
const changeBytes = 1_024;

/** The changes of the Main API and of all regions that the tenant uses, also of those that it begins to use. A region that is away is named, and tried again. */
export async function* followLayers(
  cli: Cli,
  signal: AbortSignal,
): AsyncGenerator<LayerChange, void, undefined> {
  const { client, tenantId } = await cli.session();
  // the streams are made again anyway, and say so once
  const once = client.with({ attempts: 1 });
  const path = { tenant_id: await tenantId() };
  const backlog = createBacklog<LayerChange>((lost) =>
    cli.say(`${lost} changes are left out: they come faster than they are written.`),
  );
  const followed = new Set<string>();

  async function follow(layer: string, region?: string): Promise<void> {
    let isAway = false;
    const changes = followChanges({
      ...{ client: once, path, signal, ...(region !== undefined && { region, maxOutageMs: Infinity }) },
      onConnect: () => {
        if (isAway) cli.say(`${layer} is there again.`);
        isAway = false;
      },
      onReconnect: ({ detail }) => {
        if (!isAway) cli.say(`${layer}: the stream has broken off: ${detail} It is made again.`);
        isAway = true;
      },
    });
    try {
      for await (const change of changes) {
        backlog.push({ ...change, layer }, changeBytes);
        if (region === undefined && isOfDeployments(change)) await followRegions();
      }
    } catch (error) {
      const isOlder = error instanceof SluiceError && error.code === 'unknown_path';
      if (region === undefined || !isOlder) return backlog.end(error as Error);
      cli.say(`${layer}: its release has no events.`);
    }
  }

  async function followRegions(): Promise<void> {
    for (const [region, layer] of await regionsOf(client, path, signal))
      if (!followed.has(region)) {
        followed.add(region);
        void follow(layer, region);
      }
  }

  await followRegions();
  void follow('main-api');
  yield* backlog.items();
}

/** Whether there may be deployments in another region than before. */
const isOfDeployments = (change: Change | ChangeReset): boolean =>
  change.type === 'reset' || (change.kind === 'deployment' && change.change === 'created');

/** The names of regions with deployments that the caller sees, by the addresses of their supervisors. */
async function regionsOf(
  client: SluiceClient,
  path: { tenant_id: number },
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const { data } = await getStructure({ client, path, signal });
  const deployments = data.divisions.flatMap(({ environments }) =>
    environments.flatMap((environment) => environment.deployments),
  );
  return new Map(deployments.map(({ supervisor_url: url, cloud, region }) => [url, `${cloud}/${region}`]));
}
