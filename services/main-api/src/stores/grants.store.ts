import type { Grant, TenantId } from '@sluice/contracts';
import { newestSent, oldestSent, type SentPosition } from '@sluice/messaging';
import { takeTime, type Sql } from '@sluice/service';
import { inOwnTransaction, type Database } from '../database.ts';
import type { GrantBucketRow, GrantRow } from './grants.entity.ts';
import { rowsExist } from './rows.ts';

export type GrantChange = readonly [key: string, content: Grant | null];

/** Stores what tokens may do from now on; what is as it was keeps its version. */
export async function storeGrants(db: Database, changes: readonly GrantChange[]): Promise<void> {
  await db.query(
    `INSERT INTO grants AS g (key, content, expires_at)
     SELECT key, content, (content ->> 'expires_at')::timestamptz
     FROM jsonb_to_recordset($1::jsonb) AS change (key text, content jsonb) ORDER BY key
     ON CONFLICT (key) DO UPDATE SET content = excluded.content, expires_at = excluded.expires_at,
       frozen = g.frozen AND excluded.content IS NOT NULL, version = greatest(nextval('grant_versions'), g.version + 1), changed_at = now()
     WHERE g.content IS DISTINCT FROM excluded.content`,
    [JSON.stringify(changes.map(([key, content]) => ({ key, content })))],
  );
}

/** Has the tokens of these keys of the bucket refused, or no longer. */
export async function setFrozen(db: Database, keys: readonly string[], frozen: boolean): Promise<void> {
  await db.query(
    `UPDATE grants SET frozen = $2, version = greatest(nextval('grant_versions'), version + 1), changed_at = now()
     WHERE key = ANY ($1) AND frozen <> $2 AND content IS NOT NULL`,
    [keys, frozen],
  );
}

/** A grant that is not known to be in force, and which bucket it is to be published in. */
export type UnsettledGrant = Pick<GrantRow, 'key' | 'content' | 'version' | 'sequence' | 'frozen'> & {
  bucket: number;
};

const unsettled = 'g.settled_version IS DISTINCT FROM g.version';
const selectUnsettled = `SELECT g.key, g.content, g.version, g.frozen, b.bucket,
    CASE WHEN g.bucket = b.bucket THEN g.sequence END AS sequence
  FROM grants g CROSS JOIN grant_bucket b`;

/** Which of these grants are not known to be in force. */
export async function listUnsettled(db: Database, keys: readonly string[]): Promise<UnsettledGrant[]> {
  return await db.query<UnsettledGrant>(
    `${selectUnsettled} WHERE g.key = ANY ($1) AND (${unsettled} OR g.bucket IS DISTINCT FROM b.bucket)`,
    [keys],
  );
}

type KeyRow = Pick<GrantRow, 'key'>;

/** The keys of removals in a tenant that are not known to be in force. */
export async function listUnsettledRemovals(db: Database, tenantId: TenantId): Promise<string[]> {
  const rows = await db.query<KeyRow>(
    `SELECT g.key FROM grants g WHERE ${unsettled} AND g.content IS NULL AND starts_with(g.key, $1) LIMIT 1000`,
    [`${tenantId}.`],
  );
  return rows.map(({ key }) => key);
}

/** Keys of grants that nobody seems to publish, at most `limit`. */
export async function listLeftovers(db: Database, seconds: number, limit: number): Promise<string[]> {
  const rows = await db.query<KeyRow>(
    `(SELECT g.key FROM grants g
      WHERE ${unsettled} AND g.changed_at <= now() - make_interval(secs => $1) ORDER BY g.changed_at LIMIT $2)
     UNION
     (SELECT g.key FROM grants g, grant_bucket b WHERE g.bucket < b.bucket LIMIT $2)`,
    [seconds, limit],
  );
  return rows.map(({ key }) => key);
}

/** Whether this is still the newest version of a grant. */
export async function isNewest(
  db: Database,
  { key, version }: Pick<GrantRow, 'key' | 'version'>,
): Promise<boolean> {
  return await rowsExist(db, 'grants WHERE key = $1 AND version = $2', [key, version]);
}

/** Gives a grant a version above one that was published, though this database does not know of it. */
export async function outbid(
  db: Database,
  { key, version }: Pick<GrantRow, 'key' | 'version'>,
  published: number,
): Promise<void> {
  await db.query(
    `UPDATE grants SET version = greatest(nextval('grant_versions'), $3::bigint + 1), settled_version = NULL
     WHERE key = $1 AND version = $2`,
    [key, version, published],
  );
}

