import { supervisorOf, type Sender } from '@sluice/contracts';
import type { Database } from '../database.ts';
import { Region, type RegionRow } from './regions.entity.ts';

/** The regions of a cloud whose supervisor has registered, with the addresses of their supervisors. */
export async function findRegisteredRegions(
  db: Database,
  cloud: RegionRow['cloud'],
): Promise<Map<string, string>> {
  const regions = await db.manager.findBy(Region, { cloud });
  return new Map(regions.map(({ region, supervisor_url }) => [region, supervisor_url]));
}

/** The services, and the supervisors of all regions that have registered. */
export async function findSenders(db: Database): Promise<Sender[]> {
  const regions = await db.manager.find(Region, { select: { cloud: true, region: true } });
  return ['main-api', 'audit', 'notifier', ...regions.map(supervisorOf)];
}

/** Whether nodes of a deployment can be one cluster in this region; undefined where there is no such region. */
export async function makesClusters(
  db: Database,
  { cloud, region }: Pick<RegionRow, 'cloud' | 'region'>,
): Promise<boolean | undefined> {
  return (await db.manager.findOneBy(Region, { cloud, region }))?.clusters;
}

export async function upsertRegion(
  db: Database,
  {
    cloud,
    region,
    supervisor_url,
    clusters = false,
  }: Omit<RegionRow, 'registered_at' | 'clusters'> & Partial<Pick<RegionRow, 'clusters'>>,
): Promise<void> {
  await db.query(
    `INSERT INTO regions (cloud, region, supervisor_url, clusters) VALUES ($1, $2, $3, $4)
     ON CONFLICT (cloud, region) DO UPDATE
     SET supervisor_url = excluded.supervisor_url, clusters = excluded.clusters, registered_at = now()`,
    [cloud, region, supervisor_url, clusters],
  );
}
