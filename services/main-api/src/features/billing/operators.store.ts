import type { TenantId } from '@sluice/contracts';
import { bigint, boolean, id, jsonb, nullable, table, text, time, type RowOf } from '../../stores/columns.ts';

/** What operators have changed of a tenant's billing, until its audit log has it. */
export const BillingChange = table('billing_changes', {
  id: id<number>(),
  tenant_id: bigint<TenantId>(),
  type: text(),
  data: jsonb(),
  made_at: time({ createDate: true }),
});

/** Months that operators have closed, or asked what closing them would issue. */
export const ClosingRequest = table('closing_requests', {
  id: id<number>(),
  month: time(),
  dry_run: boolean(),
  requested_at: time({ createDate: true }),
  done_at: nullable(time()),
  result: nullable(jsonb()),
});
export type ClosingRequestRow = RowOf<typeof ClosingRequest>;
