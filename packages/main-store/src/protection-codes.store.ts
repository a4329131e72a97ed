import type { TenantId, DeploymentId, DivisionId, EnvironmentId } from '@sluice/contracts';
import { IsNull } from 'typeorm';
import type { Database } from './database.ts';
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

/** What a code lets delete: the innermost of these that is given. */
export type Protected = Pick<ProtectionCodeRow, 'tenant_id'> & {
  [Id in 'division_id' | 'environment_id' | 'deployment_id']?: NonNullable<ProtectionCodeRow[Id]> | undefined;
};

export type CodeRecord = Pick<ProtectionCodeRow, 'issued_at' | 'wrong_at' | 'locked_until' | 'mail_failure'>;

const path = ({ tenant_id, division_id, environment_id, deployment_id }: Protected) => ({
  tenant_id,
  division_id: division_id ?? null,
  environment_id: environment_id ?? null,
  deployment_id: deployment_id ?? null,
});
const isThis = ({ tenant_id, division_id, environment_id, deployment_id }: Protected) => ({
  tenant_id,
  division_id: division_id ?? IsNull(),
  environment_id: environment_id ?? IsNull(),
  deployment_id: deployment_id ?? IsNull(),
});
const storeCodes = (db: Database, what: Protected, codes: Partial<ProtectionCodeRow>) => {
  const row = { ...path(what), ...codes };
  return db.manager.upsert(ProtectionCode, row, Object.keys(path(what)));
};

export const readCodes = async (db: Database, what: Protected): Promise<CodeRecord> =>
  (await db.manager.findOneBy(ProtectionCode, isThis(what))) ?? {
    ...{ issued_at: null, wrong_at: [], locked_until: null, mail_failure: null },
  };

/** From now on the code of this instant, which is in that mail, is the right one. */
export const storeIssue = (db: Database, what: Protected, issued_at: Date, mail_id: string) =>
  storeCodes(db, what, { issued_at, mail_id, mail_failure: null });

/** Notes why the mail of a code could not be delivered, unless there is a newer one. */
export const recordCodeFailure = (db: Database, tenant_id: TenantId, mail_id: string, reason: string) =>
  db.manager.update(ProtectionCode, { tenant_id, mail_id }, { mail_failure: reason });

/** Makes all codes of a tenant void that were issued until now. */
export const voidCodes = (db: Database, tenant_id: TenantId) =>
  db.manager.update(ProtectionCode, { tenant_id }, { issued_at: null });

/** Uses up the code of this instant. @returns false when it is used already */
export async function spendCode(db: Database, what: Protected, issued_at: Date): Promise<boolean> {
  const spent = await db.manager.update(ProtectionCode, { ...isThis(what), issued_at }, { issued_at: null });
  return spent.affected === 1;
}

export const storeWrongCodes = (
  db: Database,
  what: Protected,
  codes: Pick<CodeRecord, 'wrong_at' | 'locked_until'>,
) => storeCodes(db, what, codes);
