import {
  mostConnectorInstances,
  mostId,
  type ActivatedConnector,
  type DeploymentId,
  type HighestIds,
  type InventoriedDeployment,
  type InventoriedUpgrade,
  type Inventory,
} from '@sluice/contracts';
import { sql } from 'kysely';
import { countOf } from '@sluice/region-store/queries';
import type { Database } from '@sluice/region-store/tables';
import { longestReason, type Upgrade } from '@sluice/region-store/upgrades.store';

/** Takes the turn at the region's inventory, unless a replica has had it in the last `seconds`. @returns whether it did */
export async function beginInventory(db: Database, seconds: number): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO inventories (begun_at) VALUES (now())
    ON CONFLICT (one) DO UPDATE SET begun_at = excluded.begun_at
    WHERE inventories.begun_at <= now() - make_interval(secs => ${seconds})
    RETURNING 1`.execute(db);
  return rows.length > 0;
}

/** Since when this database knows all that has happened; undefined: since ever. */
export async function knownSince(db: Database): Promise<string | undefined> {
  const row = await db.selectFrom('inventories').select('known_since').executeTakeFirst();
  return row?.known_since?.toISOString();
}

/** connector instances, and bytes, of one part: a message has to stay below the megabyte that NATS takes */
const mostInstances = 1_000;
const mostBytes = 500_000;

type Part = Pick<Inventory, 'upto' | 'deployments'>;
type Row = Omit<InventoriedDeployment, 'upgrade' | 'instances'> & { connectors: number };

/** The deployments with ids above `after`, in the order of their ids, up to `upto`. */
export async function listForInventory(
  db: Database,
  after: number,
  limit: number,
  usageSince: Date,
): Promise<Part> {
  const { rows } = await sql<Row>`
    SELECT id, uid, generation, status, status_version,
           deleted_by IS NOT NULL AS deleting, unknown_since IS NOT NULL AS unknown,
           (SELECT count(*) FROM connector_instances WHERE deployment_id = deployments.id) AS connectors,
           jsonb_build_object('tier', spec -> 'tier', 'cluster', spec -> 'cluster',
             'storage', spec -> 'storage', 'nodes', spec -> 'nodes') AS shape,
           jsonb_build_object('revision', access_revision, 'question', access_question) AS access,
           (SELECT coalesce(sum(extract(epoch FROM ended_at - started_at)), 0)::bigint FROM usage_intervals u
            WHERE u.deployment_uid = deployments.uid AND started_at >= ${usageSince}) AS used_seconds
    FROM deployments WHERE id > ${after} ORDER BY id LIMIT ${limit}`.execute(db);
  const listed = prefixOf(rows, mostInstances, ({ connectors }) => connectors);
  const ids = listed.map(({ id }) => id);
  const upgrades = await lastUpgrades(db, ids);
  const instances = await instancesOf(db, ids);
  const described = listed.map(({ connectors: _, ...row }) => {
    const upgrade = upgrades.get(row.id);
    return { ...row, ...(upgrade && { upgrade }), instances: instances.get(row.id) ?? [] };
  });
  const deployments = prefixOf(described, mostBytes, (one) => Buffer.byteLength(JSON.stringify(one)));
  const isLast = rows.length < limit && deployments.length === rows.length;
  return { deployments, upto: isLast ? null : (deployments.at(-1)?.id ?? null) };
}

/** As many of the first as weigh no more than `most` together, and one at least. */
function prefixOf<Item>(items: readonly Item[], most: number, weigh: (item: Item) => number): Item[] {
  let weight = 0;
  const end = items.findIndex((item, position) => (weight += weigh(item)) > most && position > 0);
  return end < 0 ? [...items] : items.slice(0, end);
}

async function lastUpgrades(
  db: Database,
  ids: DeploymentId[],
): Promise<Map<DeploymentId, InventoriedUpgrade>> {
  const rows = await db
    .selectFrom('deployment_upgrades')
    .distinctOn('deployment_id')
    .selectAll()
    .where('deployment_id', 'in', ids.length > 0 ? ids : [0 as DeploymentId])
    .orderBy('deployment_id')
    .orderBy('requested_at', 'desc')
    .orderBy('generation', 'desc')
    .execute();
  return new Map(rows.map((row) => [row.deployment_id, describeUpgrade(row)]));
}

function describeUpgrade(row: Upgrade): InventoriedUpgrade {
  const { upgrade_id: id, tier, storage, nodes_after, state, reason, requested_by, requested_at } = row;
  return {
    ...{ id, tier, storage, nodes_after },
    status: state === 'rolling_back' ? 'in_progress' : state,
    reason: reason && reason.slice(0, longestReason),
    requested_at: requested_at.toISOString(),
    correlation_id: requested_by.correlation_id,
  };
}

async function instancesOf(
  db: Database,
  ids: DeploymentId[],
): Promise<Map<DeploymentId, ActivatedConnector[]>> {
  const rows = await db
    .selectFrom('connector_instances')
    .select(['id', 'deployment_id', 'connector_type', 'connector_key', 'name', 'key', 'created_at'])
    .where('deployment_id', 'in', ids.length > 0 ? ids : [0 as DeploymentId])
    .orderBy('id')
    .execute();
  const instances = Map.groupBy(rows, ({ deployment_id }) => deployment_id);
  const described = ({ deployment_id: _, created_at, ...instance }: (typeof rows)[number]) => ({
    ...instance,
    created_at: created_at.toISOString(),
  });
  return new Map([...instances].map(([id, of]) => [id, of.slice(0, mostConnectorInstances).map(described)]));
}

/** The highest ids of main-api's making that the region knows of, tombstones included. */
export async function highestIds(db: Database): Promise<HighestIds> {
  const { rows } = await sql<HighestIds>`
    SELECT least(coalesce(max(tenant_id), 0), ${mostId}::bigint) AS tenants,
           least(coalesce(max(division_id), 0), ${mostId}::bigint) AS divisions,
           least(coalesce(max(environment_id), 0), ${mostId}::bigint) AS environments,
           least(greatest(max(id), (SELECT max(deployment_id) FROM removed_uids), 0), ${mostId}::bigint) AS deployments,
           least(coalesce((SELECT max(id) FROM nodes), 0), ${mostId}::bigint) AS deployment_nodes,
           least(greatest(
             (SELECT max(id) FROM connector_instances), (SELECT max(id) FROM removed_connector_instances), 0
           ), ${mostId}::bigint) AS connector_instances
    FROM deployments`.execute(db);
  const [highest] = rows;
  if (!highest) throw new Error('no row although it counts');
  return highest;
}

/** How many deployments there are that main-api does not know. */
export const countUnknown = (db: Database) =>
  countOf(db.selectFrom('deployments').where('unknown_since', 'is not', null));
