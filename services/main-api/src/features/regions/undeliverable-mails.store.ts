import type { Database } from '../../database.ts';
import { table, time, uuid } from '../../stores/columns.ts';

export const UndeliverableMail = table('undeliverable_mails', {
  mail_id: uuid({ primary: true }),
  reported_at: time(),
});

/** Notes that a mail could not be delivered. @returns whether that is news */
export async function insertUndeliverable(db: Database, mailId: string): Promise<boolean> {
  const row = { mail_id: mailId, reported_at: () => 'now()' };
  const insert = db.manager.createQueryBuilder().insert().into(UndeliverableMail).values(row).orIgnore();
  const rows = (await insert.returning('mail_id').execute()).raw as unknown[];
  return rows.length > 0;
}
