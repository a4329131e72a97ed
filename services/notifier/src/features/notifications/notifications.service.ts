import { eventSchema, eventTypes, type Event, type EventType } from '@sluice/contracts';
import type { Envelope } from '@sluice/service-kit';
import type { Transaction } from '../../database/tables.ts';
import { deleteChannelsOf } from '../../stores/channels.store.ts';
import { notifyChannels } from '../../stores/notifications.store.ts';
import { deleteSentMailsOf } from '../../stores/sent-mails.store.ts';
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

/** Tells channels of events (interface, 6.2), each event once. */
export function notificationsService({ throttleSeconds, counts, now, due }: NotificationsDependencies) {
  return {
    async notice(tx: Transaction, message: Envelope): Promise<void> {
      const event = eventSchema.parse(message);
      if (event.type === 'tenant_deleted') {
        await deleteSentMailsOf(tx.db, event.tenant_id);
        return deleteChannelsOf(tx.db, event.tenant_id);
      }
      if (event.type === 'division_deleted' && event.division)
        await deleteChannelsOf(tx.db, event.tenant_id, event.division.id);
      if (!types.get(event.type)?.notification) return;
      if (now().getTime() - Date.parse(event.occurred_at) > staleMilliseconds) return;
      const told = { event, message: renderNotification(event), resource: resourceOf(event) };
      const { pending, throttled } = await notifyChannels(tx.db, told, throttleSeconds);
      counts.throttled.inc(throttled);
      if (pending > 0) due(tx);
    },
  };
}

/** What an event is about, so that a second one about the same is told apart from one about another. */
function resourceOf({ division, environment, deployment, user, data }: Event): string {
  const { node, runtime, connector_instance_id, email } = (data ?? {}) as Record<string, unknown>;
  const inner = {
    node: (node as { id?: unknown } | null | undefined)?.id,
    runtime,
    connector_instance_id,
    email,
  };
  return JSON.stringify([division?.id, environment?.id, deployment?.id, user?.id, inner]);
}
