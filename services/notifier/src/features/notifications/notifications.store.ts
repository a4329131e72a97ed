import { createHash } from 'node:crypto';
import {
  defaultConsumerLag,
  type ChannelId,
  type Event,
  type NotificationId,
  type NotificationStatus,
  type TenantId,
} from '@sluice/contracts';
import type { Page } from '@sluice/http';
import type { PruningRule } from '@sluice/service';
import { sql, type Selectable } from 'kysely';
import type { Database, StoredMessage, Tables } from '../../database/tables.ts';
/** A slice of a list, as the request names it. */
type Slice = Pick<Page, 'offset' | 'results'>;

export type NotificationRow = Selectable<Tables['notifications']>;

/** What is stored of an event for each channel that it notifies. */
export interface Notice {
  event: Pick<Event, 'id' | 'type' | 'occurred_at' | 'tenant_id' | 'division' | 'environment' | 'deployment'>;
  message: StoredMessage;
  /** of an alert of a consumer that lags: from how many messages on it is raised */
  consumerLag?: number | undefined;
  /** what the event is about, for the throttle */
  resource: string;
}

/**
 * Stores a notification for each channel that is to get each event (interface, 6.2), found by its places, and has those
 * delivered that are not the second of their type and resource within the throttle's seconds. One statement, however many events:
 * in their order, so that of several of one kind the first is delivered.
 * @returns how many are to be delivered, and how many are throttled
 */
export async function notifyChannels(
  db: Database,
  notices: readonly Notice[],
  throttleSeconds: number,
): Promise<{ pending: number; throttled: number }> {
  if (notices.length === 0) return { pending: 0, throttled: 0 };
  const { rows } = await sql<{ pending: number; throttled: number }>`
    WITH notice AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(notices.map(rowOf))}::jsonb) AS e (n int, message_id uuid,
        tenant_id bigint, division_id bigint, environment_id bigint, deployment_id bigint, places text[],
        message_type text, consumer_lag bigint, subject text, message jsonb, occurred_at timestamptz)
    ), matching AS MATERIALIZED (
      SELECT e.n, e.subject, c.id AS channel_id,
        row_number() OVER (PARTITION BY c.id, e.subject ORDER BY e.n) = 1 AS is_first
      -- event by event: the index leads to what each of them matches
      FROM notice e CROSS JOIN LATERAL (
        SELECT DISTINCT c.id
        FROM routes r JOIN channels c ON c.id = r.channel_id LEFT JOIN subscriptions s ON s.id = r.subscription_id
        WHERE r.tenant_id = e.tenant_id AND r.place = ANY (e.places) AND c.enabled
          AND (c.division_id IS NULL OR c.division_id = e.division_id)
          -- alerts of lags are raised at several numbers of messages, and notified at one
          AND (e.consumer_lag IS NULL OR e.consumer_lag = coalesce(s.consumer_lag_threshold, ${defaultConsumerLag}))
          -- clocks differ a little
          AND c.created_at <= e.occurred_at + interval '1 minute'
          AND (s.id IS NULL OR (e.message_type = ANY (s.message_types)
            AND (s.tenant_ids = '{}' OR e.tenant_id = ANY (s.tenant_ids))
            AND (s.division_ids = '{}' OR e.division_id = ANY (s.division_ids))
            AND (s.environment_ids = '{}' OR e.environment_id = ANY (s.environment_ids))
            AND (s.deployment_ids = '{}' OR e.deployment_id = ANY (s.deployment_ids))))
      ) c
    ), first AS (
      -- in one order for all replicas, here and below, so that none waits for another that waits for it
      INSERT INTO throttles AS t (channel_id, subject, notified_at)
      SELECT channel_id, subject, now() FROM matching WHERE is_first ORDER BY channel_id, subject
      ON CONFLICT (channel_id, subject) DO UPDATE SET notified_at = now()
      WHERE t.notified_at <= now() - make_interval(secs => ${throttleSeconds})
      RETURNING channel_id, subject
    ), stored AS (
      INSERT INTO notifications (channel_id, message_id, tenant_id, division_id, environment_id, deployment_id,
        message_type, message, occurred_at, status)
      SELECT m.channel_id, message_id, tenant_id, division_id, environment_id, deployment_id, message_type, message,
        occurred_at, CASE WHEN m.is_first AND f.subject IS NOT NULL THEN 'pending' ELSE 'throttled' END
      FROM matching m JOIN notice USING (n)
      LEFT JOIN first f ON f.channel_id = m.channel_id AND f.subject = m.subject
      ORDER BY n, m.channel_id
      RETURNING channel_id, status
    ), queued AS (
      INSERT INTO queues AS q (channel_id, ready_at, due_at)
      SELECT DISTINCT channel_id, now(), now() FROM stored WHERE status = 'pending' ORDER BY channel_id
      ON CONFLICT (channel_id) DO UPDATE SET
        due_at = least(q.due_at, now()),
        ready_at = CASE WHEN q.lease IS NULL THEN least(q.ready_at, now()) ELSE q.ready_at END
      -- one that is due already stays as it is
      WHERE q.due_at > now() OR (q.lease IS NULL AND q.ready_at > now())
    )
    SELECT count(*) FILTER (WHERE status = 'pending') AS pending,
      count(*) FILTER (WHERE status = 'throttled') AS throttled FROM stored`.execute(db);
  return rows[0] ?? { pending: 0, throttled: 0 };
}

