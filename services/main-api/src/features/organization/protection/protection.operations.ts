import { noContent, type Handlers } from '@sluice/http';
import type { operations } from '../../../generated/api.ts';
import type { ProtectionService } from './protection.service.ts';

export function protectionOperations(protection: ProtectionService) {
  return {
    async requestProtectionCode({ caller, params, body }) {
      await protection.request(caller, params, body);
      return noContent();
    },
  } satisfies Partial<Handlers<operations>>;
}
