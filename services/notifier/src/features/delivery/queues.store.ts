import type {
  ChannelId,
  ChannelKind,
  DeploymentId,
  DivisionId,
  EnvironmentId,
  NotificationId,
  NotificationStatus,
  TenantId,
} from '@sluice/contracts';
import { sql } from 'kysely';
import type { Database, StoredMessage } from '../../database/tables.ts';

export interface DueNotification {
  id: NotificationId;
  message_id: string;
  message_type: string;
  message: StoredMessage;
  tenant_id: TenantId;
  division_id: DivisionId | null;
  environment_id: EnvironmentId | null;
  deployment_id: DeploymentId | null;
  /** times as JSON has them */
  occurred_at: string;
  created_at: string;
  attempts: number;
}

/** A channel as it is now, and what of it is due, in order. */
export interface DueChannel {
  id: ChannelId;
  tenant_id: TenantId;
  channel: ChannelKind;
  sealed: string;
  enabled: boolean;
  /** a higher one whenever the channel has changed */
  version: number;
  due: DueNotification[];
}

/** what is read of a channel's queue at once */
const mostOfChannel = 50;

/**
 * Leases channels of which something is due, those first that have waited longest, and reads what it is, in order. While a
 * lease lasts no other replica delivers to the channel; one that was not given back is over after `seconds`.
 */
export async function leaseQueues(
  db: Database,
  lease: string,
  { channels, seconds, leftOut }: { channels: number; seconds: number; leftOut: readonly ChannelId[] },
): Promise<DueChannel[]> {
  const { rows } = await sql<DueChannel>`
    WITH ready AS (
      SELECT channel_id FROM queues WHERE ready_at <= now() AND channel_id <> ALL (${leftOut}::bigint[])
      ORDER BY ready_at LIMIT ${channels} FOR UPDATE SKIP LOCKED
    ), leased AS (
      UPDATE queues q SET lease = ${lease}::uuid, due_at = 'infinity', ready_at = now() + make_interval(secs => ${seconds})
      FROM ready WHERE q.channel_id = ready.channel_id RETURNING q.channel_id
    )
    SELECT c.id, c.tenant_id, c.channel, c.sealed, c.enabled, c.version, n.due
    FROM leased l JOIN channels c ON c.id = l.channel_id CROSS JOIN LATERAL (
      SELECT coalesce(json_agg(d), '[]') AS due FROM (
        SELECT id, message_id, message_type, message, tenant_id, division_id, environment_id, deployment_id,
          occurred_at, created_at, attempts
        FROM notifications WHERE channel_id = l.channel_id AND status = 'pending' AND due_at <= now()
        ORDER BY due_at, id LIMIT ${mostOfChannel}) d) n`.execute(db);
  return rows;
}

/** Prolongs leases. @returns of which channels they still were there, with their versions */
export async function renewLeases(
  db: Database,
  lease: string,
  channels: readonly ChannelId[],
  seconds: number,
): Promise<Map<ChannelId, number>> {
  const { rows } = await sql<{ channel_id: ChannelId; version: number }>`
    WITH mine AS (${lockedQueues(lease, channels)})
    UPDATE queues q SET ready_at = now() + make_interval(secs => ${seconds})
    FROM mine JOIN channels c ON c.id = mine.channel_id
    WHERE q.channel_id = mine.channel_id RETURNING q.channel_id, c.version`.execute(db);
  return new Map(rows.map(({ channel_id, version }) => [channel_id, version]));
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

/**
 * Stores what became of attempts, of many channels at once. That nearly all of them have arrived is a statement of its own, which gets
 * nothing but who they are.
 */
export async function storeAttempts(db: Database, attempts: readonly Attempted[]): Promise<void> {
  const [delivered, others] = partition(attempts, ({ status }) => status === 'delivered');
  if (delivered.length > 0)
    await sql`
      UPDATE notifications n SET status = 'delivered', attempts = attempts + 1, reason = NULL, delivered_at = now()
      WHERE id = ANY (${delivered.map(({ id }) => id)}::bigint[]) AND ${isPending}`.execute(db);
  if (others.length > 0)
    await sql`
      UPDATE notifications n SET status = a.status, attempts = a.attempts, reason = a.reason,
        due_at = now() + make_interval(secs => a."pauseSeconds")
      FROM jsonb_to_recordset(${JSON.stringify(others)}::jsonb)
        AS a (id bigint, status text, attempts int, reason text, "pauseSeconds" float8)
      WHERE n.id = a.id AND ${isPending}`.execute(db);
}

/**
 * Not `= 'pending'`: by that PostgreSQL takes the index of all that is pending, which it believes to be short, and reads it from
 * beginning to end for each statement.
 */
const isPending = sql`n.status NOT IN ('delivered', 'failed', 'throttled')`;

function partition<T>(all: readonly T[], belongs: (one: T) => boolean): [T[], T[]] {
  const { in: yes = [], out: no = [] } = Object.groupBy(all, (one) => (belongs(one) ? 'in' : 'out'));
  return [yes, no];
}

/**
 * Gives leases back. A channel is due when the next of its notifications is, or when something has come during the lease: that
 * `due_at` says, since the notifications are seen as they were when this began.
 * @returns those that are due already
 */
export async function releaseQueues(
  db: Database,
  lease: string,
  channels: readonly ChannelId[],
): Promise<ChannelId[]> {
  const { rows } = await sql<{ channel_id: ChannelId; is_due: boolean }>`
    WITH mine AS (${lockedQueues(lease, channels)})
    UPDATE queues q SET lease = NULL, due_at = 'infinity',
      ready_at = least(q.due_at, coalesce(next.due_at, 'infinity'))
    FROM mine CROSS JOIN LATERAL (
      SELECT min(due_at) AS due_at FROM notifications WHERE channel_id = mine.channel_id AND status = 'pending') AS next
    WHERE q.channel_id = mine.channel_id
    RETURNING q.channel_id, q.ready_at <= now() AS is_due`.execute(db);
  return rows.flatMap(({ channel_id, is_due }) => (is_due ? [channel_id] : []));
}

/** In the order in which events lock them, so that transactions do not deadlock. */
const lockedQueues = (lease: string, channels: readonly ChannelId[]) => sql`
  SELECT channel_id FROM queues WHERE channel_id = ANY (${channels}::bigint[]) AND lease = ${lease}::uuid
  ORDER BY channel_id FOR UPDATE`;
