import type { Sql } from '@sluice/service';

/** The statements on `consumer_turns`. */

/** Takes the turn of a consumer for so many seconds where it is free, or prolongs it. @returns whether this process has it */
export async function takeTurn(
  sql: Sql,
  consumer: string,
  holder: string,
  seconds: number,
): Promise<boolean> {
  const rows = await sql.query(
    `INSERT INTO consumer_turns AS known (consumer, holder, until) VALUES ($1, $2, now() + make_interval(secs => $3))
     ON CONFLICT (consumer) DO UPDATE SET holder = excluded.holder, until = excluded.until
     WHERE known.holder = excluded.holder OR known.until < now() RETURNING 1`,
    [consumer, holder, seconds],
  );
  return rows.length > 0;
}

/** Leaves the turn to others at once. */
export async function endTurn(sql: Sql, consumer: string, holder: string): Promise<void> {
  await sql.query(`UPDATE consumer_turns SET until = '-infinity' WHERE consumer = $1 AND holder = $2`, [
    consumer,
    holder,
  ]);
}