/** What was published, and is in force. */
export interface Settled {
  key: string;
  version: number;
  sequence: number;
}

/** Stores that grants are in force; one that somebody is changing at this moment is left to them. */
export async function settleGrants(db: Database, bucket: number, settled: readonly Settled[]): Promise<void> {
  await db.query(
    `WITH published AS (
       SELECT g.key, p.version, p.sequence
       FROM grants g JOIN unnest($1::text[], $2::bigint[], $3::bigint[]) AS p (key, version, sequence)
         ON p.key = g.key AND p.version = g.version
       FOR UPDATE OF g SKIP LOCKED)
     UPDATE grants g SET settled_version = p.version, sequence = p.sequence, bucket = $4
     FROM published p WHERE g.key = p.key AND g.version = p.version`,
    [
      settled.map(({ key }) => key),
      settled.map(({ version }) => version),
      settled.map(({ sequence }) => sequence),
      bucket,
    ],
  );
}

/** What is known of the bucket, and the newest revision of it that anything stands at. */
export type KnownBucket = GrantBucketRow & { newest: number };

export async function readBucket(db: Database): Promise<KnownBucket> {
  const [row] = await db.query<KnownBucket>(
    `SELECT b.*, coalesce((SELECT max(g.sequence) FROM grants g WHERE g.bucket = b.bucket), 0) AS newest
     FROM grant_bucket b`,
  );
  if (!row) throw new Error('the table grant_bucket has lost its row');
  return row;
}

/** Begins to publish everything in a bucket that was just made, unless somebody else has begun. */
export async function takeBucket(db: Database, before: GrantBucketRow, created: string): Promise<void> {
  await db.query(
    `UPDATE grant_bucket SET bucket = bucket + 1, epoch = epoch + 1, created = $2, complete = false, judges = false
     WHERE epoch = $1`,
    [before.epoch, created],
  );
}

/**
 * Takes note that the bucket has lost what came after `sequence`. What stands before that may have been lost as well and
 * its place taken: all of it is to be compared.
 */
export async function distrustBucket(
  db: Database,
  { epoch, bucket }: GrantBucketRow,
  sequence: number,
): Promise<void> {
  await inOwnTransaction(db, async (tx) => {
    await takeTime(tx);
    await tx.query(
      `WITH begun AS (
       UPDATE grant_bucket SET epoch = epoch + 1, complete = false, judges = false WHERE epoch = $1 RETURNING 1)
     UPDATE grants SET settled_version = NULL, sequence = NULL
     WHERE bucket = $2 AND sequence > $3 AND EXISTS (SELECT FROM begun)`,
      [epoch, bucket, sequence],
    );
  });
}

/** Takes note that the bucket is as the table is. */
export async function completeBucket(db: Database, epoch: number): Promise<void> {
  await db.query('UPDATE grant_bucket SET complete = true WHERE epoch = $1', [epoch]);
}

/**
 * Takes note that the database was restored: what was taken away since its copy was made is to be looked for.
 * @param isLate whether events may have been sent from it already: then those of the last days are looked through
 */
export async function beginReview(sql: Sql, eventsStream: string, isLate: boolean): Promise<void> {
  const position = await (isLate ? oldestSent : newestSent)(sql, eventsStream);
  await storeSentPosition(sql, position);
  await sql.query(
    'UPDATE grant_bucket SET review = true, judges = true, complete = false, epoch = epoch + 1',
  );
}

/** Stores which event was sent last: the outbox forgets it after some days. */
export async function keepSentPosition(sql: Sql, eventsStream: string): Promise<void> {
  await storeSentPosition(sql, await newestSent(sql, eventsStream));
}

/** During a review the one from which it begins is kept. */
async function storeSentPosition(sql: Sql, position: SentPosition | undefined): Promise<void> {
  if (!position) return;
  await sql.query('UPDATE grant_bucket SET sent = $1 WHERE NOT review', [JSON.stringify(position)]);
}

/** Takes note that what was taken away is known, unless another restore was noticed meanwhile. */
export async function endReview(db: Database, epoch: number): Promise<void> {
  await db.query('UPDATE grant_bucket SET review = false WHERE epoch = $1', [epoch]);
}

/** Keeps a review from ending before this transaction does. @returns false when it has, or another one has begun */
export async function holdReview(db: Database, epoch: number): Promise<boolean> {
  const rows = await db.query('SELECT FROM grant_bucket WHERE review AND epoch = $1 FOR SHARE', [epoch]);
  return rows.length > 0;
}

