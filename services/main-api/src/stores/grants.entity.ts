import type { Grant } from '@sluice/contracts';
import type { SentPosition } from '@sluice/messaging';
import { EntitySchema } from 'typeorm';

/** What a token may do, and what is known of its publication. */
export interface GrantRow {
  /** where it stands in the bucket */
  key: string;
  /** null: taken away */
  content: Grant | null;
  version: number;
  expires_at: Date | null;
  changed_at: Date;
  /** the version that is known to be in force on all layers */
  settled_version: number | null;
  bucket: number | null;
  sequence: number | null;
  /** its token is refused, whatever `content` says, until an operator has decided */
  frozen: boolean;
}

export const GrantRecord = new EntitySchema<GrantRow>({
  name: 'grant',
  tableName: 'grants',
  columns: {
    key: { type: 'text', primary: true },
    content: { type: 'jsonb', nullable: true },
    version: { type: 'bigint' },
    expires_at: { type: 'timestamptz', nullable: true },
    changed_at: { type: 'timestamptz' },
    settled_version: { type: 'bigint', nullable: true },
    bucket: { type: 'bigint', nullable: true },
    sequence: { type: 'bigint', nullable: true },
    frozen: { type: 'boolean', default: false },
  },
});

/** As JSON has it. */
export type StoredPosition = Omit<SentPosition, 'sent_at'> & { sent_at: string };

/** The bucket that the grants are published in. */
export interface GrantBucketRow {
  id: boolean;
  bucket: number;
  epoch: number;
  created: string | null;
  complete: boolean;
  made_by: string | null;
  /** the database was restored, and its grants have not been compared with the bucket's yet */
  review: boolean;
  /** whether the bucket has had all that a restored database knows of it: what is missing there was removed since */
  judges: boolean;
  /** the newest event that was sent, as far as it is known */
  sent: StoredPosition | null;
}

export const GrantBucket = new EntitySchema<GrantBucketRow>({
  name: 'grant_bucket',
  tableName: 'grant_bucket',
  columns: {
    id: { type: 'boolean', primary: true },
    bucket: { type: 'bigint' },
    epoch: { type: 'bigint' },
    created: { type: 'text', nullable: true },
    complete: { type: 'boolean' },
    made_by: { type: 'text', nullable: true },
    review: { type: 'boolean', default: false },
    judges: { type: 'boolean', default: true },
    sent: { type: 'jsonb', nullable: true },
  },
});
