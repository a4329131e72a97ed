import type { TenantId } from '@sluice/contracts';
import { bigint, id, jsonb, nullable, table, text, time, type RowOf } from '../../stores/columns.ts';

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
