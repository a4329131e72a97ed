import { ok, type Handlers } from '@sluice/service-kit';
import type { operations } from '../../generated/api.ts';
import type { Network } from './network.service.ts';

export function networkOperations(network: Network) {
  return {
    getNetworkInfo: async ({ params }) => ok(await network.of(params.deployment_id)),
  } satisfies Partial<Handlers<operations>>;
}
