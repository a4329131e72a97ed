import type { Sql } from '@sluice/service';
import { conflict, notFound } from '@sluice/terminal/errors';
import type { Place } from './arguments.ts';
import { untilDone } from './until-done.ts';

/** The regions in main-api's database, and whether they take deployments. The row is in force at once; main-api records the change. */

export interface Region extends Place {
  supervisor_url: string;
  registered_at: Date;
  /** null: it takes deployments */
  drained_at: Date | null;
  drain_reason: string | null;
  deployments: number;
}

const columns = `cloud, region, supervisor_url, registered_at, drained_at, drain_reason, drain_recorded,
  (SELECT count(*)::int FROM deployments d WHERE d.cloud = r.cloud AND d.region = r.region) AS deployments`;

export async function listRegions(sql: Sql): Promise<Region[]> {
  const rows = await sql.query<Region & { drain_recorded: boolean }>(
    `SELECT ${columns} FROM regions r ORDER BY cloud, region`,
  );
  return rows.map(({ drain_recorded: _, ...region }) => region);
}

export const nameOf = ({ cloud, region }: Place) => `${cloud}/${region}`;
const deploymentsOf = ({ deployments }: Region) =>
  deployments === 1 ? '1 deployment' : `${deployments} deployments`;

export type RegionChange = 'drain' | 'undrain' | 'remove';

/**
 * Drains a region, ends that, or removes it. Creations that are under way end before: they hold its row.
 * @returns what came of it
 * @throws CliError when there is no such region, or it cannot be removed
 */
export async function changeRegion(
  sql: Sql,
  action: RegionChange,
  place: Place,
  { reason, isDry }: { reason: string | undefined; isDry: boolean },
): Promise<string> {
  await sql.query('BEGIN');
  // a rejection closes the connection, and that ends the transaction
  const [held] = await sql.query<Region & { drain_recorded: boolean }>(
    `SELECT ${columns} FROM regions r WHERE cloud = $1 AND region = $2 FOR UPDATE OF r`,
    [place.cloud, place.region],
  );
  if (!held) throw notFound(await noRegion(sql, place));
  // counted again: what was created before the lock was granted is not in the statement that has waited for it
  const [row = held] = (await listRegions(sql)).filter((one) => nameOf(one) === nameOf(place));
  if (action === 'remove') return await remove(sql, row, isDry);
  const isDrained = row.drained_at !== null;
  if (isDrained === (action === 'drain')) {
    const since = row.drained_at ? `is drained since ${row.drained_at.toISOString()}` : 'is not drained';
    return `${nameOf(row)} ${since}; nothing is changed.`;
  }
  if (!held.drain_recorded)
    throw conflict('main-api has not recorded the change before yet: it does so when it runs.');
  if (isDry) {
    const effect =
      action === 'drain'
        ? `no new deployments; those there continue (${row.deployments})`
        : 'new deployments';
    return `${nameOf(row)} would take ${effect}.`;
  }
  await sql.query(
    `UPDATE regions SET drained_at = CASE WHEN $3 THEN now() END, drain_reason = $4, drain_recorded = false
     WHERE cloud = $1 AND region = $2`,
    [row.cloud, row.region, action === 'drain', reason ?? null],
  );
  await sql.query("SELECT pg_notify('drained_regions', '')");
  await sql.query('COMMIT');
  const done =
    action === 'drain'
      ? `${nameOf(row)} takes no new deployments; those there continue (${row.deployments}).`
      : `${nameOf(row)} takes new deployments.`;
  if (await isRecorded(sql, row)) return done;
  return `${done}\nmain-api has not recorded it in audit logs yet; it does so when it runs.`;
}

async function noRegion(sql: Sql, place: Place): Promise<string> {
  const known = (await listRegions(sql)).map(nameOf);
  const has = known.length === 0 ? 'none has registered' : `there are ${known.join(', ')}`;
  return `There is no region ${nameOf(place)}: ${has}.`;
}

async function remove(sql: Sql, row: Region, isDry: boolean): Promise<string> {
  if (row.drained_at === null) throw conflict(`${nameOf(row)} takes deployments: 'region drain' it first.`);
  if (row.deployments > 0)
    throw conflict(`${nameOf(row)} has ${deploymentsOf(row)}: their owners delete or move them first.`);
  if (isDry) return `${nameOf(row)} would be removed.`;
  await sql.query('DELETE FROM regions WHERE cloud = $1 AND region = $2', [row.cloud, row.region]);
  await sql.query('COMMIT');
  return `${nameOf(row)} is removed. If its supervisor still runs, it registers the region again, which is open then.`;
}

async function isRecorded(sql: Sql, { cloud, region }: Place): Promise<boolean> {
  const look = async () => {
    const [row] = await sql.query<{ drain_recorded: boolean }>(
      'SELECT drain_recorded FROM regions WHERE cloud = $1 AND region = $2',
      [cloud, region],
    );
    return row?.drain_recorded ?? true;
  };
  return await untilDone(look, (recorded) => recorded);
}
