import type { Sql } from '@sluice/service';
import { conflict, notFound } from '@sluice/terminal/errors';
import type { Place } from './arguments.ts';
import { nameOf } from './regions.ts';
import { untilDone } from './until-done.ts';

/** What operators tell everybody of failures, in main-api's database. It is public at once; main-api records it in audit logs. */

export type Impact = 'degraded' | 'outage';

export interface Incident {
  id: number;
  title: string;
  impact: Impact;
  regions: string[];
  opened_at: Date;
  resolved_at: Date | null;
  updated_at: Date;
  /** the last one */
  message: string;
}

const columns = `i.id, i.title, i.impact, i.opened_at, i.resolved_at,
  (SELECT coalesce(array_agg(cloud || '/' || region ORDER BY cloud, region), '{}') FROM incident_regions WHERE incident_id = i.id) AS regions,
  last.at AS updated_at, last.message`;
const incidents = `incidents i CROSS JOIN LATERAL (
  SELECT at, message FROM incident_updates WHERE incident_id = i.id ORDER BY id DESC LIMIT 1) AS last`;

/** incidents that the status page shows at a time */
const mostOpen = 50;

export const listIncidents = (sql: Sql, after: number, limit: number): Promise<Incident[]> =>
  sql.query<Incident>(`SELECT ${columns} FROM ${incidents} WHERE i.id > $1 ORDER BY i.id LIMIT $2`, [
    after,
    limit,
  ]);

interface NewIncident {
  title: string;
  impact: Impact;
  /** none: all of the installation */
  regions: Place[];
  message: string;
}

/** Tells of an incident. @returns what came of it @throws CliError for a region that is not there, or when too many are open */
export async function openIncident(
  sql: Sql,
  { title, impact, regions, message }: NewIncident,
  isDry: boolean,
): Promise<string> {
  await sql.query('BEGIN');
  // a rejection closes the connection, and that ends the transaction
  const known = (await sql.query<Place>('SELECT cloud, region FROM regions')).map(nameOf);
  const unknown = regions.map(nameOf).find((name) => !known.includes(name));
  if (unknown !== undefined) throw notFound(`There is no region ${unknown}.`, 'sluice-admin region list');
  const [{ open } = { open: 0 }] = await sql.query<{ open: number }>(
    'SELECT count(*)::int AS open FROM incidents WHERE resolved_at IS NULL',
  );
  if (open >= mostOpen) throw conflict(`${mostOpen} incidents are open: resolve some first.`);
  const [created] = await sql.query<{ id: number }>(
    'INSERT INTO incidents (title, impact) VALUES ($1, $2) RETURNING id',
    [title, impact],
  );
  const id = created?.id ?? 0;
  await sql.query(
    `INSERT INTO incident_regions (incident_id, cloud, region)
     SELECT DISTINCT $1::bigint, cloud, region FROM unnest($2::text[], $3::text[]) AS named (cloud, region)`,
    [id, regions.map(({ cloud }) => cloud), regions.map(({ region }) => region)],
  );
  await addUpdate(sql, id, 'opened', impact, message);
  const names = [...new Set(regions.map(nameOf))];
  const where = names.join(', ') || 'the whole installation';
  if (!(await end(sql, isDry))) return `An incident would be open for ${where}.`;
  return await recorded(sql, id, `Incident ${id} is open for ${where}.`);
}

/** Says more of an incident, or that it is over. @throws CliError when there is none that is open */
export async function changeIncident(
  sql: Sql,
  id: number,
  kind: 'updated' | 'resolved',
  { message, impact }: { message: string; impact?: Impact },
  isDry: boolean,
): Promise<string> {
  await sql.query('BEGIN');
  const [found] = await sql.query<Pick<Incident, 'impact' | 'resolved_at'>>(
    'SELECT impact, resolved_at FROM incidents WHERE id = $1 FOR UPDATE',
    [id],
  );
  if (!found) throw notFound(`There is no incident ${id}.`, 'sluice-admin incident list');
  if (found.resolved_at)
    throw conflict(`Incident ${id} is resolved since ${found.resolved_at.toISOString()}.`);
  const next = impact ?? found.impact;
  await sql.query(
    'UPDATE incidents SET impact = $2, resolved_at = CASE WHEN $3 THEN now() END WHERE id = $1',
    [id, next, kind === 'resolved'],
  );
  await addUpdate(sql, id, kind, next, message);
  if (!(await end(sql, isDry))) return `Incident ${id} would be ${kind}.`;
  return await recorded(sql, id, `Incident ${id} is ${kind}.`);
}

const addUpdate = (sql: Sql, id: number, kind: string, impact: Impact, message: string) =>
  sql.query('INSERT INTO incident_updates (incident_id, kind, impact, message) VALUES ($1, $2, $3, $4)', [
    id,
    kind,
    impact,
    message,
  ]);

/** @returns whether it is done */
async function end(sql: Sql, isDry: boolean): Promise<boolean> {
  if (!isDry) await sql.query("SELECT pg_notify('incidents', '')");
  await sql.query(isDry ? 'ROLLBACK' : 'COMMIT');
  return !isDry;
}

async function recorded(sql: Sql, id: number, done: string): Promise<string> {
  const look = async () => {
    const waiting = await sql.query(
      'SELECT FROM incident_updates WHERE incident_id = $1 AND NOT recorded LIMIT 1',
      [id],
    );
    return waiting.length === 0;
  };
  if (await untilDone(look, (isRecorded) => isRecorded)) return done;
  return `${done}\nmain-api has not recorded it in audit logs yet; it does so when it runs.`;
}
