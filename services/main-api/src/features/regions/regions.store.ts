import { supervisorOf, type Sender, type Cloud, type Plugins, type ProvidedOptions } from '@sluice/contracts';
import type { Database } from '../../database.ts';
import { boolean, jsonb, table, text, time, type RowOf } from '../../stores/columns.ts';

export const Region = table('regions', {
  cloud: text<Cloud>({ primary: true }),
  region: text({ primary: true }),
  supervisor_url: text(),
  /** whether nodes of a deployment can be one cluster there */
  clusters: boolean({ default: false }),
  /** what it provides of what not every region does */
  options: jsonb<ProvidedOptions>({ default: {} }),
  /** what a deployment can have whose nodes have not reported yet */
  plugins: jsonb<Plugins>({ default: [] }),
  registered_at: time({ createDate: true }),
});
export type RegionRow = RowOf<typeof Region>;

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

/** All that have registered; an installation has some dozens at most. */
export const listRegions = (db: Database) =>
  db.manager.find(Region, {
    select: { cloud: true, region: true, supervisor_url: true, registered_at: true },
    order: { cloud: 'ASC', region: 'ASC' },
  });

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
