import type { Grant } from '@sluice/contracts';
import type { SentPosition } from '@sluice/messaging';
import { bigint, boolean, jsonb, nullable, table, text, time, type RowOf } from '../../../stores/columns.ts';

/** What a token may do, and what is known of its publication. */
export const GrantRecord = table('grants', {
  /** where it stands in the bucket */
  key: text({ primary: true }),
  /** null: taken away */
  content: nullable(jsonb<Grant>()),
  version: bigint(),
  expires_at: nullable(time()),
  changed_at: time(),
  /** the version that is known to be in force on all layers */
  settled_version: nullable(bigint()),
  bucket: nullable(bigint()),
  sequence: nullable(bigint()),
  /** its token is refused until an operator has decided */
  frozen: boolean({ default: false }),
});
export type GrantRow = RowOf<typeof GrantRecord>;

export type StoredPosition = Omit<SentPosition, 'sent_at'> & { sent_at: string };

export const GrantBucket = table('grant_bucket', {
  id: boolean({ primary: true }),
  bucket: bigint(),
  epoch: bigint(),
  created: nullable(text()),
  complete: boolean(),
  made_by: nullable(text()),
  /** the database was restored, and its grants have not been compared with the bucket's yet */
  review: boolean({ default: false }),
  /** whether the bucket has had all that a restored database knows of it: what is missing there was removed since */
  judges: boolean({ default: true }),
  /** the newest event that was sent, as far as it is known */
  sent: nullable(jsonb<StoredPosition>()),
});
export type GrantBucketRow = RowOf<typeof GrantBucket>;
