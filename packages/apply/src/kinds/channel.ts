import {
  createChannel,
  createDivisionChannel,
  deleteChannel,
  deleteDivisionChannel,
  replaceChannelSubscriptions,
  replaceDivisionChannelSubscriptions,
  updateChannel,
  updateDivisionChannel,
  type ChannelChanges,
  type ChannelInput,
  type ChannelSubscriptionInput,
  type ConsumerLagThreshold,
} from '@sluice/client';
import { keyOf, placeKey } from '../entries.ts';
import { readChannel } from '../organization/channels.ts';
import { marked } from '../document/canonical.ts';
import {
  changedOf,
  covers,
  picked,
  requireUnchanged,
  type Existing,
  type Kind,
  type Run,
  type Wanted,
} from './kind.ts';

/** Channels of the tenant and of divisions, with their subscriptions. */

interface Subscription {
  message_types: string[];
  consumer_lag_threshold?: ConsumerLagThreshold;
  scopes?: string[];
}

const subscriptionsOf = ({ fields }: Wanted) => fields['subscriptions'] as Subscription[] | undefined;
const divisionOf = ({ parent }: Pick<Wanted, 'parent'>): string | undefined =>
  parent?.replace(/^division /, '');

function callOf(entry: Pick<Wanted, 'parent'>, { client, signal, ids }: Run) {
  const division = divisionOf(entry);
  const division_id = division === undefined ? 0 : ids.get(`division ${division}`);
  return { client, signal, path: { tenant_id: ids.tenantId, division_id } };
}

const scopesOf = ({ scopes = [] }: Subscription) => scopes.filter((scope) => scope !== '/');

function subscriptionInput(subscription: Subscription, { ids }: Run): ChannelSubscriptionInput {
  const at = (depth: number) => {
    const places = scopesOf(subscription).filter((scope) => scope.split('/').length === depth);
    return places.map((place) => ids.get(placeKey(place)));
  };
  return {
    message_types: subscription.message_types,
    ...(subscription.consumer_lag_threshold !== undefined && {
      consumer_lag_threshold: subscription.consumer_lag_threshold,
    }),
    scope_tenant_ids: subscription.scopes?.includes('/') ? [ids.tenantId] : [],
    scope_division_ids: at(1),
    scope_environment_ids: at(2),
    scope_deployment_ids: at(3),
  };
}

async function setSubscriptions(wanted: Wanted, channel_id: number, run: Run): Promise<void> {
  const subscriptions = (subscriptionsOf(wanted) ?? []).map((one) => subscriptionInput(one, run));
  const call = callOf(wanted, run);
  const request = { ...call, path: { ...call.path, channel_id }, body: { subscriptions } };
  if (wanted.parent === null) await replaceChannelSubscriptions(request);
  else await replaceDivisionChannelSubscriptions(request);
}

const own = (entry: Pick<Wanted, 'parent'>, ofTenant: string, ofDivision: string) =>
  entry.parent === null ? ofTenant : ofDivision;

export const channel: Kind = {
  fixed: ['channel'],
  required: ['channel', 'destination'],
  same: { settings: covers },
  needs: (wanted) => (subscriptionsOf(wanted) ?? []).flatMap((one) => scopesOf(one).map(placeKey)),
  create: {
    operation: (wanted) => own(wanted, 'createChannel', 'createDivisionChannel'),
    async send(wanted, run) {
      const { set, ids } = run;
      const given = picked(wanted, ['channel', 'destination', 'settings']);
      const remarks = marked(wanted.fields['remarks'] as string | null | undefined, set);
      const body = { ...given, name: wanted.name, remarks } as ChannelInput;
      const call = callOf(wanted, run);
      const { data } = await (wanted.parent === null
        ? createChannel({ ...call, body })
        : createDivisionChannel({ ...call, body }));
      ids.set(keyOf(wanted), data.id);
      if (wanted.fields['enabled'] === false) await change(wanted, data.id, { enabled: false }, run);
      if ((subscriptionsOf(wanted) ?? []).length > 0) await setSubscriptions(wanted, data.id, run);
    },
  },
  updates: (wanted, existing, changed) => {
    const fields = changedOf(changed, ['name', 'destination', 'enabled', 'remarks', 'settings']);
    const remarks = marked(wanted.fields['remarks'] as string | null, existing.set);
    const changes = { ...picked(wanted, fields), ...(changed.has('remarks') && { remarks }) };
    const all = [
      {
        fields,
        operation: own(wanted, 'updateChannel', 'updateDivisionChannel'),
        send: (run: Run) => change(wanted, existing.id, changes, run),
      },
      {
        fields: ['subscriptions'],
        operation: own(wanted, 'replaceChannelSubscriptions', 'replaceDivisionChannelSubscriptions'),
        send: (run: Run) => setSubscriptions(wanted, existing.id, run),
      },
    ];
    const needed = all.filter(({ fields: its }) => its.some((field) => changed.has(field)));
    return needed.map((update, at) => ({
      ...update,
      async send(run: Run) {
        if (at === 0) await requireUnchanged(channel, existing, run);
        await update.send(run);
      },
    }));
  },
  remove: {
    operation: (existing) => own(existing, 'deleteChannel', 'deleteDivisionChannel'),
    async send(existing, run) {
      await requireUnchanged(channel, existing, run);
      const call = callOf(existing, run);
      const request = { ...call, path: { ...call.path, channel_id: existing.id } };
      await (existing.parent === null ? deleteChannel(request) : deleteDivisionChannel(request));
    },
  },
  async reread(existing: Existing, run) {
    const division = divisionOf(existing);
    const { client, signal, ids, placeOf } = run;
    const owner =
      division === undefined ? undefined : { id: ids.get(`division ${division}`), name: division };
    return readChannel({ client, signal, tenantId: ids.tenantId, placeOf }, owner, existing.id);
  },
};

async function change(entry: Wanted, channel_id: number, body: ChannelChanges, run: Run): Promise<void> {
  const call = callOf(entry, run);
  const request = { ...call, path: { ...call.path, channel_id }, body };
  await (entry.parent === null ? updateChannel(request) : updateDivisionChannel(request));
}
