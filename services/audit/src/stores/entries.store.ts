import type { DeploymentId, DivisionId, EnvironmentId, TenantId, UserId } from '@sluice/contracts';
import type { Page } from '@sluice/service-kit';
import type { Selectable } from 'kysely';
import type { Database, Tables } from '../database/tables.ts';

export type Entry = Selectable<Tables['log_entries']>;

/** What entries are looked for; absent: whatever it may be. */
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
}

/** The statement of one page, newest first; each filter has its index (migration 100). */
export function pageOfEntries(db: Database, filter: EntryFilter, { results, offset }: Page) {
  return matching(db, filter)
    .selectAll()
    .orderBy('occurred_at', 'desc')
    .orderBy('position', 'desc')
    .orderBy('seq', 'desc')
    .limit(results)
    .offset(offset);
}

/** What there is to say about the log of a tenant, as it was at one moment. */
export interface Found {
  /** whether its log is closed, since it was deleted */
  closed: boolean;
  entries: Entry[];
  /** how many match in all */
  total: number;
}

/** One page, newest first, with what it is a page of: one statement. */
export async function findEntries(db: Database, filter: EntryFilter, page: Page): Promise<Found> {
  const rows = await db
    .selectNoFrom((found) => [
      matching(db, filter)
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .as('total'),
      found
        .exists(
          found.selectFrom('deleted_tenants').select('tenant_id').where('tenant_id', '=', filter.tenant),
        )
        .as('closed'),
    ])
    .$call((head) => db.selectFrom(head.as('found')))
    .leftJoinLateral(pageOfEntries(db, filter, page).as('entry'), (join) => join.onTrue())
    .selectAll()
    .orderBy('occurred_at', 'desc')
    .orderBy('position', 'desc')
    .orderBy('seq', 'desc')
    .execute();
  const { total, closed } = rows[0] ?? {};
  // where the page is empty, all of its one row is null
  const entries = rows.filter(({ event_id }) => event_id !== null) as Entry[];
  return { entries, total: total ?? 0, closed: closed === true };
}

function matching(db: Database, filter: EntryFilter) {
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
  return query;
}
