import type { DeploymentId, DivisionId, EnvironmentId, TenantId } from '@sluice/contracts';
import { bigint, nullable, table, text, time, uuid, type RowOf } from './columns.ts';

/** The codes for one deletion. Read and changed under the lock of the tenant. */
export const ProtectionCode = table('protection_codes', {
  // the table's key is a unique constraint over these four, which counts nulls as equal
  /** what would be deleted is the innermost of these */
  tenant_id: bigint<TenantId>({ primary: true }),
  division_id: nullable(bigint<DivisionId>({ primary: true })),
  environment_id: nullable(bigint<EnvironmentId>({ primary: true })),
  deployment_id: nullable(bigint<DeploymentId>({ primary: true })),
  /** of the newest code; null when none was issued yet, or it is used */
  issued_at: nullable(time()),
  /** when wrong codes were given of late */
  wrong_at: time<Date[]>({ array: true, default: [] }),
  /** until when no code is taken */
  locked_until: nullable(time()),
  /** the mail of the newest code */
  mail_id: nullable(uuid()),
  /** why that could not be delivered, as far as is known */
  mail_failure: nullable(text()),
});
export type ProtectionCodeRow = RowOf<typeof ProtectionCode>;
