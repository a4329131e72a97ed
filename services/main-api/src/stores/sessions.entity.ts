import type { SessionId, UserId } from '@sluice/contracts';
import { bigint, id, table, text, time, type RowOf } from './columns.ts';

export const Session = table('sessions', {
  id: id<SessionId>(),
  user_id: bigint<UserId>(),
  /** the identity provider */
  source: text(),
  token_sha256: text(),
  created_at: time(),
  last_used_at: time(),
  /** when it ends unless it is used */
  idle_expires_at: time(),
  /** when it ends however much it is used */
  expires_at: time(),
});
export type SessionRow = RowOf<typeof Session>;
