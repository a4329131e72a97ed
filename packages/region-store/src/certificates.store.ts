import type { Cause, DeploymentId } from '@sluice/contracts';
import { sql, type Selectable } from 'kysely';
import { hasChanged, inSeconds } from './queries.ts';
import { changeOf, findOf, putOf } from './rows.ts';
import type { Database, Tables } from './tables.ts';

export type StoredCertificate = Selectable<Tables['deployment_certificates']>;

/** A certificate that there is; `ask_renewal_at`: when its authority is asked about its renewal, null where that does not say. */
export type Certificate = {
  [
    Column in
      'certificate' | 'sealed_key' | 'authority' | 'server_name' | 'serial' | 'not_before' | 'not_after'
  ]: NonNullable<StoredCertificate[Column]>;
} & Pick<StoredCertificate, 'ask_renewal_at'>;

export const findCertificate = (db: Database, id: DeploymentId) => findOf(db, 'deployment_certificates', id);

/** Keeps a certificate in the place of the one before; the next is due at `dueAt`. */
export const storeCertificate = (
  db: Database,
  deployment_id: DeploymentId,
  certificate: Certificate,
  due_at: Date,
) =>
  putOf(db, 'deployment_certificates', {
    ...{ ...certificate, deployment_id, due_at, failures: 0 },
    ...{ last_error: null, requested_by: null, warned_at: null, held_until: null },
  });

/** Notes that a certificate could not be obtained, and when that is tried again; before `held_until` no request may be made. */
export const recordCertificateFailure = (
  db: Database,
  deployment_id: DeploymentId,
  failure: Pick<StoredCertificate, 'failures' | 'last_error' | 'due_at' | 'held_until'>,
) => putOf(db, 'deployment_certificates', { deployment_id, ...failure });

/** Notes when to ask again for a certificate that is being made. */
export const recordCertificateUnderWay = (db: Database, deployment_id: DeploymentId, due_at: Date) =>
  putOf(db, 'deployment_certificates', { deployment_id, due_at });

/** Notes that people were warned of the end of the certificate. */
export const markWarned = (db: Database, id: DeploymentId, now: Date) =>
  changeOf(db, 'deployment_certificates', id, { warned_at: now });

/** Has another certificate obtained, now or as soon as that may be asked for. @returns false where there is none yet */
export const requestCertificate = (db: Database, deploymentId: DeploymentId, cause: Cause, now: Date) =>
  hasChanged(
    db
      .updateTable('deployment_certificates')
      .set({
        due_at: sql`greatest(${now}::timestamptz, held_until)`,
        failures: 0,
        requested_by: JSON.stringify(cause),
      })
      .where('deployment_id', '=', deploymentId)
      .where('certificate', 'is not', null),
  );

/** How far a deployment is from its next certificate. */
export interface CertificateState {
  issued: boolean;
  /** until the next one is to be obtained; 0 once it is due */
  dueInSeconds: number;
  lastError: string | null;
}

export async function findCertificateState(
  db: Database,
  deploymentId: DeploymentId,
  now: Date,
): Promise<CertificateState> {
  const row = await db
    .selectFrom('deployment_certificates')
    .select([sql<boolean>`certificate IS NOT NULL`.as('issued'), 'due_at', 'last_error'])
    .where('deployment_id', '=', deploymentId)
    .executeTakeFirst();
  if (!row) return { issued: false, dueInSeconds: 0, lastError: null };
  const dueInSeconds = Math.max(0, (row.due_at.getTime() - now.getTime()) / 1_000);
  return { issued: row.issued, dueInSeconds, lastError: row.last_error };
}

/** A certificate about whose renewal its authority can be asked. */
export type Renewable = Pick<Certificate, 'certificate' | 'serial' | 'not_after'> &
  Pick<StoredCertificate, 'deployment_id' | 'due_at'>;

/** Those about whose renewal it is time to ask; other replicas leave them alone for `seconds`. */
export async function takeRenewable(db: Database, { limit, seconds }: { limit: number; seconds: number }) {
  const { rows } = await sql<Renewable>`
    WITH taken AS (
      SELECT deployment_id FROM deployment_certificates WHERE ask_renewal_at <= statement_timestamp()
      ORDER BY ask_renewal_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    UPDATE deployment_certificates AS kept SET ask_renewal_at = ${inSeconds(seconds)}
    FROM taken WHERE kept.deployment_id = taken.deployment_id
    RETURNING kept.deployment_id, certificate, serial, not_after, due_at`.execute(db);
  return rows;
}

/**
 * Notes when to ask again about its renewal, and when that is due, unless it has been put on another day meanwhile, it was requested
 * now, or it fails and is tried again.
 */
export async function planRenewal(
  db: Database,
  { deployment_id, serial, due_at }: Renewable,
  plan: { askAt: Date; dueAt: Date },
): Promise<void> {
  // as it was read
  const isFree = sql<boolean>`failures = 0 AND requested_by IS NULL AND date_trunc('milliseconds', due_at) = ${due_at}`;
  await db
    .updateTable('deployment_certificates')
    .set({
      ask_renewal_at: plan.askAt,
      due_at: sql`CASE WHEN ${isFree} THEN ${plan.dueAt}::timestamptz ELSE due_at END`,
    })
    .where('deployment_id', '=', deployment_id)
    .where('serial', '=', serial)
    .execute();
}
