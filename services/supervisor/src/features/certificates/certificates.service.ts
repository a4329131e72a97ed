import type { Caller } from '@sluice/grants';
import type { ParamsOf } from '@sluice/http';
import type { UnitOfWork } from '@sluice/messaging';
import { problem } from '@sluice/service';
import type { Database, Transaction } from '../../database/tables.ts';
import type { components, operations } from '../../generated/api.ts';
import { findCertificate, requestCertificate } from '../../stores/certificates.store.ts';
import { getDeployment, lockDeployment, subjectsOf } from '../../stores/deployments.store.ts';
import { scheduleNow } from '../../stores/reconciliations.store.ts';

type DeploymentPath = ParamsOf<operations['getCertificates']>;

export interface CertificatesOptions {
  database: Database;
  work: UnitOfWork<Transaction>;
  now: () => Date;
}

export type CertificatesService = ReturnType<typeof certificatesService>;

/** What a deployment proves itself by to its clients. */
export function certificatesService({ database, work, now }: CertificatesOptions) {
  return {
    async get({ deployment_id }: DeploymentPath): Promise<components['schemas']['Certificates']> {
      await getDeployment(database, deployment_id);
      const found = await findCertificate(database, deployment_id);
      return {
        authority: found?.authority ?? null,
        serial: found?.serial ?? null,
        not_before: found?.not_before?.toISOString() ?? null,
        not_after: found?.not_after?.toISOString() ?? null,
      };
    },

    /** Has another certificate obtained; the reconciler does, and tells when it is done. */
    async rotate(caller: Caller, { deployment_id }: DeploymentPath): Promise<void> {
      await work(caller, async (tx) => {
        const deployment = await lockDeployment(tx.db, deployment_id);
        if (deployment.deleted_by)
          throw problem('state_conflict', { detail: 'The deployment is being deleted.' });
        if (!(await requestCertificate(tx.db, deployment_id, caller.cause, now())))
          throw problem('state_conflict', { detail: 'The deployment has no certificate yet.' });
        await scheduleNow(tx.db, deployment_id, now());
        const { name, code } = deployment.shape;
        tx.emit('deployment_certificate_rotation_requested', subjectsOf(deployment), { name, code });
      });
    },
  };
}
