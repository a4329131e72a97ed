import type { Features } from '@sluice/contracts';
import { fieldProblem, problem } from '@sluice/service';
import type { Catalogue } from '@sluice/catalogue/catalogue';
import { requireCapability, requireRoom } from '@sluice/catalogue/features';
import type { Database } from '@sluice/main-store/database';
import { type RegionRow, findRegion } from '../regions/regions.store.ts';

/** How many nodes a cluster can have: a majority of them has to agree, so an even number gains nothing. */
const clusterSizes: readonly number[] = [3, 5];

/** nodes of a new deployment of each kind */
export const initialNodes = { standalone: 1, cluster: 3 } as const;

/**
 * Refuses a cluster where there can be none.
 * @param own whether its nodes are to be machines of the customer, which may not reach each other
 * @throws Problem `cluster_not_available` where the operator has not switched clusters on, or the region cannot make them;
 * `feature_not_available`
 */
export async function requireClusters(
  db: Database,
  catalogue: Catalogue,
  features: Features,
  place: Pick<RegionRow, 'cloud' | 'region'>,
  own: boolean,
): Promise<void> {
  if (!catalogue.clusters.some(({ key, available }) => key === 'cluster' && available))
    throw problem('cluster_not_available');
  requireCapability(features, 'cluster_enabled');
  if (own)
    throw problem('cluster_not_available', {
      detail: 'Clusters are not available on machines of customers.',
    });
  if ((await findRegion(db, place))?.clusters === false)
    throw problem('cluster_not_available', { detail: 'Clusters are not available in this region.' });
}

/** @throws Problem `limit_reached`, `invalid_request` when there is no cluster of so many nodes */
export function requireSize(features: Features, before: number, count: number): void {
  const after = before + count;
  if (!clusterSizes.includes(after)) {
    const larger = clusterSizes.filter((size) => size > before).map((size) => size - before);
    const allowed =
      larger.length === 0 ? 'it has all that it can have' : `can be ${larger.join(' or ')} here`;
    throw fieldProblem(
      'nodes/0/count',
      'not_allowed',
      `a cluster has ${clusterSizes.join(' or ')} nodes: ${allowed}`,
    );
  }
  requireRoom(features, 'nodes_per_deployment_limit', after - 1);
}
