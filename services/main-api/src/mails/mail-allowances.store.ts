import type { Database } from '@sluice/main-store/database';
import { table, text, time } from '@sluice/main-store/columns';

const MailAllowance = table('mail_allowances', {
  subject: text({ primary: true }),
  /** when the allowance is whole again */
  whole_at: time(),
});

const daySeconds = 24 * 60 * 60;

/**
 * Takes one mail from an allowance of `perDay`: as many at once after a quiet day, then one whenever its part of a day has
 * passed. It counts with the transaction, and others that take from the same allowance wait for it.
 * @returns 0, or the seconds after which there will be another one
 */
export async function takeMail(db: Database, subject: string, perDay: number, now: Date): Promise<number> {
  const seconds = daySeconds / perDay;
  const [taken] = await db.query(
    `INSERT INTO mail_allowances AS held (subject, whole_at) VALUES ($1, $2::timestamptz + make_interval(secs => $3))
     ON CONFLICT (subject) DO UPDATE SET whole_at = greatest(held.whole_at, $2) + make_interval(secs => $3)
     WHERE greatest(held.whole_at, $2) + make_interval(secs => $3) <= $2::timestamptz + make_interval(secs => $4)
     RETURNING 1`,
    [subject, now, seconds, daySeconds],
  );
  if (taken) return 0;
  const held = await db.manager.findOneBy(MailAllowance, { subject });
  const whole = ((held?.whole_at ?? now).getTime() - now.getTime()) / 1000;
  return Math.max(1, whole + seconds - daySeconds);
}
