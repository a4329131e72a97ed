import {
  getDeployment,
  getDeploymentAtSupervisor,
  listAllDeployments,
  listStatusPeriods,
  paginate,
  SluiceError,
  type ListAllDeploymentsData,
  type LiveDeployment,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { first } from '@sluice/terminal/options';
import { segmentsOf } from '@sluice/apply/place-path';
import type { DeploymentPlace } from '../../places.ts';
import { inDeployment } from '../entries/entries.ts';
import { labelFilter, type LabelFlags } from '../places/labels.ts';
import { detailView, historyView, listView, type Shown } from './view.ts';

type Query = NonNullable<ListAllDeploymentsData['query']>;

interface ListFlags extends LabelFlags, Pick<Query, 'cloud' | 'region' | 'tier' | 'status' | 'sort'> {
  search?: string;
  limit?: number;
}

export async function list(
  cli: Cli,
  at: string | undefined,
  { search, limit, label, ...filters }: ListFlags,
): Promise<void> {
  const { client, tenantId, context } = await cli.session();
  const query = {
    ...filters,
    ...labelFilter(label === undefined ? {} : { label }),
    ...(search !== undefined && { q: search }),
    ...(await within(cli, at ?? context.place)),
  };
  const path = { tenant_id: await tenantId() };
  const results = Math.min(limit ?? 100, 100) || 1;
  const all = paginate(listAllDeployments, { client, path, query, signal: cli.signal }, { results });
  await cli.output.list(first(all, limit), listView);
}

/** The filter for a division or an environment; for a default place that is a deployment, its environment. */
export async function within(cli: Cli, at: string | null): Promise<Pick<Query, 'division' | 'environment'>> {
  if (at === null) return {};
  const { places } = await cli.session();
  const segments = segmentsOf(at).slice(0, 2);
  if (segments.length < 2) return { division: (await places.find('division', segments[0])).division_id };
  return { environment: (await places.find('environment', segments.join('/'))).environment_id };
}

export async function show(cli: Cli, at: string | undefined): Promise<void> {
  const { client, places } = await cli.session();
  const place = await places.find('deployment', at);
  const [{ data }, live] = await Promise.all([
    getDeployment({ client, path: place, signal: cli.signal }),
    readLive(cli, place),
  ]);
  await cli.output.item<Shown>({ ...data, place: place.path, live }, detailView);
}

export async function history(cli: Cli, at: string | undefined, { limit }: { limit: number }): Promise<void> {
  const call = await inDeployment(cli, at);
  const results = Math.min(limit, 100) || 1;
  await cli.output.list(first(paginate(listStatusPeriods, call, { results }), limit), historyView);
}

/** What the region says; what the Main API knows is shown without it. */
async function readLive(cli: Cli, place: DeploymentPlace): Promise<LiveDeployment | null> {
  const { at } = await cli.session();
  const client = at(place).with({ attempts: 2, maxElapsedMs: 10_000 });
  const { deployment_id } = place;
  try {
    return (await getDeploymentAtSupervisor({ client, path: { deployment_id }, signal: cli.signal })).data;
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    cli.say(`Its region does not answer for it: ${error.detail}`);
    return null;
  }
}
