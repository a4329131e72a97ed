import { accepted, ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import type { CertificatesService } from './certificates.service.ts';

export function certificatesOperations(certificates: CertificatesService) {
  return {
    async getCertificates({ params }) {
      return ok(await certificates.get(params));
    },
    async rotateCertificates({ caller, params }) {
      await certificates.rotate(caller, params);
      return accepted({}, undefined);
    },
  } satisfies Partial<Handlers<operations>>;
}