export async function isUnderReview(db: Database): Promise<boolean> {
  return await rowsExist(db, 'grant_bucket WHERE review', []);
}

export type LiveGrant = Pick<GrantRow, 'key' | 'version' | 'sequence' | 'bucket'> & {
  content: Grant;
  /** whether the bucket would still have its removal, had there been one since it was changed last */
  is_recent: boolean;
};

/** The next grants that hold, in the order of their keys. */
export async function listLiveGrants(db: Database, key: string, limit: number): Promise<LiveGrant[]> {
  return await db.query<LiveGrant>(
    `SELECT key, content, version, sequence, bucket, changed_at > now() - interval '6 days' AS is_recent FROM grants
     WHERE key > $1 AND content IS NOT NULL AND expires_at > now() ORDER BY key LIMIT $2`,
    [key, limit],
  );
}

/** Has all grants published again. */
export async function unsettleAll(db: Database): Promise<void> {
  await inOwnTransaction(db, async (tx) => {
    await takeTime(tx);
    await tx.query('UPDATE grants SET settled_version = NULL WHERE content IS NOT NULL');
  });
}

export async function setMadeBy(db: Database, madeBy: string): Promise<void> {
  await db.query('UPDATE grant_bucket SET made_by = $1', [madeBy]);
}

export type ComparedGrant = Pick<GrantRow, 'key' | 'version' | 'sequence'> & { removed: boolean };

/** The next grants in the order of their keys. */
export async function listGrantsAfter(db: Database, key: string, limit: number): Promise<ComparedGrant[]> {
  return await db.query<ComparedGrant>(
    `SELECT key, version, sequence, content IS NULL AS removed FROM grants
     WHERE key > $1 AND settled_version = version ORDER BY key LIMIT $2`,
    [key, limit],
  );
}

/** Has these published again, if they are still of the same version. */
export async function unsettle(db: Database, grants: readonly ComparedGrant[]): Promise<void> {
  await db.query(
    `UPDATE grants g SET settled_version = NULL, sequence = NULL
     FROM unnest($1::text[], $2::bigint[]) AS wrong (key, version)
     WHERE g.key = wrong.key AND g.version = wrong.version`,
    [grants.map(({ key }) => key), grants.map(({ version }) => version)],
  );
}

/** Which of these keys have no row. */
export async function withoutRow(db: Database, keys: readonly string[]): Promise<string[]> {
  const rows = await db.query<KeyRow>(
    'SELECT key FROM unnest($1::text[]) AS k (key) WHERE NOT EXISTS (SELECT FROM grants g WHERE g.key = k.key)',
    [keys],
  );
  return rows.map(({ key }) => key);
}

/** Has those of these keys published as removed again that are. */
export async function unsettleRemovals(db: Database, keys: readonly string[]): Promise<void> {
  await db.query(
    'UPDATE grants SET settled_version = NULL, sequence = NULL WHERE key = ANY ($1) AND content IS NULL',
    [keys],
  );
}

/** Takes grants away that have been over for an hour, at most `limit`. @returns how many */
export async function removeExpired(db: Database, limit: number): Promise<number> {
  const rows = await db.query<KeyRow>(
    `UPDATE grants SET content = NULL, frozen = false, version = greatest(nextval('grant_versions'), version + 1),
       changed_at = now()
     WHERE key IN (
       SELECT key FROM grants WHERE content IS NOT NULL AND expires_at < now() - interval '1 hour'
       LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING key`,
    [limit],
  );
  return rows.length;
}

/** Removals that were in force a week ago, but for the newest message of the bucket: it says how far the bucket goes. */
export async function listOldRemovals(db: Database, limit: number): Promise<Settled[]> {
  return await db.query<Settled>(
    `SELECT g.key, g.version, g.sequence FROM grants g JOIN grant_bucket b ON b.bucket = g.bucket
     WHERE g.content IS NULL AND g.settled_version = g.version AND g.changed_at < now() - interval '7 days'
       AND g.sequence < (SELECT max(n.sequence) FROM grants n WHERE n.bucket = b.bucket)
     LIMIT $1`,
    [limit],
  );
}

export async function deleteRemovals(db: Database, removals: readonly Settled[]): Promise<void> {
  await db.query(
    `DELETE FROM grants g USING unnest($1::text[], $2::bigint[]) AS old (key, version)
     WHERE g.key = old.key AND g.version = old.version AND g.content IS NULL`,
    [removals.map(({ key }) => key), removals.map(({ version }) => version)],
  );
}
