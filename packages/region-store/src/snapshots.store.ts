import { randomUUID } from 'node:crypto';
import type { DeploymentId, DeploymentSpec, NodeId, SnapshotFindings, SnapshotId } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { problem } from '@sluice/service';
import { sql, type InsertObject, type Selectable } from 'kysely';
import { pageOf } from './queries.ts';
import type { Database, Tables } from './tables.ts';
import type { SeenNode } from '@sluice/diagnostics/seen-node';
import { hasKey } from './nodes.store.ts';
import { hasBeenListening, type HeartbeatGrace } from './silence.store.ts';

/** Diagnostic reports of nodes. Times are the database's. */

export type Snapshot = Selectable<Tables['snapshots']>;

const listedColumns = [
  'id',
  'deployment_id',
  'node_id',
  'name',
  'node_name',
  'created_at',
  'completed_at',
] as const;
/** What is shown in lists. */
export type ListedSnapshot = Pick<Snapshot, (typeof listedColumns)[number]>;

const isKept = sql<boolean>`expires_at > clock_timestamp()`;

/** One row per node. @returns their ids, in the order of the nodes */
export async function insertSnapshots(
  db: Database,
  nodes: DeploymentSpec['nodes'],
  snapshot: Omit<InsertObject<Tables, 'snapshots'>, 'node_id' | 'node_name' | 'submission'>,
): Promise<SnapshotId[]> {
  const submission = randomUUID();
  const rows = nodes.map(({ id, name }) => ({ ...snapshot, node_id: id, node_name: name, submission }));
  const made = await db.insertInto('snapshots').values(rows).returning('id').execute();
  return made.map(({ id }) => id);
}

/** How many snapshots there are, those of several nodes counted once, and whether one is being made. */
export async function countSnapshots(
  db: Database,
  deploymentId: DeploymentId,
): Promise<{ count: number; isAnyOpen: boolean }> {
  const { rows } = await sql<{ count: number; open: boolean | null }>`
    SELECT count(DISTINCT submission), bool_or(completed_at IS NULL) AS open
    FROM snapshots WHERE deployment_id = ${deploymentId} AND ${isKept}`.execute(db);
  return { count: rows[0]?.count ?? 0, isAnyOpen: rows[0]?.open === true };
}

const keptOf = (db: Database, deploymentId: DeploymentId) =>
  db.selectFrom('snapshots').where('deployment_id', '=', deploymentId).where(isKept);

/** A page, newest first, and how many there are. */
export const pageOfSnapshots = (db: Database, deploymentId: DeploymentId, page: Page) =>
  pageOf(keptOf(db, deploymentId).select(listedColumns).orderBy('id', 'desc'), page);

export const findSnapshot = (db: Database, deploymentId: DeploymentId, id: SnapshotId) =>
  keptOf(db, deploymentId).selectAll().where('id', '=', id).executeTakeFirst();

/** @throws Problem `not_found` */
export async function getSnapshot(
  db: Database,
  deploymentId: DeploymentId,
  id: SnapshotId,
): Promise<Snapshot> {
  const snapshot = await findSnapshot(db, deploymentId, id);
  if (!snapshot) throw problem('not_found');
  return snapshot;
}

export const deleteSnapshot = (db: Database, id: SnapshotId) =>
  db.deleteFrom('snapshots').where('id', '=', id).execute();

/** What a node is to find out now, oldest first (snapshots_open). */
export const listWantedOfNode = (db: Database, deploymentId: DeploymentId, nodeId: NodeId) =>
  db
    .selectFrom('snapshots')
    .select(['id', 'redact_secrets', 'archive', 'deadline'])
    .where((row) => row.and({ deployment_id: deploymentId, node_id: nodeId }))
    .where('completed_at', 'is', null)
    .where('finished_at', 'is', null)
    .orderBy('id')
    .limit(10)
    .execute();

/** What the node with this key has found, unless that is known. @returns false when there is no such snapshot of it */
export async function recordFindings(
  db: Database,
  { nodeId, key }: { nodeId: NodeId; key: string },
  id: SnapshotId,
  findings: SnapshotFindings,
): Promise<boolean> {
  const { rows } = await sql`
    WITH snapshot AS (
      SELECT snapshots.id FROM snapshots JOIN nodes ON nodes.id = snapshots.node_id AND ${hasKey(key)}
      WHERE snapshots.id = ${id} AND snapshots.node_id = ${nodeId}
    ), recorded AS (
      UPDATE snapshots SET findings = ${JSON.stringify(findings)},
        finished_at = CASE WHEN archive IS DISTINCT FROM 'wanted' THEN clock_timestamp() END
      FROM snapshot WHERE snapshots.id = snapshot.id AND finished_at IS NULL AND findings IS NULL
    )
    SELECT 1 FROM snapshot`.execute(db);
  return rows.length > 0;
}

const isOverdue = (heartbeatGrace: HeartbeatGrace) =>
  sql<boolean>`snapshots.finished_at IS NULL AND snapshots.deadline <= clock_timestamp() AND ${hasBeenListening(heartbeatGrace)}`;

