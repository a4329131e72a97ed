import {
  createManagedDeployment,
  createStarterDeployment,
  previewDeployment,
  type CostPreview,
  type DeploymentDetail,
  type ManagedDeploymentInput,
  type PreviewInput,
  type SluiceClient,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { usageError } from '@sluice/terminal/errors';
import type { WaitFlags } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import { labelOf } from '../entries/entries.ts';
import { labelsOf, type LabelFlags } from '../places/labels.ts';
import { nameOf, pathOf, segmentsOf } from '@sluice/apply/place-path';
import type { EnvironmentPlace } from '../../places.ts';
import { detailView, type Shown } from './view.ts';
import { waitWithSteps } from './waiting.ts';

interface ShapeFlags {
  cloud: ManagedDeploymentInput['cloud'];
  region: string;
  tier: ManagedDeploymentInput['tier'];
  storageType?: NonNullable<ManagedDeploymentInput['storage']>['type'];
  storageSize?: number;
  throughput?: number;
  availability?: NonNullable<ManagedDeploymentInput['availability_mode']>;
  encrypted?: boolean;
  dedicated?: boolean;
  publicIp: boolean;
}

export interface CreateFlags extends ShapeFlags, WaitFlags, LabelFlags {
  cluster: ManagedDeploymentInput['cluster'];
  protected?: boolean;
  subdomain: boolean;
  spendLimit?: number;
  /** milliseconds */
  retention?: number;
}

const dayMs = 86_400_000;

export async function create(cli: Cli, at: string, flags: CreateFlags): Promise<void> {
  await createAt(cli, at, flags, (call, body) => createManagedDeployment({ ...call, body }));
}

type Create = (
  call: { client: SluiceClient; path: EnvironmentPlace },
  body: ManagedDeploymentInput,
) => Promise<{ data: DeploymentDetail }>;

/** Creates a deployment at a place, whose last part is its name, by the operation of its variant. */
export async function createAt(cli: Cli, at: string, flags: CreateFlags, send: Create): Promise<void> {
  const { client, places } = await cli.session();
  const segments = segmentsOf(at);
  const last = segments.pop();
  if (last === undefined)
    throw usageError('The deployment needs a name.', 'write its place, such as payments/dev/orders');
  const name = nameOf(last);
  const environment = await places.find(
    'environment',
    segments.length === 0 ? undefined : segments.join('/'),
  );
  const body = {
    ...shapeOf(flags),
    name,
    cluster: flags.cluster,
    ...labelsOf(flags),
    ...(flags.protected && { protected: true }),
    ...(!flags.subdomain && { subdomain_enabled: false }),
    ...(flags.spendLimit !== undefined && { spend_limit: flags.spendLimit }),
    ...(flags.retention !== undefined && { retention: { telemetry_days: daysOf(flags.retention) } }),
  };
  const { data } = await send({ client, path: environment }, body);
  await created(cli, data, `${environment.path}/${pathOf(name)}`, flags);
}

function daysOf(milliseconds: number): number {
  if (milliseconds % dayMs === 0) return milliseconds / dayMs;
  throw usageError('--retention is kept in whole days.', 'write it such as 7d');
}

interface StarterFlags extends WaitFlags, LabelFlags {
  cloud: ManagedDeploymentInput['cloud'];
  region: string;
  name?: string;
}

export async function starter(cli: Cli, at: string | undefined, flags: StarterFlags): Promise<void> {
  const { client, places, context } = await cli.session();
  const [ofDivision, ofEnvironment] = segmentsOf(at ?? context.place ?? '');
  const division = await divisionOf(cli, ofDivision);
  const environment = ofEnvironment === undefined ? undefined : nameOf(ofEnvironment);
  const { cloud, region, name } = flags;
  const environments = (await places.list('environment')).filter(
    ({ division_id }) => division_id === division.division_id,
  );
  const existing = environments.find(
    (one) => one.name === environment || String(one.environment_id) === environment,
  );
  const { data } = await createStarterDeployment({
    client,
    path: division,
    body: {
      cloud,
      region,
      ...(existing
        ? { environment_id: existing.environment_id }
        : environment !== undefined && { environment_name: environment }),
      ...(name !== undefined && { deployment_name: name }),
      ...labelsOf(flags),
    },
  });
  await created(
    cli,
    data,
    pathOf(division.name, existing?.name ?? environment ?? 'sandbox', data.name),
    flags,
  );
}

/** Without a place the only division, where there is only one. */
async function divisionOf(cli: Cli, text: string | undefined) {
  const { places } = await cli.session();
  const [only, ...others] = text === undefined ? await places.list('division') : [];
  return only && others.length === 0 ? only : places.find('division', text);
}

async function created(
  cli: Cli,
  deployment: DeploymentDetail,
  place: string,
  flags: WaitFlags,
): Promise<void> {
  const now = flags.wait
    ? await waitWithSteps(cli, { deploymentId: deployment.id, timeout: flags.timeout })
    : undefined;
  await cli.output.item<Shown>({ ...(now ?? deployment), place, live: null }, detailView);
  if (!flags.wait) cli.say(`It is being created. Wait for it: sluice deployments wait ${deployment.id}`);
}

const previewView: View<CostPreview> = {
  name: ({ tier }) => tier,
  columns: [],
  fields: ({ cloud, region, tier, nodes, instance, monthly_total_usd, breakdown }) => [
    ['Deployment', `${tier}, ${nodes} × ${instance}, ${cloud} ${region}`],
    ...Object.entries(breakdown).map(([part, dollars]) => [labelOf(part), `$${dollars}`] as const),
    ['A month', `$${monthly_total_usd}`],
  ],
};

export async function preview(
  cli: Cli,
  at: string | undefined,
  flags: ShapeFlags & { nodes?: number },
): Promise<void> {
  const { client, places } = await cli.session();
  const environment = await places.find('environment', at);
  const body: PreviewInput = { ...shapeOf(flags), ...(flags.nodes !== undefined && { nodes: flags.nodes }) };
  const { data } = await previewDeployment({ client, path: environment, body, signal: cli.signal });
  await cli.output.item(data, previewView);
}

function shapeOf({
  cloud,
  region,
  tier,
  storageType,
  storageSize,
  throughput,
  availability,
  ...flags
}: ShapeFlags) {
  const storage = {
    ...(storageType !== undefined && { type: storageType }),
    ...(storageSize !== undefined && { size: storageSize }),
  };
  return {
    cloud,
    region,
    tier,
    ...(Object.keys(storage).length > 0 && { storage }),
    ...(throughput !== undefined && { target_network_tput: throughput }),
    ...(availability !== undefined && { availability_mode: availability }),
    ...(flags.encrypted && { encrypted: true }),
    ...(flags.dedicated && { dedicated: true }),
    ...(!flags.publicIp && { public_ip_enabled: false }),
  };
}
