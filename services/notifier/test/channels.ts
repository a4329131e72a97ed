import {
  idOf,
  type ChannelId,
  type ChannelKind,
  type ChannelSecrets,
  type ChannelState,
  type ChannelSubscriptionId,
  type DivisionId,
  type NotificationView,
  type Ref,
  type ScopeIds,
  type TenantId,
} from '@sluice/contracts';
import { eventually } from '@sluice/testing';
import type { NotifierService } from './notifier-service.ts';

/** The owner of channels, as events name it. */
export interface Owner {
  tenant_id: TenantId;
  division: Ref<DivisionId> | null;
}

export const tenant = (id = 1): Owner => ({ tenant_id: idOf<TenantId>(id), division: null });
export const division = (id: number, tenantId = 1): Owner => ({
  tenant_id: idOf<TenantId>(tenantId),
  division: { id: idOf<DivisionId>(id), name: `division ${id}` },
});

/** What a test says of a channel: a webhook with a name of its own where it leaves that open. */
export interface ChannelInput extends Partial<Pick<ChannelSecrets, 'destination' | 'settings'>> {
  channel?: ChannelKind;
  name?: string;
  enabled?: boolean;
  subscriptions?: Omit<ChannelState['subscriptions'][number], 'id'>[];
}

let ids = 0;

/** Plays main-api, which has the channels. */
export function makesChannels(on: NotifierService) {
  const known = new Map<ChannelId, { version: number; owner: Owner; createdAt: Date; input: ChannelInput }>();
  /** Sends the state of a channel, and waits until it is taken in. */
  async function send(id: ChannelId, changes: ChannelInput | null): Promise<void> {
    const channel = known.get(id);
    if (!channel) throw new Error(`there is no channel ${id}`);
    const version = (channel.version += 1);
    Object.assign(channel.input, changes);
    await on.channel('channel_state', {
      channel_id: id,
      version,
      state: changes && (await stateOf(on, channel, id)),
    });
    await eventually(async () => {
      const [row] = await on.sql<{ version: number }>(
        'SELECT version FROM channel_versions WHERE channel_id = $1',
        [id],
      );
      expect(Number(row?.version)).toBeGreaterThanOrEqual(version);
    });
  }
  return {
    send,
    create: async (
      input: ChannelInput = {},
      { owner = tenant() } = {},
    ): Promise<{ id: ChannelId; signing_secret: string }> => {
      const id = idOf<ChannelId>(++ids);
      known.set(id, { version: 0, owner, createdAt: new Date(), input: { ...input } });
      await send(id, {});
      return { id, signing_secret: signingSecretOf(id) };
    },
    remove: (id: ChannelId) => send(id, null),
    test: (channel_id: ChannelId) =>
      on.channel('channel_test', { channel_id, message_id: crypto.randomUUID() }),
    history: async (channel_id: ChannelId): Promise<NotificationView[]> => {
      return (await on.request('list_notifications', { channel_id, offset: 0, results: 100 })).items;
    },
  };
}

const signingSecretOf = (id: ChannelId) => `whsec_${Buffer.alloc(32, id).toString('base64')}`;

async function stateOf(
  on: NotifierService,
  { owner, createdAt, input }: { owner: Owner; createdAt: Date; input: ChannelInput },
  id: ChannelId,
): Promise<ChannelState> {
  const { channel = 'webhook', name = `channel ${id}`, enabled = true, subscriptions = [] } = input;
  const { destination = 'https://hooks.example.com/sluice', settings = {} } = input;
  const signing_secret = channel === 'webhook' ? signingSecretOf(id) : null;
  return {
    ...{ tenant_id: owner.tenant_id, division_id: owner.division?.id ?? null, channel, name, enabled },
    sealed: await on.seal(JSON.stringify({ destination, settings, signing_secret })),
    created_at: createdAt.toISOString(),
    subscriptions: subscriptions.map((content) => ({ id: idOf<ChannelSubscriptionId>(++ids), ...content })),
  };
}

/** Ids by level, as a subscription names them. */
export const scopes = (named: { [Level in keyof ScopeIds]?: number[] } = {}) =>
  ({ tenants: [], divisions: [], environments: [], deployments: [], ...named }) as ScopeIds;

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
