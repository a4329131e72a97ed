import { supervisorOf, type Sender } from '@sluice/contracts';
import type { Database } from '../../database.ts';
import { Region, type RegionRow } from './regions.entity.ts';

export async function findRegisteredRegions(
  db: Database,
  cloud: RegionRow['cloud'],
): Promise<Map<string, RegionRow>> {
  const regions = await db.manager.findBy(Region, { cloud });
  return new Map(regions.map((row) => [row.region, row]));
}

/** The services, and the supervisors of all regions that have registered. */
export async function findSenders(db: Database): Promise<Sender[]> {
  const regions = await db.manager.find(Region, { select: { cloud: true, region: true } });
  return ['main-api', 'audit', 'notifier', ...regions.map(supervisorOf)];
}

export async function findRegion(
  db: Database,
  { cloud, region }: Pick<RegionRow, 'cloud' | 'region'>,
): Promise<RegionRow | undefined> {
  return (await db.manager.findOneBy(Region, { cloud, region })) ?? undefined;
}

export const upsertRegion = (db: Database, region: Omit<RegionRow, 'registered_at'>) => {
  const { cloud, supervisor_url, clusters, options, plugins } = region;
  const row = { cloud, region: region.region, supervisor_url, clusters, options, plugins };
  return db.manager.upsert(Region, { ...row, registered_at: () => 'now()' }, ['cloud', 'region']);
};
