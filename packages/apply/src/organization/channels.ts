import {
  getChannel,
  getChannelSubscription,
  getDivisionChannel,
  getDivisionChannelSubscription,
  listChannels,
  listChannelSubscriptions,
  listDivisionChannels,
  listDivisionChannelSubscriptions,
  paginate,
  type Channel,
  type ChannelDetail,
  type ChannelSubscriptionDetail,
} from '@sluice/client';
import { pathOf } from '../place-path.ts';
import type { Existing, Fields } from '../entries.ts';
import { canonicalSubscriptions, unmarked } from '../document/canonical.ts';
import type { Reader } from './reader.ts';

type Reads = Pick<Reader, 'client' | 'signal' | 'tenantId' | 'placeOf'>;

export async function readChannels(
  reader: Reader,
  divisions: readonly { id: number; name: string }[],
): Promise<void> {
  const { client, signal, tenantId: tenant_id, turn } = reader;
  const owners = [undefined, ...divisions];
  await Promise.all(
    owners.map(async (division) => {
      const path = { tenant_id, division_id: division?.id ?? 0 };
      const list: AsyncIterable<Channel> = division
        ? paginate(listDivisionChannels, { client, path, signal })
        : paginate(listChannels, { client, path, signal });
      for await (const { id } of list) {
        await turn(async () => reader.add(await readChannel(reader, division, id)));
      }
    }),
  );
}

/** A channel with its subscriptions. */
export async function readChannel(
  reads: Reads,
  division: { id: number; name: string } | undefined,
  channel_id: number,
): Promise<Existing> {
  const { client, signal, tenantId: tenant_id } = reads;
  const path = { tenant_id, division_id: division?.id ?? 0, channel_id };
  const call = { client, path, signal };
  const { data } = division ? await getDivisionChannel(call) : await getChannel(call);
  const list = division
    ? paginate(listDivisionChannelSubscriptions, call)
    : paginate(listChannelSubscriptions, call);
  const subscriptions: ChannelSubscriptionDetail[] = [];
  for await (const { id: subscription_id } of list) {
    const one = { ...call, path: { ...path, subscription_id } };
    const read = division ? await getDivisionChannelSubscription(one) : await getChannelSubscription(one);
    subscriptions.push(read.data);
  }
  const { remarks, set } = unmarked(data.remarks);
  const place = division ? `${pathOf(division.name)}: ${data.name}` : data.name;
  const parent = division ? `division ${pathOf(division.name)}` : null;
  const fields = {
    ...channelFields(data),
    remarks,
    subscriptions: subscriptionsOf(subscriptions, reads.placeOf),
  };
  return { kind: 'channel', name: data.name, parent, place, id: data.id, fields, set };
}

function channelFields({ name, channel, destination, enabled, settings }: ChannelDetail): Fields {
  const given = Object.entries(settings).filter(([, value]) => value !== null);
  return { name, channel, destination, enabled, settings: Object.fromEntries(given) };
}

function subscriptionsOf(subscriptions: readonly ChannelSubscriptionDetail[], placeOf: Reader['placeOf']) {
  const places = (kind: string, refs: readonly { id: number; name: string }[]) =>
    refs.map(({ id, name }) => placeOf.get(`${kind} ${id}`) ?? name);
  return canonicalSubscriptions(
    subscriptions.map((one) => ({
      message_types: one.message_types,
      consumer_lag_threshold: one.consumer_lag_threshold ?? undefined,
      scopes: [
        ...places('tenant', one.scope_tenants),
        ...places('division', one.scope_divisions),
        ...places('environment', one.scope_environments),
        ...places('deployment', one.scope_deployments),
      ],
    })),
  );
}
