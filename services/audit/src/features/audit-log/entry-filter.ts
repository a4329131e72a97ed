import type { DeploymentId, DivisionId, EnvironmentId, TenantId, UserId } from '@sluice/contracts';
import { sql } from 'kysely';
import type { Database } from '../../database/tables.ts';

/** An absent field matches any entry. */
export interface EntryFilter {
  tenant: TenantId;
  /** included */
  from?: Date | undefined;
  /** not included */
  to?: Date | undefined;
  author?: UserId | undefined;
  user?: UserId | undefined;
  division?: DivisionId | undefined;
  environment?: EnvironmentId | undefined;
  deployment?: DeploymentId | undefined;
  types?: readonly string[] | undefined;
  correlationId?: string | undefined;
  /** words as `searchOf` has them */
  search?: string | undefined;
}

/** Who did it, what it was and what it was about: as the index `log_entries_by_words` has it. */
const wordsOfEntry = sql`words_of(tenant_id,
  type || ' ' || coalesce(author_name, '') || ' ' || coalesce(api_key_name, '') || ' ' || coalesce(user_name, '') || ' '
  || coalesce(division_name, '') || ' ' || coalesce(environment_name, '') || ' ' || coalesce(deployment_name, '') || ' '
  || coalesce(data ->> 'name', ''))`;

/**
 * What entries have to have for each word of a text: one that begins with it, in whichever case.
 * @returns '' for a text without words
 */
export async function searchOf(db: Database, tenant: TenantId, text: string): Promise<string> {
  const { rows } = await sql<{ search: string | null }>`
    SELECT string_agg(quote_literal(word) || ':*', ' & ') AS search
    FROM unnest(tsvector_to_array(words_of(${tenant}, ${text}))) AS word`.execute(db);
  return rows[0]?.search ?? '';
}

/** The entries that satisfy a filter. */
export function matching(db: Database, filter: EntryFilter) {
  let query = db.selectFrom('log_entries').where('tenant_id', '=', filter.tenant);
  for (const subject of ['author', 'user', 'division', 'environment', 'deployment'] as const) {
    const id = filter[subject];
    if (id !== undefined) query = query.where(`${subject}_id`, '=', id);
  }
  const { from, to, types, correlationId } = filter;
  if (from) query = query.where('occurred_at', '>=', from);
  if (to) query = query.where('occurred_at', '<', to);
  if (types) query = query.where('type', 'in', types);
  if (correlationId) query = query.where('correlation_id', '=', correlationId);
  if (filter.search !== undefined)
    query = query.where(sql<boolean>`${wordsOfEntry} @@ ${filter.search}::tsquery`);
  return query;
}
