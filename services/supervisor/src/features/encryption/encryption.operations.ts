import { accepted, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import type { EncryptionService } from './encryption.service.ts';

export function encryptionOperations(encryption: EncryptionService) {
  return {
    async rotateEncryptionKey({ caller, params }) {
      await encryption.rotate(caller, params);
      return accepted({}, undefined);
    },
  } satisfies Partial<Handlers<operations>>;
}
