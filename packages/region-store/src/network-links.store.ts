import type { Cause, DeploymentId, NetworkLinkId } from '@sluice/contracts';
import { problem } from '@sluice/service';
import { sql, type Selectable } from 'kysely';
import { clock, isFound } from './queries.ts';
import { channels, notify } from './signals.ts';
import type { Database, Tables } from './tables.ts';
import type { LinkFacts, LinkKind, LinkRequests, LinkState, LinkStatus, LinkStatuses } from '@sluice/drivers';

type Row = Selectable<Tables['network_links']>;

/** A link of one kind. */
export type LinkOf<Kind extends LinkKind> = Omit<Row, 'kind' | 'wanted' | 'facts' | 'status'> & {
  kind: Kind;
  wanted: LinkRequests[Kind];
  facts: Partial<LinkFacts[Kind]>;
  status: LinkStatuses[Kind];
};
export type NetworkLink = { [Kind in LinkKind]: LinkOf<Kind> }[LinkKind];

/** A row by its kind, which says what the other columns hold: they were stored together. */
const linkOf = <Kind extends LinkKind>(row: Row) => row as unknown as LinkOf<Kind>;

export interface NewLink<Kind extends LinkKind> {
  deployment_id: DeploymentId;
  kind: Kind;
  name: string;
  remarks: string | null;
  wanted: LinkRequests[Kind];
  status: LinkStatuses[Kind];
  cause: Cause;
  now: Date;
}

