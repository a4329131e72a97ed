import type { JoinRequestId, TenantId, UserId } from '@sluice/contracts';
import { EntitySchema } from 'typeorm';
import { idColumn } from '../../../stores/columns.ts';

export interface JoinRequestRow {
  id: JoinRequestId;
  tenant_id: TenantId;
  user_id: UserId;
  status: 'pending' | 'approved' | 'rejected';
  created_at: Date;
  decided_at: Date | null;
}

export const JoinRequest = new EntitySchema<JoinRequestRow>({
  name: 'join_request',
  tableName: 'join_requests',
  columns: {
    id: idColumn,
    tenant_id: { type: 'bigint' },
    user_id: { type: 'bigint' },
    status: { type: 'text', default: 'pending' },
    created_at: { type: 'timestamptz', createDate: true },
    decided_at: { type: 'timestamptz', nullable: true },
  },
});
