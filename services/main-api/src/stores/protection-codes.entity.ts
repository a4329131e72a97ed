import type { DeploymentId, DivisionId, EnvironmentId, TenantId } from '@sluice/contracts';
import { EntitySchema } from 'typeorm';

/** What is known of the codes for one deletion. It is read and changed by whoever has locked the tenant. */
export interface ProtectionCodeRow {
  /** what would be deleted is the innermost of these */
  tenant_id: TenantId;
  division_id: DivisionId | null;
  environment_id: EnvironmentId | null;
  deployment_id: DeploymentId | null;
  /** of the newest code; null when none was issued yet, or it is used */
  issued_at: Date | null;
  /** when wrong codes were given of late */
  wrong_at: Date[];
  /** until when no code is taken */
  locked_until: Date | null;
  /** the mail of the newest code */
  mail_id: string | null;
  /** why that could not be delivered, as far as is known */
  mail_failure: string | null;
}

export const ProtectionCode = new EntitySchema<ProtectionCodeRow>({
  name: 'protection_code',
  tableName: 'protection_codes',
  columns: {
    // the table's key is a unique constraint over these four, which counts nulls as equal
    tenant_id: { type: 'bigint', primary: true },
    division_id: { type: 'bigint', primary: true, nullable: true },
    environment_id: { type: 'bigint', primary: true, nullable: true },
    deployment_id: { type: 'bigint', primary: true, nullable: true },
    issued_at: { type: 'timestamptz', nullable: true },
    wrong_at: { type: 'timestamptz', array: true, default: [] },
    locked_until: { type: 'timestamptz', nullable: true },
    mail_id: { type: 'uuid', nullable: true },
    mail_failure: { type: 'text', nullable: true },
  },
});
