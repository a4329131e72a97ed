import type { Cloud, TenantId } from '@sluice/contracts';
import type { Database } from '@sluice/main-store/database';
import { bigint, boolean, id, nullable, table, text, time, type RowOf } from '@sluice/main-store/columns';
import type { RegionStatus } from '../regions/regions.store.ts';

export type Impact = Extract<RegionStatus, 'degraded' | 'outage'>;

/** What operators tell everybody of a failure. */
export const Incident = table('incidents', {
  id: id<number>(),
  title: text(),
  impact: text<Impact>(),
  opened_at: time({ createDate: true }),
  resolved_at: nullable(time()),
});

/** The regions that it is about; none: all of the installation. */
export const IncidentRegion = table('incident_regions', {
  incident_id: bigint<number>({ primary: true }),
  cloud: text<Cloud>({ primary: true }),
  region: text({ primary: true }),
});
export type PlaceRow = Pick<RowOf<typeof IncidentRegion>, 'cloud' | 'region'>;

const IncidentUpdate = table('incident_updates', {
  id: id<number>(),
  incident_id: bigint<number>(),
  kind: text<'opened' | 'updated' | 'resolved'>(),
  impact: text<Impact>(),
  message: text(),
  at: time({ createDate: true }),
  /** whether the audit logs of tenants with deployments there have it */
  recorded: boolean({ default: false }),
});
type UpdateRow = RowOf<typeof IncidentUpdate>;

export type IncidentRow = RowOf<typeof Incident> & {
  regions: PlaceRow[];
  updates: (Pick<UpdateRow, 'kind' | 'impact' | 'message'> & { at: string })[];
};

const regionsOf = `(SELECT coalesce(jsonb_agg(jsonb_build_object('cloud', cloud, 'region', region) ORDER BY cloud, region), '[]')
  FROM incident_regions WHERE incident_id = i.id) AS regions`;

/** The open ones and those that were resolved since then, newest first, with their last updates. */
export const listIncidents = (db: Database, since: Date, most: number, mostUpdates: number) =>
  db.query<IncidentRow>(
    `SELECT i.*, ${regionsOf},
       (SELECT coalesce(jsonb_agg(jsonb_build_object('at', at, 'kind', kind, 'impact', impact, 'message', message) ORDER BY id), '[]')
        FROM (SELECT * FROM incident_updates WHERE incident_id = i.id ORDER BY id DESC LIMIT $3) AS last) AS updates
     FROM incidents i WHERE resolved_at IS NULL OR resolved_at >= $1
     ORDER BY resolved_at IS NOT NULL, id DESC LIMIT $2`,
    [since, most, mostUpdates],
  );

export type UnrecordedUpdate = UpdateRow & Pick<IncidentRow, 'title' | 'regions'>;

/** The oldest updates that are in no audit log yet, without those that another replica has locked. */
export const lockUnrecordedUpdates = (tx: Database, limit: number) =>
  tx.query<UnrecordedUpdate>(
    `SELECT u.*, i.title, ${regionsOf} FROM incident_updates u JOIN incidents i ON i.id = u.incident_id
     WHERE NOT recorded ORDER BY u.id LIMIT $1 FOR UPDATE OF u SKIP LOCKED`,
    [limit],
  );

export const markUpdateRecorded = (tx: Database, id: number) =>
  tx.manager.update(IncidentUpdate, { id }, { recorded: true });

/** The tenants with deployments in the regions of an incident, or with any where it is about all. */
export async function listConcernedTenants(db: Database, incidentId: number): Promise<TenantId[]> {
  const rows = await db.query<{ tenant_id: TenantId }>(
    `SELECT DISTINCT tenant_id FROM deployments d
     WHERE NOT EXISTS (SELECT FROM incident_regions WHERE incident_id = $1)
       OR EXISTS (SELECT FROM incident_regions r WHERE incident_id = $1 AND r.cloud = d.cloud AND r.region = d.region)
     ORDER BY tenant_id`,
    [incidentId],
  );
  return rows.map(({ tenant_id }) => tenant_id);
}

/** Gives each region the status that follows from its open incidents and its last report. */
export const updateRegionStatuses = (db: Database, silentSince: Date, now: Date) =>
  db.query(
    `WITH wanted AS (
       SELECT r.cloud, r.region, coalesce(
         CASE WHEN r.registered_at < $1 THEN 'silent' END,
         -- of several the gravest, which is the last one of the alphabet
         (SELECT max(impact) FROM incidents i JOIN incident_regions ir ON ir.incident_id = i.id
          WHERE i.resolved_at IS NULL AND ir.cloud = r.cloud AND ir.region = r.region), 'operational') AS status
       FROM regions r)
     UPDATE regions SET status = wanted.status, status_since = $2 FROM wanted
     WHERE (regions.cloud, regions.region) = (wanted.cloud, wanted.region) AND regions.status <> wanted.status`,
    [silentSince, now],
  );
