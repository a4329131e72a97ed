import {
  getTenant,
  listClusters,
  listLimits,
  listRegions,
  listStorages,
  listTiers,
  type Cloud,
} from '@sluice/client';
import { sluice as client } from './client.ts';
import { keyOf } from './keys.ts';
import { read } from './query-client.ts';

/** What deployments can be made of, with what the plan leaves of it. Keys have the kind `limits`, which a change of the plan affects. */

export const tenantQuery = (tenant_id: number) =>
  read(keyOf('main', tenant_id, 'tenant', 'detail'), (signal) =>
    getTenant({ client, path: { tenant_id }, signal }),
  );

export const limitsQuery = (tenant_id: number) =>
  read(keyOf('main', tenant_id, 'limits', 'list'), (signal) =>
    listLimits({ client, path: { tenant_id }, signal }),
  );

export const regionsQuery = (tenant_id: number, cloud: Cloud) =>
  read(keyOf('main', tenant_id, 'limits', 'regions', cloud), (signal) =>
    listRegions({ client, path: { tenant_id, cloud }, signal }),
  );

interface AtRegion {
  cloud: Cloud;
  region: string;
}

export const tiersQuery = (tenant_id: number, { cloud, region }: AtRegion) =>
  read(keyOf('main', tenant_id, 'limits', 'tiers', cloud, region), (signal) =>
    listTiers({ client, path: { tenant_id, cloud, region }, signal }),
  );

export const storagesQuery = (tenant_id: number, { cloud, region }: AtRegion) =>
  read(keyOf('main', tenant_id, 'limits', 'storages', cloud, region), (signal) =>
    listStorages({ client, path: { tenant_id, cloud, region }, signal }),
  );

export const clustersQuery = (tenant_id: number, { cloud, region }: AtRegion) =>
  read(keyOf('main', tenant_id, 'limits', 'clusters', cloud, region), (signal) =>
    listClusters({ client, path: { tenant_id, cloud, region }, signal }),
  );
