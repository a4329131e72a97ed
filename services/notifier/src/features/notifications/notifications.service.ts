import { eventSchema, eventTypes, type Event, type EventType } from '@sluice/contracts';
import type { Envelope, Many, Received } from '@sluice/messaging';
import type { Transaction } from '../../database/tables.ts';
import { deleteChannelsOf } from '../../stores/channels.store.ts';
import { notifyChannels, type Told } from '../../stores/notifications.store.ts';
import { deleteSentMailsOf } from '../../stores/sent-mails.store.ts';
import { deleteUnsubscribesOf } from '../../stores/unsubscribes.store.ts';
import type { NotificationCounts } from '../delivery/delivery-metrics.ts';
import { renderNotification } from './texts/index.ts';

export interface NotificationsDependencies {
  throttleSeconds: number;
  counts: NotificationCounts;
  now: () => Date;
  /** called with each transaction that has something to be delivered once it is committed */
  due: (tx: Transaction) => void;
}

/** what is as old as this is no news any more: a notifier that was away for long, or reads the stream for the first time */
const staleMilliseconds = 24 * 60 * 60 * 1_000;

const types = new Map<string, EventType>(Object.entries(eventTypes));

/** An event, and what channels are told of it, if anything. */
interface Noticed {
  event: Event;
  told: Told | undefined;
}

/** Tells channels of events (interface, 6.2), each event once. */
export function notificationsService({ throttleSeconds, counts, now, due }: NotificationsDependencies) {
  const isNews = ({ type, occurred_at }: Event) =>
    types.get(type)?.notification === true && now().getTime() - Date.parse(occurred_at) <= staleMilliseconds;

  const noticed = (message: Envelope): Noticed => {
    const event = eventSchema.parse(message);
    const told = isNews(event)
      ? {
          event,
          message: { ...renderNotification(event), data: event.data },
          resource: resourceOf(event),
        }
      : undefined;
    return { event, told };
  };

  const tell = async (tx: Transaction, told: readonly Told[]) => {
    const { pending, throttled } = await notifyChannels(tx.db, told, throttleSeconds);
    counts.throttled.inc(throttled);
    if (pending > 0) due(tx);
  };

  /** In their order: together those between which no channels are deleted. */
  const takeEffect = async (tx: Transaction, all: readonly Noticed[]) => {
    let together: Told[] = [];
    for (const { event, told } of all) {
      if (isEnd(event)) {
        await tell(tx, together);
        together = [];
        await deleteWhatBelongsTo(tx, event);
      }
      if (told && event.type !== 'tenant_deleted') together.push(told);
    }
    await tell(tx, together);
  };

  return {
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

const isEnd = ({ type, division }: Event) =>
  type === 'tenant_deleted' || (type === 'division_deleted' && division !== null);

async function deleteWhatBelongsTo(tx: Transaction, { type, tenant_id, division }: Event): Promise<void> {
  if (type === 'tenant_deleted') {
    await deleteSentMailsOf(tx.db, tenant_id);
    await deleteChannelsOf(tx.db, tenant_id);
    await deleteUnsubscribesOf(tx.db, tenant_id);
  } else if (division) await deleteChannelsOf(tx.db, tenant_id, division.id);
}

/** What an event is about, so that a second one about the same is told apart from one about another. */
function resourceOf({ division, environment, deployment, user, data }: Event): string {
  const { node, runtime, connector_instance_id, channel_id, email } = (data ?? {}) as Record<string, unknown>;
  const inner = {
    node: (node as { id?: unknown } | null | undefined)?.id,
    runtime,
    connector_instance_id,
    channel_id,
    email,
  };
  return JSON.stringify([division?.id, environment?.id, deployment?.id, user?.id, inner]);
}