/** Finishes those of which not all has come in time, with what has, unless no replica has listened to the nodes. */
export const giveUpOverdue = (db: Database, deploymentId: DeploymentId, heartbeatGrace: HeartbeatGrace) =>
  sql`
    WITH given_up AS (
      UPDATE snapshots SET finished_at = clock_timestamp(),
        failure = CASE WHEN findings IS NULL THEN 'the node did not answer in time' END,
        archive = CASE archive WHEN 'wanted' THEN 'failed' ELSE archive END
      WHERE deployment_id = ${deploymentId} AND completed_at IS NULL AND ${isOverdue(heartbeatGrace)}
      RETURNING id, archive
    )
    DELETE FROM snapshot_archive_pieces USING given_up
    WHERE snapshot_id = given_up.id AND given_up.archive = 'failed'`.execute(db);

/** Those that are finished and of which it is not yet noted what the region knows of the node (snapshots_open). */
export const listUnseen = (db: Database, deploymentId: DeploymentId) =>
  db
    .selectFrom('snapshots')
    .select(['id', 'node_id'])
    .where('deployment_id', '=', deploymentId)
    .where('completed_at', 'is', null)
    .where('finished_at', 'is not', null)
    .where('seen', 'is', null)
    .execute();

export const recordSeen = (db: Database, id: SnapshotId, seen: SeenNode) =>
  db
    .updateTable('snapshots')
    .set({ seen: JSON.stringify(seen) })
    .where('id', '=', id)
    .where('seen', 'is', null)
    .execute();

/** Completes what all nodes have finished, and the region has noted what it knows of each (snapshots_open). */
export const completeFinished = (db: Database, deploymentId: DeploymentId) =>
  sql`
    UPDATE snapshots SET completed_at = clock_timestamp()
    WHERE deployment_id = ${deploymentId} AND completed_at IS NULL AND NOT EXISTS (
      SELECT FROM snapshots AS other
      WHERE other.deployment_id = ${deploymentId} AND other.completed_at IS NULL
        AND other.submission = snapshots.submission AND (other.finished_at IS NULL OR other.seen IS NULL))`.execute(
    db,
  );

/** Deployments with something to give up, or that is finished and not complete, at most `limit` (snapshots_open). */
export async function listUnsettledSnapshots(
  db: Database,
  heartbeatGrace: HeartbeatGrace,
  limit: number,
): Promise<DeploymentId[]> {
  const { rows } = await sql<{ id: DeploymentId }>`
    SELECT DISTINCT deployment_id AS id FROM snapshots
    WHERE completed_at IS NULL AND (${isOverdue(heartbeatGrace)} OR finished_at IS NOT NULL AND seen IS NULL)
    LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** What is known of a snapshot whose archive is being sent, locked until the transaction ends; undefined when it is not awaited. */
export const lockWantedArchive = (
  db: Database,
  { nodeId, key }: { nodeId: NodeId; key: string },
  id: SnapshotId,
) =>
  db
    .selectFrom('snapshots')
    .innerJoin('nodes', 'nodes.id', 'snapshots.node_id')
    .select(['snapshots.id', 'archive_upload', 'archive_pieces', 'archive_bytes'])
    .where((row) => row.and({ 'snapshots.id': id, 'snapshots.node_id': nodeId }))
    .where(hasKey(key))
    .where('archive', '=', 'wanted')
    .where('finished_at', 'is', null)
    .forUpdate('snapshots')
    .executeTakeFirst();

/** A piece after the others of its upload; the first one takes the place of a former upload. */
export async function appendPiece(
  db: Database,
  id: SnapshotId,
  { upload, number, content, last }: { upload: string; number: number; content: Uint8Array; last: boolean },
): Promise<void> {
  if (number === 1) await db.deleteFrom('snapshot_archive_pieces').where('snapshot_id', '=', id).execute();
  await db.insertInto('snapshot_archive_pieces').values({ snapshot_id: id, number, content }).execute();
  await db
    .updateTable('snapshots')
    .set((row) => ({
      archive_upload: upload,
      archive_pieces: number,
      archive_bytes: number === 1 ? content.length : sql<number>`archive_bytes + ${content.length}`,
      archive: last ? 'complete' : 'wanted',
      finished_at: last
        ? sql<Date | null>`CASE WHEN findings IS NOT NULL THEN clock_timestamp() END`
        : row.ref('finished_at'),
    }))
    .where('id', '=', id)
    .execute();
}

/** The archive of a snapshot, a piece at a time. */
export async function* readPieces(
  db: Database,
  { id, archive_pieces }: Snapshot,
): AsyncGenerator<Uint8Array> {
  for (let number = 1; number <= archive_pieces; number++) {
    const piece = await db
      .selectFrom('snapshot_archive_pieces')
      .select('content')
      .where((row) => row.and({ snapshot_id: id, number }))
      .executeTakeFirstOrThrow();
    yield piece.content;
  }
}
