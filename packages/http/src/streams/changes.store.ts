import type { DeploymentId, DivisionId, EnvironmentId, TenantId } from '@sluice/contracts';
import type { Sql } from '@sluice/service';
import { parseSnapshot, type Position } from './position.ts';

/** A change as triggers have recorded it. */
export interface Change {
  revision: number;
  transaction: string;
  tenant_id: TenantId;
  division_id: DivisionId | null;
  environment_id: EnvironmentId | null;
  deployment_id: DeploymentId | null;
  kind: string;
  object_id: number | null;
  change: 'created' | 'updated' | 'deleted';
  changed_at: string;
}

interface Row {
  database: string;
  at: number;
  snapshot: string;
  changes: Change[];
}

/** Where a reader is that has read all; of the statement's own snapshot. */
const position = `SELECT left(md5(concat(identity, restored_at)), 8) AS database,
    (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at, pg_current_snapshot()::text AS snapshot`;

// each part reads an index in its order, also where the planner knows nothing of the parameters
const select = (where: string) =>
  `(SELECT revision, transaction::text, tenant_id, division_id, environment_id, deployment_id, kind, object_id, change, changed_at
    FROM object_changes WHERE ${where} ORDER BY object_changes.transaction LIMIT $3)`;
const changesWhere = (where: string) => `${position},
    coalesce((SELECT jsonb_agg(to_jsonb(recent) ORDER BY recent.revision) FROM (
      ${select(`${where} object_changes.transaction >= $1::xid8`)} UNION ALL ${select(`${where} object_changes.transaction = ANY ($2::xid8[])`)}
    ) AS recent), '[]') AS changes
  FROM database_identity`;

const ofAll = changesWhere('');
const ofTenant = changesWhere('tenant_id = $4 AND');

/** Where a reader is that begins now. */
export async function currentPosition(sql: Sql): Promise<Position> {
  const [row] = await sql.query<Omit<Row, 'changes'>>(`${position} FROM database_identity`);
  return positionOf(row);
}

/**
 * What has been committed since a reader was at a position, of all tenants or one.
 * @returns null for `changes` when there are more than `most`
 */
export async function changesSince(
  sql: Sql,
  { snapshot }: Pick<Position, 'snapshot'>,
  most: number,
  tenant?: TenantId,
): Promise<{ position: Position; changes: Change[] | null }> {
  const values = [String(snapshot.upTo), snapshot.running, most + 1];
  const [row] = await (tenant === undefined
    ? sql.query<Row>(ofAll, values)
    : sql.query<Row>(ofTenant, [...values, tenant]));
  const changes = row && row.changes.length <= most ? row.changes : null;
  return { position: positionOf(row), changes };
}

function positionOf(row: Omit<Row, 'changes'> | undefined): Position {
  if (!row) throw new Error('the database does not keep its identity');
  const { database, at, snapshot } = row;
  return { database, at, snapshot: parseSnapshot(snapshot) };
}
