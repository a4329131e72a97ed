import type { Page } from '@sluice/http';
import { sql, type SelectQueryBuilder } from 'kysely';

/** What many queries of stores have in common. Times are the database's. */

export const clock = sql<Date>`clock_timestamp()`;
export const inSeconds = (seconds: number) =>
  sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`;

/** Whether a row is found. */
export async function isFound<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
): Promise<boolean> {
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

/** Whether the statement has changed a row. */
export async function hasChanged(query: {
  executeTakeFirst(): Promise<{ numUpdatedRows: bigint }>;
}): Promise<boolean> {
  return (await query.executeTakeFirst()).numUpdatedRows > 0n;
}

export async function countOf<DB, Table extends keyof DB>(
  query: SelectQueryBuilder<DB, Table, object>,
): Promise<number> {
  const counted = query.select(sql<number>`count(*)`.as('count')).$castTo<{ count: number }>();
  return (await counted.executeTakeFirstOrThrow()).count;
}

/** A page of what is found, and how much there is. */
export async function pageOf<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
  { results, offset }: Page,
) {
  const total = await countOf(query.clearSelect().clearOrderBy());
  return { rows: await query.limit(results).offset(offset).execute(), total };
}
