import { ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import type { NetworkService } from './network.service.ts';

export function networkOperations(network: NetworkService) {
  return {
    async getNetworkInfo({ params }) {
      return ok(await network.get(params));
    },
  } satisfies Partial<Handlers<operations>>;
}
