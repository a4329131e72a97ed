import type { Database } from '../../database.ts';
import { table, time, uuid } from '../../stores/columns.ts';

export const UndeliverableMail = table('undeliverable_mails', {
  mail_id: uuid({ primary: true }),
  reported_at: time(),
});

/** Notes that a mail could not be delivered. @returns whether that is news */
export async function insertUndeliverable(db: Database, mailId: string): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO undeliverable_mails (mail_id, reported_at) VALUES ($1, now())
     ON CONFLICT DO NOTHING RETURNING mail_id`,
    [mailId],
  );
  return rows.length > 0;
}
