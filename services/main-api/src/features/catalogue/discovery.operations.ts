import { ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import type { DiscoveryService } from './discovery.service.ts';

export function discoveryOperations(discovery: DiscoveryService) {
  return {
    async listClouds() {
      return ok(discovery.clouds().map(({ key, name }) => ({ key, name })));
    },

    async listRegions({ params }) {
      return ok(await discovery.regions(params));
    },

    async listTiers({ params }) {
      const offers = await discovery.tiers(params);
      return ok(
        offers.map(({ tier, instance, limit, available }) => ({
          key: tier.key,
          name: tier.name,
          ...(tier.description && { description: tier.description }),
          instance,
          available,
          limit,
          vcpus: tier.vcpus,
          memory_gib: tier.memory_gib,
          clusters: tier.clusters,
          storages: tier.storages,
          rate_limit: tier.rate_limit,
        })),
      );
    },

    async listStorages({ params }) {
      const storages = await discovery.storages(params);
      return ok(
        storages.map(({ key, name, description, available, clusters }) => ({
          key,
          name,
          description,
          available,
          clusters,
        })),
      );
    },

    async listClusters({ params }) {
      return ok(await discovery.clusters(params));
    },
  } satisfies Partial<Handlers<operations>>;
}
