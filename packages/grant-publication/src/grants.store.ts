import type { Grant, TenantId } from '@sluice/contracts';
import { newestSent, oldestSent, type SentPosition } from '@sluice/messaging';
import { takeTime, type Sql } from '@sluice/service';
import { Any, IsNull, Not } from 'typeorm';
import { inOwnTransaction, type Database } from '@sluice/main-store/database';
import { bigint, boolean, jsonb, nullable, table, text, time, type RowOf } from '@sluice/main-store/columns';

/** What a token may do, and what is known of its publication. */
export const GrantRecord = table('grants', {
  /** where it stands in the bucket */
  key: text({ primary: true }),
  /** null: taken away */
  content: nullable(jsonb<Grant>()),
  version: bigint(),
  expires_at: nullable(time()),
  changed_at: time(),
  /** the version that is known to be in force on all layers */
  settled_version: nullable(bigint()),
  bucket: nullable(bigint()),
  sequence: nullable(bigint()),
  /** its token is refused until an operator has decided */
  frozen: boolean({ default: false }),
});
export type GrantRow = RowOf<typeof GrantRecord>;

export type StoredPosition = Omit<SentPosition, 'sent_at'> & { sent_at: string };

export const GrantBucket = table('grant_bucket', {
  id: boolean({ primary: true }),
  bucket: bigint(),
  epoch: bigint(),
  created: nullable(text()),
  complete: boolean(),
  made_by: nullable(text()),
  /** the database was restored, and its grants have not been compared with the bucket's yet */
  review: boolean({ default: false }),
  /** whether the bucket has had all that a restored database knows of it: what is missing there was removed since */
  judges: boolean({ default: true }),
  /** the newest event that was sent, as far as it is known */
  sent: nullable(jsonb<StoredPosition>()),
});
export type GrantBucketRow = RowOf<typeof GrantBucket>;

export type GrantChange = readonly [key: string, content: Grant | null];

/** Stores what tokens may do from now on; what is as it was keeps its version. */
export const storeGrants = (db: Database, changes: readonly GrantChange[]) =>
  db.query(
    `INSERT INTO grants AS g (key, content, expires_at)
     SELECT key, content, (content ->> 'expires_at')::timestamptz
     FROM jsonb_to_recordset($1::jsonb) AS change (key text, content jsonb) ORDER BY key
     ON CONFLICT (key) DO UPDATE SET content = excluded.content, expires_at = excluded.expires_at,
       frozen = g.frozen AND excluded.content IS NOT NULL, version = greatest(nextval('grant_versions'), g.version + 1), changed_at = now()
     WHERE g.content IS DISTINCT FROM excluded.content`,
    [JSON.stringify(changes.map(([key, content]) => ({ key, content })))],
  );

/** Has the tokens of these keys of the bucket refused, or no longer. */
export const setFrozen = (db: Database, keys: readonly string[], frozen: boolean) =>
  db.query(
    `UPDATE grants SET frozen = $2, version = greatest(nextval('grant_versions'), version + 1), changed_at = now()
     WHERE key = ANY ($1) AND frozen <> $2 AND content IS NOT NULL`,
    [keys, frozen],
  );

/** A grant that is not known to be in force, and which bucket it is to be published in. */
export type UnsettledGrant = Pick<GrantRow, 'key' | 'content' | 'version' | 'sequence' | 'frozen'> & {
  bucket: number;
};

const unsettled = 'g.settled_version IS DISTINCT FROM g.version';
const selectUnsettled = `SELECT g.key, g.content, g.version, g.frozen, b.bucket,
    CASE WHEN g.bucket = b.bucket THEN g.sequence END AS sequence
  FROM grants g CROSS JOIN grant_bucket b`;

export const listUnsettled = (db: Database, keys: readonly string[]) =>
  db.query<UnsettledGrant>(
    `${selectUnsettled} WHERE g.key = ANY ($1) AND (${unsettled} OR g.bucket IS DISTINCT FROM b.bucket)`,
    [keys],
  );

type KeyRow = Pick<GrantRow, 'key'>;

/** The keys of removals in a tenant that are not known to be in force. */
export async function listUnsettledRemovals(db: Database, tenantId: TenantId): Promise<string[]> {
  const rows = await db.query<KeyRow>(
    `SELECT g.key FROM grants g WHERE ${unsettled} AND g.content IS NULL AND starts_with(g.key, $1) LIMIT 1000`,
    [`${tenantId}.`],
  );
  return rows.map(({ key }) => key);
}

/** Keys of grants that no replica seems to publish, at most `limit`. */
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

export const isNewest = (db: Database, { key, version }: Pick<GrantRow, 'key' | 'version'>) =>
  db.manager.existsBy(GrantRecord, { key, version });

/** Gives a grant a version above one that was published, though this database does not know of it. */
export const raiseVersionAbove = (
  db: Database,
  { key, version }: Pick<GrantRow, 'key' | 'version'>,
  published: number,
) =>
  db.query(
    `UPDATE grants SET version = greatest(nextval('grant_versions'), $3::bigint + 1), settled_version = NULL
     WHERE key = $1 AND version = $2`,
    [key, version, published],
  );

/** What was published, and is in force. */
export interface Settled {
  key: string;
  version: number;
  sequence: number;
}

