import { priceTermsSchema, type PriceTerms, type TenantId } from '@sluice/contracts';
import type { PriceListAssignment } from '@sluice/catalogue/price-book';
import type { PriceList } from '@sluice/catalogue/price-list';
import type { Database } from './database.ts';
import { boolean, id, bigint, integer, jsonb, nullable, table, time } from './columns.ts';

const PriceListEntity = table('price_lists', {
  number: integer<number>({ primary: true }),
  terms: jsonb<PriceTerms>(),
  published_at: time({ createDate: true }),
});

const Assignment = table('price_list_assignments', {
  id: id<number>(),
  /** null: all tenants without a list of their own */
  tenant_id: nullable(bigint<TenantId>()),
  list: nullable(integer()),
  valid_from: time(),
  assigned_at: time({ createDate: true }),
  recorded: boolean({ default: false }),
});

/** All lists, and from when each is valid for whom. */
export async function loadPriceLists(
  db: Database,
): Promise<{ lists: PriceList[]; assignments: PriceListAssignment[] }> {
  // first: an assignment that is found has its list found as well
  const assignments = await db.manager.find(Assignment, { order: { valid_from: 'ASC', id: 'ASC' } });
  const lists = await db.manager.find(PriceListEntity, { order: { number: 'ASC' } });
  return {
    assignments,
    lists: lists.map(({ number, terms }) => ({ number, terms: priceTermsSchema.parse(terms) })),
  };
}

/** Makes the first list, valid since ever; where there is one, nothing is changed. */
export async function insertFirstPriceList(db: Database, terms: PriceTerms): Promise<void> {
  await db.query(
    `WITH first AS (INSERT INTO price_lists (number, terms) VALUES (1, $1) ON CONFLICT DO NOTHING RETURNING number)
     INSERT INTO price_list_assignments (list, valid_from, recorded) SELECT number, 'epoch', true FROM first`,
    [JSON.stringify(terms)],
  );
}

/** Locks the assignments that no audit log has yet, of those that no other replica records at the moment. */
export const lockUnrecordedAssignments = (db: Database) =>
  db.manager.find(Assignment, {
    where: { recorded: false },
    order: { id: 'ASC' },
    lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' },
  });

export const markAssignmentRecorded = (db: Database, id: number) =>
  db.manager.update(Assignment, { id }, { recorded: true });
