import type { IdentityId, UserId } from '@sluice/contracts';
import { bigint, id, nullable, table, text, time, type RowOf } from './columns.ts';

/** The account of a user at an identity provider. */
export const Identity = table('identities', {
  id: id<IdentityId>(),
  user_id: bigint<UserId>(),
  /** the identity provider */
  source: text(),
  subject: text(),
  email: nullable(text()),
  /** the domain that the user claims for a tenant */
  corporate_domain: nullable(text()),
  created_at: time({ createDate: true }),
  updated_at: time({ updateDate: true }),
});
export type IdentityRow = RowOf<typeof Identity>;
