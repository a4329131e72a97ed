import type { TenantId } from '@sluice/contracts';
import { IsNull, LessThan } from 'typeorm';
import type { Database } from '@sluice/main-store/database';
import {
  bigint,
  boolean,
  id,
  jsonb,
  nullable,
  table,
  text,
  time,
  type RowOf,
} from '@sluice/main-store/columns';

/** What operators have changed of a tenant's billing, until its audit log has it. */
export const BillingChange = table('billing_changes', {
  id: id<number>(),
  tenant_id: bigint<TenantId>(),
  type: text(),
  data: jsonb(),
  made_at: time({ createDate: true }),
});
export type BillingChangeRow = RowOf<typeof BillingChange>;

/** The oldest of them, which are taken by this transaction. */
export const takeBillingChanges = (tx: Database, limit: number) =>
  tx.query<BillingChangeRow>(
    `DELETE FROM billing_changes WHERE id IN (
       SELECT id FROM billing_changes ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING *`,
    [limit],
  );

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

/** Those that are not carried out, oldest first. */
export const listClosingRequests = (db: Database) =>
  db.manager.find(ClosingRequest, { where: { done_at: IsNull() }, order: { id: 'ASC' } });

/** Removes those that were carried out before a time. */
export const pruneClosingRequests = (db: Database, before: Date) =>
  db.manager.delete(ClosingRequest, { done_at: LessThan(before) });

export const setClosed = (db: Database, requestId: number, result: object) =>
  db.manager.update(ClosingRequest, { id: requestId, done_at: IsNull() }, { done_at: () => 'now()', result });