/** An event as the statement reads it. */
function rowOf({ event, message, consumerLag, resource }: Notice, n: number) {
  const { id, type, occurred_at, tenant_id, division, environment, deployment } = event;
  return {
    ...{ n, message_id: id, tenant_id, message_type: type, message, occurred_at },
    division_id: division?.id ?? null,
    environment_id: environment?.id ?? null,
    deployment_id: deployment?.id ?? null,
    consumer_lag: consumerLag ?? null,
    places: placesOf(event),
    subject: createHash('sha256').update(`${type}\n${resource}`).digest('base64'),
  };
}

function placesOf({ division, environment, deployment }: Notice['event']): string[] {
  const inner = Object.entries({ division, environment, deployment });
  return ['tenant', ...inner.flatMap(([level, ref]) => (ref ? [`${level} ${ref.id}`] : []))];
}

/** Has one message delivered to one channel, past its subscriptions. */
export async function notifyChannel(
  db: Database,
  channelId: ChannelId,
  { tenantId, type, messageId }: { tenantId: TenantId; type: string; messageId: string },
  message: StoredMessage,
): Promise<void> {
  await db
    .insertInto('notifications')
    .values({
      channel_id: channelId,
      message_id: messageId,
      tenant_id: tenantId,
      message_type: type,
      message: JSON.stringify(message),
      occurred_at: sql<Date>`now()`,
      status: 'pending',
    })
    .execute();
  await sql`
    INSERT INTO queues AS q (channel_id, ready_at, due_at) VALUES (${channelId}, now(), now())
    ON CONFLICT (channel_id) DO UPDATE SET
      due_at = least(q.due_at, now()),
      ready_at = CASE WHEN q.lease IS NULL THEN least(q.ready_at, now()) ELSE q.ready_at END`.execute(db);
}

/** A page of a channel's history, newest first, and how long it is. */
export async function listNotifications(
  db: Database,
  channelId: ChannelId,
  { offset, results }: Slice,
  messageType: string | undefined,
): Promise<[NotificationRow[], number]> {
  const all = db
    .selectFrom('notifications')
    .where('channel_id', '=', channelId)
    .$if(messageType !== undefined, (query) => query.where('message_type', '=', messageType ?? ''));
  const rows = await all
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(results)
    .offset(offset)
    .execute();
  const { count } = await all.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return [rows, count];
}

/**
 * Notes that what was delivered has come back after all.
 * @returns how it stood until then; undefined: it is gone, with its channel or by its age
 */
export async function failDelivered(
  db: Database,
  id: NotificationId,
  reason: string,
): Promise<NotificationStatus | undefined> {
  const delivered = await db
    .updateTable('notifications')
    .set({ status: 'failed', reason, delivered_at: null })
    .where('id', '=', id)
    .where('status', '=', 'delivered')
    .executeTakeFirst();
  if (delivered.numUpdatedRows > 0n) return 'delivered';
  const row = await db.selectFrom('notifications').select('status').where('id', '=', id).executeTakeFirst();
  return row?.status;
}

/** The history is kept for 30 days, and what is pending is given up long before. */
export const notificationRules: PruningRule[] = [
  { table: 'notifications', since: 'created_at', keep: '30 days' },
  { table: 'throttles', since: 'notified_at', keep: '1 day' },
];
