import { noContent, type Handlers } from '@sluice/service-kit';
import type { operations } from '../../../generated/api.ts';
import type { ProtectionService } from './protection.service.ts';

export function protectionOperations(protection: ProtectionService) {
  return {
    async requestProtectionCode(call) {
      await protection.request(call.caller, call.params.tenant_id, call.body.action);
      return noContent();
    },
  } satisfies Partial<Handlers<operations>>;
}
