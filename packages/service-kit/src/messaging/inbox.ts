import type pg from 'pg';

/**
 * Deletes the ids of messages that can no longer come again: streams keep events for 30 days, into which they are sent
 * again for at most 14 more (`OUTBOX_KEEP_DAYS`) if NATS loses them.
 * Called once in a while by every service; safe to run in several replicas.
 */
export async function pruneInbox(pool: pg.Pool): Promise<void> {
  await pool.query("DELETE FROM inbox WHERE received_at < now() - interval '45 days'");
}
