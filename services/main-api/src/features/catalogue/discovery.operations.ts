import { ok, type Handlers } from '@sluice/service-kit';
import type { operations } from '../../generated/api.ts';
import type { DiscoveryService } from './discovery.service.ts';

export function discoveryOperations(discovery: DiscoveryService) {
  return {
    async listClouds() {
      return ok(discovery.clouds().map(({ key, name }) => ({ key, name })));
    },

    async listRegions({ caller, params }) {
      return ok(await discovery.regions(caller, params));
    },

    async listTiers({ caller, params }) {
      const offers = await discovery.tiers(caller, params);
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

    async listStorages({ caller, params }) {
      const storages = await discovery.storages(caller, params);
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

    async listClusters({ caller, params }) {
      return ok(await discovery.clusters(caller, params));
    },
  } satisfies Partial<Handlers<operations>>;
}
