import type { Features, TenantId } from '@sluice/contracts';
import type { ParamsOf } from '@sluice/http';
import { problem } from '@sluice/service';
import type { Catalogue, CatalogueCloud, CatalogueRegion } from '@sluice/catalogue/catalogue';
import { featuresOf, tierLimit } from '@sluice/catalogue/features';
import type { Core } from '../../core.ts';
import type { operations } from '../../generated/api.ts';
import { countByTier } from '@sluice/main-store/deployments.store';
import { findRegion, findRegisteredRegions } from '../regions/regions.store.ts';
import { getTerms } from '@sluice/main-store/tenants.store';

type RegionPath = ParamsOf<operations['listTiers']>;
type Place = Pick<RegionPath, 'cloud' | 'region'>;
export type DiscoveryService = ReturnType<typeof discoveryService>;

/** What can be deployed, and where (interface, 4.3). Clouds and regions that do not exist are `not_found`. */
export function discoveryService({ database, catalogue }: Pick<Core, 'database' | 'catalogue'>) {
  const featuresOfTenant = async (id: TenantId) => featuresOf(catalogue, await getTerms(database, id));
  /** Those that have registered, and whether they take new deployments. */
  const regionsOf = async (key: string): Promise<(CatalogueRegion & { available: boolean })[]> => {
    const cloud = requireCloud(catalogue, key);
    const registered = await findRegisteredRegions(database, cloud.key);
    return cloud.regions.flatMap((region) => {
      const row = registered.get(region.key);
      return row ? [{ ...region, available: row.drained_at === null }] : [];
    });
  };
  const requireRegion = async ({ cloud, region }: Place): Promise<CatalogueCloud> => {
    if (!(await regionsOf(cloud)).some(({ key }) => key === region)) throw problem('not_found');
    return requireCloud(catalogue, cloud);
  };
  /** The kinds of cluster that the operator has switched on, the plan has and the region can make. */
  const offeredClusters = async ({ region, ...place }: Place, { cluster_enabled }: Features) => {
    const cloud = requireCloud(catalogue, place.cloud).key;
    const clusters = cluster_enabled && (await findRegion(database, { cloud, region }))?.clusters;
    const offered = catalogue.clusters.filter(
      ({ key, available }) => available && (key === 'standalone' || clusters),
    );
    return new Set<string>(offered.map(({ key }) => key));
  };
  return {
    clouds: () => catalogue.clouds,
    regions: ({ cloud }: Pick<RegionPath, 'cloud'>) => regionsOf(cloud),

    /** The tiers with their machine in this cloud, the plan's limit, and whether it leaves room for one more. */
    async tiers(path: RegionPath) {
      const cloud = await requireRegion(path);
      const features = await featuresOfTenant(path.tenant_id);
      const counts = await countByTier(database, path.tenant_id);
      const offered = await offeredClusters(path, features);
      return catalogue.tiers.map((tier) => {
        const limit = tierLimit(features, tier.key);
        return {
          tier: { ...tier, clusters: tier.clusters.filter((key) => offered.has(key)) },
          instance: tier.instances[cloud.key],
          limit,
          available: (counts.get(tier.key) ?? 0) < limit,
        };
      });
    },

    async storages(path: RegionPath) {
      await requireRegion(path);
      const offered = await offeredClusters(path, await featuresOfTenant(path.tenant_id));
      return catalogue.storages.map((storage) => ({
        ...storage,
        clusters: storage.clusters.filter((key) => offered.has(key)),
      }));
    },

    /** The kinds of cluster, whether this tenant can have them, and the tiers that can. */
    async clusters(path: RegionPath) {
      await requireRegion(path);
      const offered = await offeredClusters(path, await featuresOfTenant(path.tenant_id));
      return catalogue.clusters.map((cluster) => ({
        ...cluster,
        available: offered.has(cluster.key),
        tiers: catalogue.tiers.filter(({ clusters }) => clusters.includes(cluster.key)).map(({ key }) => key),
      }));
    },
  };
}

function requireCloud(catalogue: Catalogue, cloudKey: string): CatalogueCloud {
  const cloud = catalogue.clouds.find(({ key }) => key === cloudKey);
  if (!cloud) throw problem('not_found');
  return cloud;
}
