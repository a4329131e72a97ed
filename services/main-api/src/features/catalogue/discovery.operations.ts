import { ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import { pick } from '@sluice/main-store/rows';
import type { DiscoveryService } from './discovery.service.ts';

export function discoveryOperations(discovery: DiscoveryService) {
  return {
    async listClouds() {
      return ok(discovery.clouds().map((cloud) => pick(cloud, 'key', 'name')));
    },
    listRegions: async ({ params }) => ok(await discovery.regions(params)),

    async listTiers({ params }) {
      const offers = await discovery.tiers(params);
      return ok(
        offers.map(({ tier, ...offer }) => ({
          ...pick(tier, 'key', 'name', 'vcpus', 'memory_gib', 'clusters', 'storages', 'rate_limit'),
          ...(tier.description && { description: tier.description }),
          ...offer,
        })),
      );
    },

    async listStorages({ params }) {
      const storages = await discovery.storages(params);
      return ok(
        storages.map((storage) => pick(storage, 'key', 'name', 'description', 'available', 'clusters')),
      );
    },

    listClusters: async ({ params }) => ok(await discovery.clusters(params)),
  } satisfies Partial<Handlers<operations>>;
}
