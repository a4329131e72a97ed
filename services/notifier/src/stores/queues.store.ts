import type { ChannelId, ChannelKind, NotificationId, NotificationStatus } from '@sluice/contracts';
import { sql } from 'kysely';
import type { Database, StoredMessage } from '../database/tables.ts';

/** A notification that is due, with its channel as it is now. */
export interface DueNotification {
  id: NotificationId;
  channel_id: ChannelId;
  channel: ChannelKind;
  enabled: boolean;
  sealed: string;
  message_id: string;
  message_type: string;
  message: StoredMessage;
  occurred_at: Date;
  created_at: Date;
  attempts: number;
}

/** what is read of a channel's queue at once */
const mostOfChannel = 50;

/**
 * Leases channels of which something is due, those first that have waited longest, and reads what it is, in order. While a
 * lease lasts nobody else delivers to the channel; one that was not given back is over after `seconds`.
 */
export async function leaseQueues(
  db: Database,
  lease: string,
  { channels, seconds, leftOut }: { channels: number; seconds: number; leftOut: readonly ChannelId[] },
): Promise<Map<ChannelId, DueNotification[]>> {
  const { rows } = await sql<Omit<DueNotification, 'id'> & { id: NotificationId | null }>`
    WITH ready AS (
      SELECT channel_id FROM queues WHERE ready_at <= now() AND channel_id <> ALL (${leftOut}::bigint[])
      ORDER BY ready_at LIMIT ${channels} FOR UPDATE SKIP LOCKED
    ), leased AS (
      UPDATE queues q SET lease = ${lease}::uuid, due_at = 'infinity', ready_at = now() + make_interval(secs => ${seconds})
      FROM ready WHERE q.channel_id = ready.channel_id RETURNING q.channel_id
    )
    SELECT l.channel_id, c.channel, c.enabled, c.sealed, n.*
    FROM leased l JOIN channels c ON c.id = l.channel_id
    LEFT JOIN LATERAL (
      SELECT id, message_id, message_type, message, occurred_at, created_at, attempts
      FROM notifications WHERE channel_id = l.channel_id AND status = 'pending' AND due_at <= now()
      ORDER BY due_at, id LIMIT ${mostOfChannel}
    ) n ON true`.execute(db);
  const leased = new Map<ChannelId, DueNotification[]>();
  for (const { id, ...row } of rows) {
    const due = leased.get(row.channel_id) ?? [];
    leased.set(row.channel_id, due);
    if (id !== null) due.push({ id, ...row });
  }
  return leased;
}

/** Prolongs leases. @returns of which channels they still were there */
export async function renewLeases(
  db: Database,
  lease: string,
  channels: readonly ChannelId[],
  seconds: number,
): Promise<ChannelId[]> {
  const { rows } = await sql<{ channel_id: ChannelId }>`
    UPDATE queues SET ready_at = now() + make_interval(secs => ${seconds})
    WHERE channel_id = ANY (${channels}::bigint[]) AND lease = ${lease}::uuid RETURNING channel_id`.execute(
    db,
  );
  return rows.map(({ channel_id }) => channel_id);
}

/** What became of an attempt. */
export interface Attempted {
  id: NotificationId;
  status: Exclude<NotificationStatus, 'throttled'>;
  attempts: number;
  reason: string | null;
  /** of one that stays pending: after how many seconds it is due again */
  pauseSeconds: number;
}

/** Stores what became of attempts: of many channels in one statement. */
export async function storeAttempts(db: Database, attempts: readonly Attempted[]): Promise<void> {
  await sql`
    UPDATE notifications n SET status = a.status, attempts = a.attempts, reason = a.reason,
      due_at = now() + make_interval(secs => a."pauseSeconds"),
      delivered_at = CASE WHEN a.status = 'delivered' THEN now() END
    FROM jsonb_to_recordset(${JSON.stringify(attempts)}::jsonb)
      AS a (id bigint, status text, attempts int, reason text, "pauseSeconds" float8)
    WHERE n.id = a.id AND n.status = 'pending'`.execute(db);
}

/**
 * Gives leases back. A channel is due when the next of its notifications is, or when something has come during the lease: that
 * is told by `due_at`, since the notifications are seen as they were when this began.
 * @returns those that are due already
 */
export async function releaseQueues(
  db: Database,
  lease: string,
  channels: readonly ChannelId[],
): Promise<ChannelId[]> {
  const { rows } = await sql<{ channel_id: ChannelId; is_due: boolean }>`
    UPDATE queues q SET lease = NULL, due_at = 'infinity',
      ready_at = least(q.due_at, coalesce(next.due_at, 'infinity'))
    FROM unnest(${channels}::bigint[]) AS c (id) CROSS JOIN LATERAL (
      SELECT min(due_at) AS due_at FROM notifications WHERE channel_id = c.id AND status = 'pending') AS next
    WHERE q.channel_id = c.id AND q.lease = ${lease}::uuid
    RETURNING q.channel_id, q.ready_at <= now() AS is_due`.execute(db);
  return rows.flatMap(({ channel_id, is_due }) => (is_due ? [channel_id] : []));
}