/** Stores that grants are in force; one that is being changed is left to its transaction. */
export const settleGrants = (db: Database, bucket: number, settled: readonly Settled[]) =>
  db.query(
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

/** Begins to publish everything in a bucket that was just made, unless another replica has begun. */
export const takeBucket = (db: Database, { epoch }: GrantBucketRow, created: string) =>
  db.manager.update(
    GrantBucket,
    { epoch },
    {
      bucket: () => 'bucket + 1',
      epoch: () => 'epoch + 1',
      ...{ created, complete: false, judges: false },
    },
  );

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

export const completeBucket = (db: Database, epoch: number) =>
  db.manager.update(GrantBucket, { epoch }, { complete: true });

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
export const endReview = (db: Database, epoch: number) =>
  db.manager.update(GrantBucket, { epoch }, { review: false });

/** Keeps a review from ending before this transaction does. @returns false when it has, or another one has begun */
export async function holdReview(db: Database, epoch: number): Promise<boolean> {
  const lock = { mode: 'pessimistic_read' } as const;
  return (await db.manager.findOne(GrantBucket, { where: { review: true, epoch }, lock })) !== null;
}

export const isUnderReview = (db: Database) => db.manager.existsBy(GrantBucket, { review: true });

export type LiveGrant = Pick<GrantRow, 'key' | 'version' | 'sequence' | 'bucket'> & {
  content: Grant;
  /** whether the bucket would still have its removal, had there been one since it was changed last */
  is_recent: boolean;
};

const selectLive = `SELECT key, content, version, sequence, bucket, changed_at > now() - interval '6 days' AS is_recent FROM grants
  WHERE content IS NOT NULL AND expires_at > now()`;

/** The next grants that hold, in the order of their keys. */
export const listLiveGrants = (db: Database, key: string, limit: number) =>
  db.query<LiveGrant>(`${selectLive} AND key > $1 ORDER BY key LIMIT $2`, [key, limit]);

/** Those of these grants that hold, as they are now. */
export const findLiveGrants = (db: Database, keys: readonly string[]) =>
  db.query<LiveGrant>(`${selectLive} AND key = ANY ($1) ORDER BY key`, [keys]);

/** Locks those of these grants that are still of the same version. @returns their keys */
export async function lockUnchanged(
  tx: Database,
  grants: readonly Pick<GrantRow, 'key' | 'version'>[],
): Promise<Set<string>> {
  const rows = await tx.query<KeyRow>(
    `SELECT g.key FROM grants g JOIN unnest($1::text[], $2::bigint[]) AS seen (key, version)
       ON g.key = seen.key AND g.version = seen.version
     ORDER BY g.key FOR UPDATE OF g`,
    [grants.map(({ key }) => key), grants.map(({ version }) => version)],
  );
  return new Set(rows.map(({ key }) => key));
}

/** Has all grants published again. */
export async function unsettleAll(db: Database): Promise<void> {
  await inOwnTransaction(db, async (tx) => {
    await takeTime(tx);
    await tx.manager.update(GrantRecord, { content: Not(IsNull()) }, { settled_version: null });
  });
}

export const setMadeBy = (db: Database, made_by: string) =>
  db.manager.update(GrantBucket, { id: true }, { made_by });

export type ComparedGrant = Pick<GrantRow, 'key' | 'version' | 'sequence'> & { removed: boolean };

export const listGrantsAfter = (db: Database, key: string, limit: number) =>
  db.query<ComparedGrant>(
    `SELECT key, version, sequence, content IS NULL AS removed FROM grants
     WHERE key > $1 AND settled_version = version ORDER BY key LIMIT $2`,
    [key, limit],
  );

/** Has these published again, if they are still of the same version. */
export const unsettle = (db: Database, grants: readonly ComparedGrant[]) =>
  db.query(
    `UPDATE grants g SET settled_version = NULL, sequence = NULL
     FROM unnest($1::text[], $2::bigint[]) AS wrong (key, version)
     WHERE g.key = wrong.key AND g.version = wrong.version`,
    [grants.map(({ key }) => key), grants.map(({ version }) => version)],
  );

export async function withoutRow(db: Database, keys: readonly string[]): Promise<string[]> {
  const rows = await db.query<KeyRow>(
    'SELECT key FROM unnest($1::text[]) AS k (key) WHERE NOT EXISTS (SELECT FROM grants g WHERE g.key = k.key)',
    [keys],
  );
  return rows.map(({ key }) => key);
}

/** Has those of these keys published as removed again that are. */
export const unsettleRemovals = (db: Database, keys: readonly string[]) =>
  db.manager.update(
    GrantRecord,
    { key: Any(keys), content: IsNull() },
    { settled_version: null, sequence: null },
  );

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
export const listOldRemovals = (db: Database, limit: number) =>
  db.query<Settled>(
    `SELECT g.key, g.version, g.sequence FROM grants g JOIN grant_bucket b ON b.bucket = g.bucket
     WHERE g.content IS NULL AND g.settled_version = g.version AND g.changed_at < now() - interval '7 days'
       AND g.sequence < (SELECT max(n.sequence) FROM grants n WHERE n.bucket = b.bucket)
     LIMIT $1`,
    [limit],
  );

export const deleteRemovals = (db: Database, removals: readonly Settled[]) =>
  db.query(
    `DELETE FROM grants g USING unnest($1::text[], $2::bigint[]) AS old (key, version)
     WHERE g.key = old.key AND g.version = old.version AND g.content IS NULL`,
    [removals.map(({ key }) => key), removals.map(({ version }) => version)],
  );
