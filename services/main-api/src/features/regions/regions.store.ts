import { supervisorOf, type Sender, type Cloud, type Plugins, type ProvidedOptions } from '@sluice/contracts';
import type { Database } from '@sluice/main-store/database';
import { boolean, jsonb, nullable, table, text, time, type RowOf } from '@sluice/main-store/columns';

export type RegionStatus = 'operational' | 'degraded' | 'outage' | 'silent';

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
  /** since when it takes no new deployments, and why */
  drained_at: nullable(time()),
  drain_reason: nullable(text()),
  /** whether tenants with deployments there have the last change of that in their logs */
  drain_recorded: boolean({ default: true }),
  /** until when it has reported all usage */
  usage_to: nullable(time()),
  /** its state on the status page, and since when */
  status: text<RegionStatus>({ default: 'operational' }),
  status_since: time({ default: () => 'now()' }),
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

/** The same, with how each is. */
export const listRegionStatuses = (db: Database) =>
  db.manager.find(Region, {
    select: { cloud: true, region: true, status: true, status_since: true },
    order: { cloud: 'ASC', region: 'ASC' },
  });

export async function findRegion(
  db: Database,
  { cloud, region }: Pick<RegionRow, 'cloud' | 'region'>,
): Promise<RegionRow | undefined> {
  return (await db.manager.findOneBy(Region, { cloud, region })) ?? undefined;
}

/**
 * Keeps a region from being drained or removed until the transaction ends: as a deployment's foreign key does, for what is read of the
 * region before its insertion.
 */
export async function holdRegion(
  tx: Database,
  { cloud, region }: Pick<RegionRow, 'cloud' | 'region'>,
): Promise<void> {
  await tx.query('SELECT FROM regions WHERE cloud = $1 AND region = $2 FOR KEY SHARE', [cloud, region]);
}

/** Locks the regions whose last change by an operator is in no audit log yet, without those that another replica has locked. */
export const lockUnrecorded = (tx: Database) =>
  tx.manager.find(Region, {
    where: { drain_recorded: false },
    lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' },
  });

export const markRecorded = (tx: Database, { cloud, region }: Pick<RegionRow, 'cloud' | 'region'>) =>
  tx.manager.update(Region, { cloud, region }, { drain_recorded: true });

/** What a supervisor says of its region. */
type Registration = Omit<
  RegionRow,
  'registered_at' | 'drained_at' | 'drain_reason' | 'drain_recorded' | 'usage_to' | 'status' | 'status_since'
>;

export const upsertRegion = (db: Database, region: Registration) => {
  const { cloud, supervisor_url, clusters, options, plugins } = region;
  const row = { cloud, region: region.region, supervisor_url, clusters, options, plugins };
  return db.manager.upsert(Region, { ...row, registered_at: () => 'now()' }, ['cloud', 'region']);
};

/** Notes until when a region has reported all usage. One that was restored from an older copy takes nothing back. */
export const raiseUsageTo = (
  db: Database,
  { cloud, region }: Pick<RegionRow, 'cloud' | 'region'>,
  to: Date,
) =>
  db.query('UPDATE regions SET usage_to = greatest(usage_to, $3) WHERE cloud = $1 AND region = $2', [
    cloud,
    region,
    to,
  ]);
