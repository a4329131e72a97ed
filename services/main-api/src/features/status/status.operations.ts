import { ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import type { StatusService } from './status.service.ts';

export const statusOperations = (status: StatusService) =>
  ({
    getStatus: async () => ({
      ...ok(await status.get()),
      headers: { 'cache-control': 'public, max-age=15' },
    }),
  }) satisfies Partial<Handlers<operations>>;
