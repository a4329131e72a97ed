import type { PruningRule } from '@sluice/service';
import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';

const daySeconds = 24 * 60 * 60;

/**
 * Takes one mail from the allowance of an address: `perDay` at once after a quiet day, then one whenever its part of a day has passed.
 * @param subject stands for the address
 * @returns whether there was one
 */
export async function takeMail(db: Database, subject: string, perDay: number): Promise<boolean> {
  const seconds = daySeconds / perDay;
  const taken = await sql`
    INSERT INTO mail_allowances AS held (subject, whole_at) VALUES (${subject}, now() + make_interval(secs => ${seconds}))
    ON CONFLICT (subject) DO UPDATE SET whole_at = greatest(held.whole_at, now()) + make_interval(secs => ${seconds})
    WHERE greatest(held.whole_at, now()) + make_interval(secs => ${seconds}) <= now() + make_interval(secs => ${daySeconds})`.execute(
    db,
  );
  return (taken.numAffectedRows ?? 0n) > 0n;
}

/** What is whole again is as if it had never been used. */
export const mailAllowancesRule: PruningRule = {
  table: 'mail_allowances',
  since: 'whole_at',
  keep: '1 hour',
};
