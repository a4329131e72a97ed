import {
  consoleLinkOf,
  eventSchema,
  eventTypes,
  testMessageType,
  type ChannelMessage,
  type Event,
  type EventData,
  type EventType,
} from '@sluice/contracts';
import { RetryLater, type Envelope, type Many, type Received } from '@sluice/messaging';
import type { Transaction } from '../../database/tables.ts';
import { deleteChannelsOf, findChannel, isKnown } from '../channels/channels.store.ts';
import { notifyChannel, notifyChannels, type Notice } from './notifications.store.ts';
import { deleteSentMailsOf } from '../mails/sent-mails.store.ts';
import { deleteUnsubscribesOf } from '../unsubscribes/unsubscribes.store.ts';
import type { NotificationCounts } from '../delivery/delivery-metrics.ts';
import { renderNotification } from './texts/index.ts';

export interface NotificationsDependencies {
  throttleSeconds: number;
  /** undefined: notifications have no links */
  consoleUrl: string | undefined;
  counts: NotificationCounts;
  now: () => Date;
  /** called with each transaction that has something to be delivered once it is committed */
  due: (tx: Transaction) => void;
}

/** an event as old as this is no news any more: a notifier that was away for long, or reads the stream for the first time */
const staleMilliseconds = 24 * 60 * 60 * 1_000;

const types = new Map<string, EventType>(Object.entries(eventTypes));

/** An event, with the notice to channels, if it has one. */
interface Noticed {
  event: Event;
  notice: Notice | undefined;
}

/** Notifies channels of events (interface, 6.2), of each event once. */
export function notificationsService({
  throttleSeconds,
  consoleUrl,
  counts,
  now,
  due,
}: NotificationsDependencies) {
  const isNews = ({ type, occurred_at }: Event) =>
    types.get(type)?.notification === true && now().getTime() - Date.parse(occurred_at) <= staleMilliseconds;

  const noticed = (message: Envelope): Noticed => {
    const event = eventSchema.parse(message);
    const notice = isNews(event)
      ? {
          event,
          message: {
            ...renderNotification(event),
            ...(consoleUrl !== undefined && { link: consoleLinkOf(consoleUrl, event) }),
            data: event.data,
          },
          consumerLag: consumerLagOf(event),
          resource: resourceOf(event),
        }
      : undefined;
    return { event, notice };
  };

  const notify = async (tx: Transaction, notices: readonly Notice[]) => {
    const { pending, throttled } = await notifyChannels(tx.db, notices, throttleSeconds);
    counts.throttled.inc(throttled);
    if (pending > 0) due(tx);
  };

  /** In their order: together those between which no channels are deleted. */
  const takeEffect = async (tx: Transaction, all: readonly Noticed[]) => {
    let together: Notice[] = [];
    for (const { event, notice } of all) {
      if (isEnd(event)) {
        await notify(tx, together);
        together = [];
        await deleteWhatBelongsTo(tx, event);
      }
      if (notice && event.type !== 'tenant_deleted') together.push(notice);
    }
    await notify(tx, together);
  };

  return {
    /**
     * Sends a channel the message that a caller has asked for, also where it is not enabled.
     * @throws RetryLater before the channel has come
     */
    async test(tx: Transaction, { channel_id, message_id }: ChannelMessage<'channel_test'>): Promise<void> {
      const channel = await findChannel(tx.db, channel_id);
      if (!channel) {
        if (await isKnown(tx.db, channel_id)) return;
        // another replica is still taking in the channel
        throw new RetryLater('the channel has not come yet');
      }
      const about = { tenantId: channel.tenant_id, type: testMessageType, messageId: message_id };
      await notifyChannel(tx.db, channel_id, about, testMessage(channel));
      due(tx);
    },

    async notice(tx: Transaction, message: Envelope): Promise<void> {
      await takeEffect(tx, [noticed(message)]);
    },

    /** Events that come in numbers: put into words while others are being stored. */
    noticeMany(): Many<Transaction> {
      const all = new Map<Received, Noticed>();
      return {
        add: (received) => void all.set(received, noticed(received.message)),
        store: (tx, isNew) =>
          takeEffect(
            tx,
            [...all].flatMap(([received, one]) => (isNew(received) ? [one] : [])),
          ),
      };
    },
  };
}

const testMessage = ({ name }: { name: string }) => ({
  subject: 'Test message from Sluice',
  body: `This is a test of the notification channel “${name}”. It works: nothing else has to be done.`,
  facts: [{ name: 'Channel', value: name }],
});

const isEnd = ({ type, division }: Event) =>
  type === 'tenant_deleted' || (type === 'division_deleted' && division !== null);

async function deleteWhatBelongsTo(tx: Transaction, { type, tenant_id, division }: Event): Promise<void> {
  if (type === 'tenant_deleted') {
    await deleteSentMailsOf(tx.db, tenant_id);
    await deleteChannelsOf(tx.db, tenant_id);
    await deleteUnsubscribesOf(tx.db, tenant_id);
  } else if (division) await deleteChannelsOf(tx.db, tenant_id, division.id);
}

const lagTypes = ['consumer_lag_high', 'consumer_lag_high_resolved'];

/** From how many messages on an alert of a consumer that lags is raised; undefined for all other events. */
const consumerLagOf = ({ type, data }: Pick<Event, 'type' | 'data'>) =>
  lagTypes.includes(type) ? (data as EventData<'consumer_lag_high'>).threshold : undefined;

/** What an event is about: a second one about the same is throttled, one about another is not. */
function resourceOf({ type, division, environment, deployment, user, data }: Event): string {
  const { node, runtime, connector_instance_id, channel_id, email, budget_id, stream, consumer } = (data ??
    {}) as Record<string, unknown>;
  const inner = {
    node: (node as { id?: unknown } | null | undefined)?.id,
    runtime,
    connector_instance_id,
    channel_id,
    email,
    budget_id,
    stream,
    consumer,
    consumer_lag: consumerLagOf({ type, data }),
  };
  return JSON.stringify([division?.id, environment?.id, deployment?.id, user?.id, inner]);
}
