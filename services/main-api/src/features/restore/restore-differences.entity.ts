import type { TenantId } from '@sluice/contracts';
import { EntitySchema } from 'typeorm';
import { idColumn } from '../../stores/columns.ts';

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

/** A difference between the restored tables and newer evidence. */
export interface DifferenceRow {
  id: number;
  kind: DifferenceKind;
  /** the copy may not have it; null: of no tenant alone */
  tenant_id: TenantId | null;
  /** what it is known by among those of its kind */
  subject: string;
  about: string;
  person: string | null;
  evidence: string;
  /** what it takes to apply it */
  detail: unknown;
  found_at: Date;
  decision: 'apply' | 'reject' | null;
  carried_out_at: Date | null;
  /** why the last decision could not be carried out */
  failure: string | null;
}

export const RestoreDifference = new EntitySchema<DifferenceRow>({
  name: 'restore_difference',
  tableName: 'restore_differences',
  columns: {
    id: idColumn,
    kind: { type: 'text' },
    tenant_id: { type: 'bigint', nullable: true },
    subject: { type: 'text' },
    about: { type: 'text' },
    person: { type: 'text', nullable: true },
    evidence: { type: 'text' },
    detail: { type: 'jsonb' },
    found_at: { type: 'timestamptz', createDate: true },
    decision: { type: 'text', nullable: true },
    carried_out_at: { type: 'timestamptz', nullable: true },
    failure: { type: 'text', nullable: true },
  },
});
