import { noContent, type Handlers } from '@sluice/service-kit';
import { callerOf } from '../../core.ts';
import type { operations } from '../../generated/api.ts';
import type { ProtectionService } from './protection.service.ts';

export function protectionOperations(
  protection: ProtectionService,
): Handlers<operations, 'requestProtectionCode'> {
  return {
    async requestProtectionCode(call) {
      await protection.request(callerOf(call), call.params.tenant_id, call.body.action);
      return noContent();
    },
  };
}
