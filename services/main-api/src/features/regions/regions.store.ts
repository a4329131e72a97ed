import { supervisorOf, type Sender } from '@sluice/contracts';
import type { Database } from '../../database.ts';
import { Region, type RegionRow } from './regions.entity.ts';

/** The regions of a cloud whose supervisor has registered, by their names. */
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

/** A region whose supervisor has registered. */
export async function findRegion(
  db: Database,
  { cloud, region }: Pick<RegionRow, 'cloud' | 'region'>,
): Promise<RegionRow | undefined> {
  return (await db.manager.findOneBy(Region, { cloud, region })) ?? undefined;
}

export const upsertRegion = (
  db: Database,
  { cloud, region, supervisor_url, clusters, options, plugins }: Omit<RegionRow, 'registered_at'>,
) =>
  db.query(
    `INSERT INTO regions (cloud, region, supervisor_url, clusters, options, plugins)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (cloud, region) DO UPDATE
     SET supervisor_url = excluded.supervisor_url, clusters = excluded.clusters, options = excluded.options,
       plugins = excluded.plugins, registered_at = now()`,
    [cloud, region, supervisor_url, clusters, options, JSON.stringify(plugins)],
  );
