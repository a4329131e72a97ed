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

export async function upsertRegion(
  db: Database,
  { cloud, region, supervisor_url }: Omit<RegionRow, 'registered_at'>,
): Promise<void> {
  await db.query(
    `INSERT INTO regions (cloud, region, supervisor_url) VALUES ($1, $2, $3)
     ON CONFLICT (cloud, region) DO UPDATE SET supervisor_url = excluded.supervisor_url, registered_at = now()`,
    [cloud, region, supervisor_url],
  );
}