/** @throws a unique violation of `network_links_name` when another endpoint service or attachment of the deployment has the name */
export async function insertLink<Kind extends LinkKind>(
  db: Database,
  { wanted, cause, now, ...link }: NewLink<Kind>,
): Promise<LinkOf<Kind>> {
  const row = await db
    .insertInto('network_links')
    .values({
      ...link,
      wanted: JSON.stringify(wanted),
      created_by: JSON.stringify(cause),
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await notify(db, channels.links, link.deployment_id);
  return linkOf<Kind>(row);
}

/** Those of one kind, newest first; a deleted one until it is pruned. */
export async function listLinks<Kind extends LinkKind>(
  db: Database,
  deploymentId: DeploymentId,
  kind: Kind,
): Promise<LinkOf<Kind>[]> {
  const rows = await db
    .selectFrom('network_links')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .where('kind', '=', kind)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => linkOf<Kind>(row));
}

/** @throws Problem `not_found` */
export async function getLink<Kind extends LinkKind>(
  db: Database,
  deploymentId: DeploymentId,
  kind: Kind,
  id: NetworkLinkId,
): Promise<LinkOf<Kind>> {
  const row = await db
    .selectFrom('network_links')
    .selectAll()
    .where('id', '=', id)
    .where('deployment_id', '=', deploymentId)
    .where('kind', '=', kind)
    .executeTakeFirst();
  if (!row) throw problem('not_found');
  return linkOf<Kind>(row);
}

/** Links of any kind that are not gone. */
export async function listPresentLinks(db: Database, deploymentId: DeploymentId): Promise<NetworkLink[]> {
  const rows = await db
    .selectFrom('network_links')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map((row) => linkOf<LinkKind>(row) as NetworkLink);
}

/**
 * From now on the link is to go. The status stays where it is undefined.
 * @returns false when that was so before
 */
export async function markLinkForDeletion(
  db: Database,
  { id, deployment_id }: Pick<Row, 'id' | 'deployment_id'>,
  cause: Cause,
  { status, reason = null }: { status: LinkStatus | undefined; reason?: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('network_links')
    .set({
      deleted_by: JSON.stringify(cause),
      status_reason: reason,
      failures: 0,
      due_at: clock,
      ...(status && { status, status_since: clock }),
    })
    .where('id', '=', id)
    .where('deleted_by', 'is', null)
    .executeTakeFirst();
  await notify(db, channels.links, deployment_id);
  return numUpdatedRows > 0n;
}

/** How many links of the deployment are present, and how many of these have no request to be deleted. */
export const countPresentLinks = (db: Database, deploymentId: DeploymentId) =>
  db
    .selectFrom('network_links')
    .select(({ fn }) => [
      fn.countAll<number>().as('present'),
      fn.countAll<number>().filterWhere('deleted_by', 'is', null).as('unasked'),
    ])
    .where('deployment_id', '=', deploymentId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();

/** How many links of the region there are that are not gone, and whether their last step has failed. Reads all of them. */
export const countLinks = (db: Database) =>
  db
    .selectFrom('network_links')
    .select(['kind', 'status', ({ fn }) => fn.countAll<number>().as('count')])
    .select(sql<boolean>`failures > 0`.as('failing'))
    .where('deleted_at', 'is', null)
    .groupBy(['kind', 'status', 'failing'])
    .execute();

/** Forgets the links of a deployment that are gone; the others outlive it until they are. */
export async function forgetGoneLinks(db: Database, deploymentId: DeploymentId): Promise<void> {
  const gone = db.deleteFrom('network_links').where('deployment_id', '=', deploymentId);
  await gone.where('deleted_at', 'is not', null).execute();
}

/** A link in this replica's hands, until the lease ends. */
export type LeasedLink = NetworkLink & {
  /** whether its peer has left it unanswered for so long that it ends */
  unanswered: boolean;
};

/**
 * Takes links that are due, for so many seconds: from then on another replica may take them. Each taking has a higher fence, and only
 * the newest stores anything.
 * @param answerDays for which a peer is waited for
 */
export async function leaseDueLinks(
  db: Database,
  { limit, seconds, answerDays }: { limit: number; seconds: number; answerDays: number },
): Promise<LeasedLink[]> {
  const { rows } = await sql<LeasedLink>`
    UPDATE network_links
    SET fence = fence + 1, leased_until = lease.ends_at, due_at = lease.ends_at
    FROM (SELECT clock_timestamp() + ${seconds} * interval '1 second' AS ends_at) AS lease
    WHERE id IN (
      SELECT id FROM network_links
      WHERE due_at <= statement_timestamp() AND deleted_at IS NULL
        AND (leased_until IS NULL OR leased_until <= clock_timestamp())
      ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING network_links.*,
      status = 'pending_acceptance' AND status_since <= clock_timestamp() - ${answerDays} * interval '1 day' AS unanswered`.execute(
    db,
  );
  return rows;
}

/** Whether the lease is the link's newest. */
export const isLinkHeld = (db: Database, { id, fence }: Pick<Row, 'id' | 'fence'>) =>
  isFound(db.selectFrom('network_links').select('id').where('id', '=', id).where('fence', '=', fence));

/** What is stored of a look at a link, with which the lease ends. */
export interface LookedAt extends Partial<Pick<LinkState, 'facts'>> {
  status: LinkStatus;
  reason: string | null;
  /** until the next look */
  seconds: number;
  failures: number;
  gone: boolean;
}

/**
 * Stores how a link is, unless another replica has taken it or its deletion was requested since the look began. The lease ends in any case.
 * @returns whether it was stored
 */
export async function recordLook(
  db: Database,
  { id, fence, deleted_by }: Pick<Row, 'id' | 'fence' | 'deleted_by'>,
  { status, reason, seconds, failures, gone, facts }: LookedAt,
): Promise<boolean> {
  const held = db.updateTable('network_links').where('id', '=', id).where('fence', '=', fence);
  const { numUpdatedRows } = await held
    .where('deleted_by', deleted_by === null ? 'is' : 'is not', null)
    .set({
      status,
      status_reason: reason,
      failures,
      leased_until: null,
      status_since: sql<Date>`CASE WHEN status = ${status} THEN status_since ELSE clock_timestamp() END`,
      due_at: sql<Date>`CASE WHEN due_at = leased_until THEN clock_timestamp() + ${seconds} * interval '1 second' ELSE due_at END`,
      ...(facts && { facts: JSON.stringify(facts) }),
      ...(gone && { deleted_at: clock }),
    })
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return true;
  await held.set({ leased_until: null }).execute();
  return false;
}
