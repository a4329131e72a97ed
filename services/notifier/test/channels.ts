import {
  idOf,
  type ChannelId,
  type ChannelInput,
  type ChannelOwner,
  type ChannelSubscriptionInput,
  type DivisionId,
  type NotificationView,
  type SubscriptionScopes,
  type TenantId,
} from '@sluice/contracts';
import { eventually } from '@sluice/testing';
import type { NotifierService } from './notifier-service.ts';

export const tenant = (id = 1): ChannelOwner => ({ tenant_id: idOf<TenantId>(id), division: null });
export const division = (id: number, tenantId = 1): ChannelOwner => ({
  tenant_id: idOf<TenantId>(tenantId),
  division: { id: idOf<DivisionId>(id), name: `division ${id}` },
});

const cause = { author: null, api_key: null, correlation_id: null };
export const change = (owner: ChannelOwner, once: string | null = null) => ({ ...owner, cause, once });

let names = 0;

/** What is said of a new channel: a webhook with a name of its own, unless it is told. */
export const aChannel = (input: Partial<ChannelInput> = {}): ChannelInput => ({
  channel: 'webhook',
  name: `channel ${++names}`,
  destination: 'https://hooks.example.com/sluice',
  settings: {},
  remarks: null,
  ...input,
});

/** Creates channels, as main-api does. */
export const makesChannels = (on: NotifierService) => ({
  create: (
    input: Partial<ChannelInput> = {},
    { owner = tenant(), limit = 100, once = null as string | null } = {},
  ) =>
    on.request('create_channel', {
      ...change(owner, once),
      input: aChannel(input),
      limit,
      may_customize: true,
    }),
  subscribe: (channel_id: ChannelId, input: ChannelSubscriptionInput, owner = tenant()) =>
    on.request('create_channel_subscription', { ...change(owner), channel_id, input, limit: 100 }),
  history: async (channel_id: ChannelId, owner = tenant()): Promise<NotificationView[]> => {
    const asked = { ...owner, channel_id, offset: 0, results: 100 };
    return (await on.request('list_notifications', asked)).items;
  },
});

/** Ids by level, as a subscription names them. */
export function scopes(ids: { [Level in keyof SubscriptionScopes]?: number[] } = {}): SubscriptionScopes {
  const refs = (list: number[] = []) => list.map((id) => ({ id, name: `named ${id}` }));
  return {
    tenants: refs(ids.tenants),
    divisions: refs(ids.divisions),
    environments: refs(ids.environments),
    deployments: refs(ids.deployments),
  } as SubscriptionScopes;
}

/** Waits until nothing of a channel is pending, and answers its history, newest first. */
export async function settled(
  history: () => Promise<NotificationView[]>,
  count = 1,
): Promise<NotificationView[]> {
  return await eventually(
    async () => {
      const items = await history();
      expect(items.filter(({ status }) => status !== 'pending').length).toBeGreaterThanOrEqual(count);
      return items;
    },
    { timeoutMs: 30_000 },
  );
}
