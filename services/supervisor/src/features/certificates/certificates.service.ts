import type { Caller } from '@sluice/grants';
import { problem } from '@sluice/service';
import { requireLive, type DeploymentPath } from '../deployment-rules.ts';
import type { Base } from '@sluice/region-store/tables';
import type { components } from '../../generated/api.ts';
import { findCertificate, requestCertificate } from '@sluice/region-store/certificates.store';
import {
  getDeployment,
  lockDeployment,
  nameAndCode,
  subjectsOf,
} from '@sluice/region-store/deployments.store';
import { scheduleNow } from '@sluice/region-store/reconciliations.store';

export type CertificatesService = ReturnType<typeof certificatesService>;

/** What a deployment proves itself by to its clients. */
export function certificatesService({ database, work, now }: Base) {
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

    /** Has the reconciler obtain another certificate, which emits an event when it is done. */
    async rotate(caller: Caller, { deployment_id }: DeploymentPath): Promise<void> {
      await work(caller, async (tx) => {
        const deployment = await lockDeployment(tx.db, deployment_id);
        requireLive(deployment);
        if (!(await requestCertificate(tx.db, deployment_id, caller.cause, now())))
          throw problem('state_conflict', { detail: 'The deployment has no certificate yet.' });
        await scheduleNow(tx.db, deployment_id, now());
        tx.emit('deployment_certificate_rotation_requested', subjectsOf(deployment), nameAndCode(deployment));
      });
    },
  };
}
