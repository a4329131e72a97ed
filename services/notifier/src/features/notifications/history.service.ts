import type { NotificationView, NotifierRequests } from '@sluice/contracts';
import type { Asked } from '@sluice/messaging';
import type { Database } from '../../database/tables.ts';
import { listNotifications, type NotificationRow } from './notifications.store.ts';

/** What channels were sent (interface, 2.15). */
export function historyService(database: Database) {
  return {
    async list({ channel_id, message_type, ...slice }: Asked<NotifierRequests, 'list_notifications'>) {
      const [rows, total] = await listNotifications(database, channel_id, slice, message_type);
      return { items: rows.map(view), total };
    },
  };
}

function view(row: NotificationRow): NotificationView {
  const { id, tenant_id, division_id, environment_id, deployment_id, message_type, message } = row;
  return {
    ...{ id, tenant_id, division_id, environment_id, deployment_id, message_type },
    content: `${message.subject}\n\n${message.body}`,
    status: row.status,
    attempts: row.attempts,
    reason: row.reason,
    created_at: row.created_at.toISOString(),
    delivered_at: row.delivered_at?.toISOString() ?? null,
  };
}
