import type { JoinRequestId, TenantId, UserId } from '@sluice/contracts';
import { bigint, id, nullable, table, text, time, type RowOf } from '../../../stores/columns.ts';

export const JoinRequest = table('join_requests', {
  id: id<JoinRequestId>(),
  tenant_id: bigint<TenantId>(),
  user_id: bigint<UserId>(),
  status: text<'pending' | 'approved' | 'rejected'>({ default: 'pending' }),
  created_at: time({ createDate: true }),
  decided_at: nullable(time()),
});
export type JoinRequestRow = RowOf<typeof JoinRequest>;
