import type { Cloud } from '@sluice/contracts';
import type { Database } from '../database.ts';

/** The regions of a cloud whose supervisor has registered. */
export async function registeredRegions(db: Database, cloud: string): Promise<Set<string>> {
  const rows = await db.query<{ region: string }>('SELECT region FROM regions WHERE cloud = $1', [cloud]);
  return new Set(rows.map(({ region }) => region));
}

export async function registerRegion(
  db: Database,
  { cloud, region, supervisor_url }: { cloud: Cloud; region: string; supervisor_url: string },
): Promise<void> {
  await db.query(
    `INSERT INTO regions (cloud, region, supervisor_url) VALUES ($1, $2, $3)
     ON CONFLICT (cloud, region) DO UPDATE SET supervisor_url = excluded.supervisor_url, registered_at = now()`,
    [cloud, region, supervisor_url],
  );
}
