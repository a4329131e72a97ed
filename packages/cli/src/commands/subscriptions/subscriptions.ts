import {
  listNotificationTypes,
  paginate,
  type ChannelSubscription,
  type ChannelSubscriptionDetail,
  type ConsumerLagThreshold,
  type NotificationTypeEntry,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { usageError } from '@sluice/terminal/errors';
import type { DestroyFlags } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import { segmentsOf } from '@sluice/apply/place-path';
import { confirm } from '../../prompts.ts';
import { channels, withId } from '../channels/channels.ts';
import { operationsOf } from '../channels/operations.ts';

type Shown = ChannelSubscription & Partial<ChannelSubscriptionDetail>;

const placesOf = (one: Shown): string =>
  [one.scope_tenants, one.scope_divisions, one.scope_environments, one.scope_deployments]
    .flatMap((named) => named ?? [])
    .map(({ name }) => name)
    .join(', ');

const view: View<Shown> = {
  name: ({ id }) => String(id),
  empty: 'There is no subscription, so the channel gets all events.',
  columns: [
    { header: 'ID', value: ({ id }) => id },
    { header: 'TYPES', value: ({ message_types }) => message_types.join(', ') },
    { header: 'AT', value: (one) => placesOf(one) || 'anywhere' },
    { header: 'LAG', value: ({ consumer_lag_threshold: lag }) => lag ?? '', wide: true },
    { header: 'CREATED', value: ({ created_at }) => created_at, wide: true },
  ],
};

/** The list leaves environments and deployments out: each is read. */
export async function list(cli: Cli, text: string, at: string | undefined): Promise<void> {
  const { call, id } = await channels.find(cli, text, at);
  const own = withId(call, id);
  async function* whole(): AsyncGenerator<Shown> {
    const all = paginate((options) => operationsOf(call).subscriptions(options), own);
    for await (const { id: subscription_id } of all) yield await read(subscription_id);
  }
  const read = async (subscription_id: number) =>
    (await operationsOf(call).getSubscription({ ...own, path: { ...own.path, subscription_id } })).data;
  await cli.output.list(whole(), view);
}

export async function show(cli: Cli, text: string, given: string, at: string | undefined): Promise<void> {
  const { call, path } = await found(cli, text, given, at);
  await cli.output.item((await operationsOf(call).getSubscription({ ...call, path })).data, view);
}

async function found(cli: Cli, text: string, given: string, at: string | undefined) {
  if (!/^\d{1,15}$/.test(given))
    throw usageError('A subscription is given by its id.', 'sluice subscriptions list');
  const { call, id, title } = await channels.find(cli, text, at);
  return { call, title, path: { ...withId(call, id).path, subscription_id: Number(given) } };
}

export async function types(cli: Cli): Promise<void> {
  const { client } = await cli.session();
  const { data } = await listNotificationTypes({ client, signal: cli.signal });
  const typeView: View<NotificationTypeEntry> = {
    name: ({ type }) => type,
    columns: [
      { header: 'TYPE', value: ({ type }) => type },
      { header: 'NAME', value: ({ name }) => name },
    ],
  };
  await cli.output.list(data, typeView);
}

export async function create(
  cli: Cli,
  text: string,
  at: string | undefined,
  { types: message_types, lag, at: scope = [] }: { types: string[]; lag?: string; at?: string[] },
): Promise<void> {
  const { call, id } = await channels.find(cli, text, at);
  const body = {
    message_types,
    ...(lag !== undefined && { consumer_lag_threshold: Number(lag) as ConsumerLagThreshold }),
    ...(await scopesOf(cli, scope)),
  };
  const { data } = await operationsOf(call).subscribe({ ...withId(call, id), body });
  await cli.output.item(data, view);
}

/** `payments` is a division, `payments/dev` an environment, `payments/dev/orders` a deployment. */
async function scopesOf(cli: Cli, written: readonly string[]) {
  const { places } = await cli.session();
  const ids = { division: [] as number[], environment: [] as number[], deployment: [] as number[] };
  for (const one of written) {
    const length = segmentsOf(one).length;
    if (length === 1) ids.division.push((await places.find('division', one)).division_id);
    else if (length === 2) ids.environment.push((await places.find('environment', one)).environment_id);
    else ids.deployment.push((await places.find('deployment', one)).deployment_id);
  }
  return Object.fromEntries(
    Object.entries(ids)
      .filter(([, given]) => given.length > 0)
      .map(([kind, given]) => [`scope_${kind}_ids`, given] as const),
  );
}

export async function destroy(
  cli: Cli,
  text: string,
  given: string,
  at: string | undefined,
  flags: DestroyFlags,
): Promise<void> {
  const { call, path, title } = await found(cli, text, given, at);
  await confirm(cli, { what: `the subscription ${given} of ${title}`, name: given }, flags);
  await operationsOf(call).unsubscribe({ ...call, path });
  cli.say(`The subscription ${given} is deleted.`);
}
