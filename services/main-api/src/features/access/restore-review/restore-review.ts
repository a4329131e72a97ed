import { isDeepStrictEqual } from 'node:util';
import { grantNameOf, intersect, type Grant } from '@sluice/contracts';
import { system, type GrantBook, type Log } from '@sluice/service-kit';
import type { Counter } from 'prom-client';
import type { Core } from '../../../core.ts';
import type { Transaction } from '../../../database.ts';
import { deleteFormerToken, findKeyOfToken, limitKey, listKeysById } from '../../../stores/api-keys.store.ts';
import { endReview, listLiveGrants, type KnownBucket, type LiveGrant } from '../../../stores/grants.store.ts';
import { deleteSessionByKey } from '../../../stores/sessions.store.ts';
import { lockTenants } from '../../../stores/tenants.store.ts';
import { deleteKeysAndGrants } from '../api-keys/key-deletion.ts';
import { grantToKeys } from '../grants/key-grants.ts';
import { withdrawSessions } from '../grants/session-grants.ts';
import type { GrantPublisher } from '../grants/publication/grant-publisher.ts';

/** What a review did with a grant of the restored table. */
export const reviewOutcomes = ['key_deleted', 'key_limited', 'session_ended', 'unknown'] as const;
export type ReviewOutcome = (typeof reviewOutcomes)[number];

export interface RestoreReview extends Pick<Core, 'database' | 'work'> {
  publisher: Pick<GrantPublisher, 'standing'>;
  reviewed: Counter<'outcome'>;
  log: Log;
}

const portionSize = 1_000;

/**
 * After a restore of the database, writes back to its tables what was taken away since the copy was made: the bucket has it.
 * Until it has ended, only the system changes grants, and nothing of the table is published. Repeating it changes nothing.
 * @param book all that stands in the bucket
 * @param continues whether the bucket is the one that the copy knows, with all that the copy knows of it
 */
export async function reviewRestoredGrants(
  review: RestoreReview,
  known: KnownBucket,
  book: GrantBook,
  continues: boolean,
): Promise<void> {
  const { database, reviewed, log } = review;
  const counts: Partial<Record<ReviewOutcome, number>> = {};
  for (let last = ''; ;) {
    const rows = await listLiveGrants(database, last, portionSize);
    for (const row of rows) {
      const outcome = await reviewGrant(review, row, book, continues && row.bucket === known.bucket);
      if (outcome === undefined) continue;
      counts[outcome] = (counts[outcome] ?? 0) + 1;
      reviewed.inc({ outcome });
    }
    const end = rows.at(-1);
    if (!end) break;
    last = end.key;
  }
  await endReview(database, known.epoch);
  log.warn('the grants of the restored database were compared with those in NATS', counts);
}

/** @param wasThere whether the bucket has had the grant as the table knows it: what is missing was removed since */
async function reviewGrant(
  review: RestoreReview,
  row: LiveGrant,
  book: GrantBook,
  wasThere: boolean,
): Promise<ReviewOutcome | undefined> {
  const { name = '' } = grantNameOf(row.key) ?? {};
  const revision = book.revisionOf(name);
  if (revision !== undefined && revision === row.sequence) return undefined;
  const standing = await review.publisher.standing(row.key);
  if (revision === undefined) {
    const isNewer = standing.sequence > 0 && standing.version > row.version;
    if (isNewer || (standing.sequence === 0 && wasThere && row.sequence !== null))
      return await remove(review, row);
    return standing.sequence === 0 && row.sequence !== null ? 'unknown' : undefined;
  }
  if (standing.version <= row.version) return undefined;
  // what is not main-api's is replaced by what is in the table, as always
  const held = await book.find(name).catch(() => undefined);
  if (!held || !isReduced(row.content, held.grant)) return undefined;
  return await reduce(review, row, held.grant);
}

function isReduced(before: Grant, now: Grant): boolean {
  return (
    !isDeepStrictEqual(intersect(before.permissions, now.permissions), before.permissions) ||
    (before.owner && !now.owner) ||
    (now.allowed_ips !== null && !isDeepStrictEqual(before.allowed_ips, now.allowed_ips)) ||
    now.division_id !== before.division_id ||
    now.expires_at < before.expires_at
  );
}

/** Where a grant stands: the hash of its token, and whether it is a session's. */
function tokenOf({ key }: LiveGrant) {
  const { tenantId, name = '' } = grantNameOf(key) ?? {};
  const [hash = '', session] = name.split('.');
  return { tenantId, hash, isSession: session !== undefined };
}

async function remove(review: RestoreReview, row: LiveGrant): Promise<ReviewOutcome> {
  const { tenantId, hash, isSession } = tokenOf(row);
  if (isSession) return await endSession(review, hash);
  return await review.work(system, async (tx): Promise<ReviewOutcome> => {
    if (tenantId !== undefined) await lockTenants(tx, [tenantId]);
    const key = await findKeyOfToken(tx, hash);
    if (key?.token_sha256 === hash) await deleteKeysAndGrants(tx, { tenant_id: key.tenant_id, id: key.id });
    else {
      await deleteFormerToken(tx, hash);
      await tx.setGrants([[row.key, null]]);
    }
    return 'key_deleted';
  });
}

async function reduce(review: RestoreReview, row: LiveGrant, grant: Grant): Promise<ReviewOutcome> {
  const { tenantId, hash, isSession } = tokenOf(row);
  if (isSession) return await endSession(review, hash);
  return await review.work(system, async (tx): Promise<ReviewOutcome> => {
    if (tenantId !== undefined) await lockTenants(tx, [tenantId]);
    const key = await findKeyOfToken(tx, hash);
    if (!key) await tx.setGrants([[row.key, null]]);
    // bound to another division, or the former token of a rotation: its holder needs a new one
    else if (key.token_sha256 !== hash || key.division_id !== grant.division_id)
      await deleteKeysAndGrants(tx, { tenant_id: key.tenant_id, id: key.id });
    else {
      await limitKey(tx, key.id, grant);
      await grantToKeys(tx, await listKeysById(tx, [key.id]));
      return 'key_limited';
    }
    return 'key_deleted';
  });
}

/** Its user signs in again, with the rights that they have then. */
async function endSession({ work }: RestoreReview, hash: string): Promise<ReviewOutcome> {
  await work(system, async (tx: Transaction) => withdrawSessions(tx, await deleteSessionByKey(tx, hash)));
  return 'session_ended';
}
