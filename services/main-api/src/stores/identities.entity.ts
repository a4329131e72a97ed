import type { IdentityId, UserId } from '@sluice/contracts';
import { EntitySchema } from 'typeorm';
import { idColumn } from './columns.ts';

/** Who an identity provider says that somebody is. */
export interface IdentityRow {
  id: IdentityId;
  user_id: UserId;
  /** the identity provider */
  source: string;
  subject: string;
  email: string | null;
  /** the domain that the user claims for a tenant */
  corporate_domain: string | null;
  created_at: Date;
  updated_at: Date;
}

export const Identity = new EntitySchema<IdentityRow>({
  name: 'identity',
  tableName: 'identities',
  columns: {
    id: idColumn,
    user_id: { type: 'bigint' },
    source: { type: 'text' },
    subject: { type: 'text' },
    email: { type: 'text', nullable: true },
    corporate_domain: { type: 'text', nullable: true },
    created_at: { type: 'timestamptz', createDate: true },
    updated_at: { type: 'timestamptz', updateDate: true },
  },
});
