import { ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import type { VerificationService } from './verification.service.ts';

export function verificationOperations(verification: VerificationService) {
  return {
    async verifyAuditLog({ params }) {
      return ok(await verification.verify(params));
    },
  } satisfies Partial<Handlers<operations>>;
}
