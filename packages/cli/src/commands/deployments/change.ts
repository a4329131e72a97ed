import {
  extendDeployment,
  getDeployment,
  setRetention,
  setSpendLimit,
  updateDeployment,
  upgradeDeployment,
  SluiceError,
  type DeploymentDetail,
  type UpgradeInput,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { usageError } from '@sluice/terminal/errors';
import type { WaitFlags } from '@sluice/terminal/options';
import type { DeploymentPlace } from '../../places.ts';
import { changesOf, type EditFlags } from '../places/edits.ts';
import { changedLabels } from '../places/labels.ts';
import { detailView } from './view.ts';
import { waitWithSteps } from './waiting.ts';

interface UpgradeFlags extends WaitFlags {
  tier?: NonNullable<UpgradeInput['tier']>;
  storageSize?: number;
}

export async function upgrade(
  cli: Cli,
  at: string | undefined,
  { tier, storageSize, ...flags }: UpgradeFlags,
): Promise<void> {
  if (tier === undefined && storageSize === undefined)
    throw usageError('What shall it have?', 'pass --tier, --storage-size or both');
  const { client, places } = await cli.session();
  const place = await places.find('deployment', at);
  const body = {
    ...(tier !== undefined && { tier }),
    ...(storageSize !== undefined && { storage: { size: storageSize } }),
  };
  const { data } = await upgradeDeployment({ client, path: place, body });
  await changed(cli, place, data, flags);
}

export async function extend(
  cli: Cli,
  at: string | undefined,
  { nodes, ...flags }: WaitFlags & { nodes: number },
): Promise<void> {
  const { client, places } = await cli.session();
  const place = await places.find('deployment', at);
  const { data } = await extendDeployment({ client, path: place, body: { nodes: [{ count: nodes }] } });
  await changed(cli, place, data, flags);
}

/** Shows what comes of an upgrade: at once, or when it has ended. @throws SluiceError `wait_failed` where it was rolled back */
async function changed(
  cli: Cli,
  place: DeploymentPlace,
  deployment: DeploymentDetail,
  { wait, timeout }: WaitFlags,
): Promise<void> {
  const requestedAt = deployment.upgrades[0]?.requested_at;
  const mine = ({ upgrades }: DeploymentDetail) =>
    upgrades.find(({ requested_at }) => requested_at === requestedAt);
  const isOver = (one: DeploymentDetail) =>
    !['pending', 'in_progress'].includes(mine(one)?.status ?? 'pending');
  const title = (one: DeploymentDetail) => `${mine(one)?.status ?? 'pending'} (${one.status})`;
  const deploymentId = place.deployment_id;
  const then = wait
    ? await waitWithSteps(cli, { deploymentId, timeout, until: isOver, title, toleratesFailure: true })
    : deployment;
  const now = then ?? deployment;
  const upgraded = mine(now);
  if (wait && upgraded?.status !== 'completed') {
    const detail = `The upgrade is ${upgraded?.status ?? 'lost'}: ${upgraded?.reason ?? 'no reason is known'}.`;
    throw new SluiceError({ code: 'wait_failed', detail });
  }
  await cli.output.item({ ...now, place: place.path, live: null }, detailView);
}

export async function edit(
  cli: Cli,
  at: string | undefined,
  flags: Pick<EditFlags, 'description' | 'protected' | 'label' | 'removeLabel'>,
): Promise<void> {
  const body = changesOf(flags);
  const { client, places } = await cli.session();
  const place = await places.find('deployment', at);
  const labels = await changedLabels(flags, () => getDeployment({ client, path: place, signal: cli.signal }));
  await updateDeployment({ client, path: place, ...labels, body: { ...body, ...labels.body } });
  cli.say(`${place.path} is changed.`);
}

export async function protect(
  cli: Cli,
  at: string | undefined,
  { off = false }: { off?: boolean },
): Promise<void> {
  await update(cli, at, { protected: !off });
}

export async function describe(cli: Cli, at: string, text: string | undefined): Promise<void> {
  await update(cli, at, { description: text ?? null });
}

async function update(
  cli: Cli,
  at: string | undefined,
  body: Parameters<typeof updateDeployment>[0]['body'],
): Promise<void> {
  const { client, places } = await cli.session();
  const place = await places.find('deployment', at);
  await updateDeployment({ client, path: place, body });
  cli.say(`${place.path} is changed.`);
}

export async function spendLimit(
  cli: Cli,
  at: string | undefined,
  flags: { dollars?: number; none?: boolean },
): Promise<void> {
  if ((flags.dollars === undefined) === !flags.none)
    throw usageError('What is the limit?', 'pass either --dollars or --none');
  const { client, places } = await cli.session();
  const place = await places.find('deployment', at);
  await setSpendLimit({ client, path: place, body: { spend_limit: flags.dollars ?? null } });
  cli.say(
    flags.dollars === undefined
      ? `${place.path} has no limit.`
      : `${place.path} may cost $${flags.dollars} a month.`,
  );
}

export async function retention(cli: Cli, at: string | undefined, { days }: { days: number }): Promise<void> {
  const { client, places } = await cli.session();
  const place = await places.find('deployment', at);
  await setRetention({ client, path: place, body: { retention: { telemetry_days: days } } });
  cli.say(`Metrics, logs and heartbeats of ${place.path} are kept for ${days} days.`);
}
