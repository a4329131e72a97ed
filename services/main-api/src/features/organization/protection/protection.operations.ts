import { done, type Handlers } from '@sluice/http';
import type { operations } from '../../../generated/api.ts';
import type { ProtectionService } from './protection.service.ts';

export const protectionOperations = (protection: ProtectionService) =>
  ({
    requestProtectionCode: ({ caller, params, body }) => done(protection.request(caller, params, body)),
  }) satisfies Partial<Handlers<operations>>;
