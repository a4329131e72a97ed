import type { TenantId } from '@sluice/contracts';
import { IsNull, MoreThan, Not } from 'typeorm';
import type { Database } from '@sluice/main-store/database';
import { bigint, id, jsonb, nullable, table, text, time, type RowOf } from '@sluice/main-store/columns';

/** What can differ after a restore, and is for an operator to decide. */
export const differenceKinds = [
  // the key stands in the tables, and no evidence says whether it was deleted since
  'key_unjudged',
  // the key had more rights than it has in the tables
  'key_enlarged',
  // the key was made, or got its token, since
  'key_made',
  // a person became a member, or was made one again
  'member_added',
  // a member got roles, or became active
  'member_enlarged',
  'role_enlarged',
  'role_made',
  'tenant_deleted',
  // NATS has not kept all events since: what they said of members and roles is not known
  'events_lost',
] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

export const RestoreDifference = table('restore_differences', {
  id: id<number>(),
  kind: text<DifferenceKind>(),
  /** the copy may not have it; null: of no tenant alone */
  tenant_id: nullable(bigint<TenantId>()),
  /** what it is known by among those of its kind */
  subject: text(),
  about: text(),
  person: nullable(text()),
  evidence: text(),
  /** what it takes to apply it */
  detail: jsonb<unknown>(),
  found_at: time({ createDate: true }),
  decision: nullable(text<'apply' | 'reject'>()),
  carried_out_at: nullable(time()),
  /** why the last decision could not be carried out */
  failure: nullable(text()),
});
export type DifferenceRow = RowOf<typeof RestoreDifference>;

export type NewDifference = Pick<
  DifferenceRow,
  'kind' | 'tenant_id' | 'subject' | 'about' | 'person' | 'evidence' | 'detail'
>;

/** Stores differences; one that is open already stays as it is. */
export const insertDifferences = (db: Database, differences: readonly NewDifference[]) =>
  db.query(
    `INSERT INTO restore_differences (kind, tenant_id, subject, about, person, evidence, detail)
     SELECT kind, tenant_id, subject, about, person, evidence, detail FROM jsonb_to_recordset($1::jsonb)
       AS found (kind text, tenant_id bigint, subject text, about text, person text, evidence text, detail jsonb)
     ON CONFLICT (kind, subject) WHERE carried_out_at IS NULL DO NOTHING`,
    [JSON.stringify(differences)],
  );

export const listOpenDifferences = (db: Database, kind: DifferenceKind, tenantId: TenantId) =>
  db.manager.find(RestoreDifference, {
    where: { kind, tenant_id: tenantId, carried_out_at: IsNull() },
    order: { id: 'ASC' },
  });

export const setDetail = (db: Database, id: number, detail: object) =>
  db.manager.update(RestoreDifference, { id }, { detail });

/** Deletes open differences of keys that are gone meanwhile. */
export const deleteMootDifferences = (db: Database) =>
  db.query(
    `DELETE FROM restore_differences d USING grants g
     WHERE d.carried_out_at IS NULL AND d.kind IN ('key_unjudged', 'key_enlarged', 'key_made')
       AND g.key = d.subject AND g.content IS NULL`,
  );

/** more than that is as bad as that, and takes long to count */
const mostCounted = 100_000;

export async function countOpenDifferences(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'SELECT count(*) FROM (SELECT FROM restore_differences WHERE carried_out_at IS NULL LIMIT $1) AS counted',
    [mostCounted],
  );
  return row?.count ?? 0;
}

export async function listDecided(db: Database, after: number, limit: number) {
  const decided = await db.manager.find(RestoreDifference, {
    select: { id: true },
    where: { carried_out_at: IsNull(), decision: Not(IsNull()), id: MoreThan(after) },
    order: { id: 'ASC' },
    take: limit,
  });
  return decided.map(({ id }) => id);
}

/** Locks a difference that was decided; null where another replica carries it out, or has done so. */
export const lockDecided = (db: Database, id: number) =>
  db.manager.findOne(RestoreDifference, {
    where: { id, carried_out_at: IsNull(), decision: Not(IsNull()) },
    lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' },
  });

export const setCarriedOut = (db: Database, id: number) =>
  db.manager.update(RestoreDifference, { id }, { carried_out_at: () => 'now()', failure: null });

/** Opens a difference again whose decision could not be carried out. */
export const reopen = (db: Database, id: number, failure: string) =>
  db.manager.update(RestoreDifference, { id, carried_out_at: IsNull() }, { decision: null, failure });
