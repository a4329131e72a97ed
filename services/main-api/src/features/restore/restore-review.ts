import { isDeepStrictEqual } from 'node:util';
import { grantNameOf, intersect, type Grant, type Topology } from '@sluice/contracts';
import type { GrantIndex } from '@sluice/grants';
import { sentSince, type SenderOf } from '@sluice/messaging';
import { system, type Log } from '@sluice/service';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Counter } from '@prometheus-io/client';
import type { Core } from '../../core.ts';
import type { Database, Transaction } from '@sluice/main-store/database';
import { findKeyOfToken, limitKey, listKeysById } from '@sluice/main-store/api-keys.store';
import {
  endReview,
  findLiveGrants,
  holdReview,
  listLiveGrants,
  lockUnchanged,
  unsettleRemovals,
  withoutRow,
  type KnownBucket,
  type LiveGrant,
} from '@sluice/grant-publication/grants.store';
import {
  countOpenDifferences,
  deleteMootDifferences,
  insertDifferences,
  type NewDifference,
} from './restore-differences.store.ts';
import { batches } from '@sluice/main-store/rows';
import { deleteSessionByKey } from '@sluice/main-store/sessions.store';
import { findTerms, lockTenants } from '@sluice/main-store/tenants.store';
import { deleteKeysAndGrants } from '../access/api-keys/key-deletion.ts';
import { grantsOfKey, grantToKeys } from '@sluice/grant-publication/key-grants';
import type { GrantPublisher } from '@sluice/grant-publication/publication/grant-publisher';
import { withdrawSessions } from '@sluice/grant-publication/session-grants';
import { applyClaims, type ClaimOutcome } from './claimed-changes.ts';
import { addClaim, type Claims } from './claims.ts';
import { readEventsSince } from './sent-events.ts';
import { deleteToken, tokenOfGrantKey } from './tokens.ts';

export type ReviewOutcome = ClaimOutcome | 'session_ended' | 'frozen';

export interface RestoreReview extends Pick<Core, 'database' | 'work' | 'now'> {
  publisher: Pick<GrantPublisher, 'standing'>;
  nats: NatsConnection;
  topology: Topology;
  senderOf: SenderOf;
  reviewed: Counter<'outcome'>;
  log: Log;
}

const portionSize = 1_000;

/**
 * After a restore of the database, writes back to its tables what was taken away since the copy was made, as the bucket and the sent
 * events have it. What else differs is listed for an operator to decide: a key is frozen until then, and nothing that was given is in
 * force. Until the review has ended, only the system changes grants, and nothing of the table is published. Repeating it changes nothing.
 * @param book all that stands in the bucket
 */
export async function reviewRestoredRights(
  review: RestoreReview,
  known: KnownBucket,
  book: GrantIndex,
): Promise<void> {
  const { reviewed, log } = review;
  const counts: Partial<Record<ReviewOutcome, number>> = {};
  const count = (outcome: ReviewOutcome, times = 1) => {
    counts[outcome] = (counts[outcome] ?? 0) + times;
    reviewed.inc({ outcome }, times);
  };
  try {
    await reviewAll({ ...review, work: workDuring(review.work, known.epoch) }, known, book, count);
  } catch (error) {
    if (!(error instanceof ReviewOver)) throw error;
    log.info('another replica has ended the comparison after a restore, or it begins again');
    return;
  }
  const open = await countOpenDifferences(review.database);
  log.warn('the rights in the restored database were compared with those in NATS and with the sent events', {
    ...counts,
    open,
    ...(open > 0 && { see: 'sluice-admin restore review' }),
  });
}

/** The review has ended, and what is found differs from what people have changed since. */
class ReviewOver extends Error {}

/** Another replica may end the review, and people change rights from then on: each transaction keeps it from ending. */
function workDuring(work: Core['work'], epoch: number): Core['work'] {
  return (origin, task) =>
    work(origin, async (tx) => {
      if (!(await holdReview(tx, epoch))) throw new ReviewOver();
      return await task(tx);
    });
}

type Count = (outcome: ReviewOutcome, times?: number) => void;

async function reviewAll(review: RestoreReview, known: KnownBucket, book: GrantIndex, count: Count) {
  await reviewTable(review, known, book, count);
  await reviewBucket(review, book, count);
  await reviewEvents(review, known, count);
  await deleteMootDifferences(review.database);
  await endReview(review.database, known.epoch);
}

async function reviewTable(review: RestoreReview, known: KnownBucket, book: GrantIndex, count: Count) {
  const list = (after: string) => listLiveGrants(review.database, after, portionSize);
  for await (const rows of batches('', list, ({ key }) => key))
    for (let left = rows; left.length > 0;) {
      const changed = await reviewGrants(review, known, left, book, count);
      left = changed.length > 0 ? await findLiveGrants(review.database, changed) : [];
    }
}

/** @returns the keys of those that have changed since they were read: another replica has frozen one, for example */
async function reviewGrants(
  review: RestoreReview,
  known: KnownBucket,
  rows: readonly LiveGrant[],
  book: GrantIndex,
  count: Count,
): Promise<string[]> {
  const frozen: [LiveGrant, NewDifference][] = [];
  const changed: string[] = [];
  for (const row of rows) {
    const found = await reviewGrant(review, known, row, book);
    if (found === 'changed') changed.push(row.key);
    else if (Array.isArray(found)) for (const outcome of found) count(outcome);
    else frozen.push([row, found]);
  }
  return [...changed, ...(await freeze(review, frozen, count))];
}

/** Lists differences of keys, whose grants are frozen. @returns the keys of the grants that have changed since they were read */
async function freeze(
  { work }: RestoreReview,
  found: readonly [LiveGrant, NewDifference][],
  count: Count,
): Promise<string[]> {
  if (found.length === 0) return [];
  const rows = found.map(([row]) => row);
  const unchanged = await work(system, async (tx) => {
    const locked = await lockUnchanged(tx, rows);
    const differences = found.flatMap(([{ key }, difference]) => (locked.has(key) ? [difference] : []));
    await insertDifferences(tx, differences);
    await tx.setFrozen([...locked], true);
    return locked;
  });
  if (unchanged.size > 0) count('frozen', unchanged.size);
  return rows.map(({ key }) => key).filter((key) => !unchanged.has(key));
}

/** What became of a grant; `changed`: it is another one than the one that was judged. */
type Reviewed = ReviewOutcome[] | 'changed';

/** @returns what became of it, or the difference that has to be decided */
async function reviewGrant(
  review: RestoreReview,
  known: KnownBucket,
  row: LiveGrant,
  book: GrantIndex,
): Promise<Reviewed | NewDifference> {
  const { name = '' } = grantNameOf(row.key) ?? {};
  const revision = book.revisionOf(name);
  if (revision !== undefined && revision === row.sequence) return [];
  const standing = await review.publisher.standing(row.key);
  if (revision === undefined) {
    if (standing.sequence > 0) return standing.version > row.version ? await remove(review, row) : [];
    const wasThere = known.judges && row.bucket === known.bucket && row.sequence !== null;
    if (wasThere) return await remove(review, row);
    // made when the copy was made, and not published yet
    if (known.judges && row.sequence === null && row.is_recent) return [];
    return await unjudged(review, row, 'the bucket of the grants was made anew since the copy');
  }
  if (standing.version <= row.version) return [];
  // what is not main-api's is replaced by what is in the table, as always
  const held = await book.find(name).catch(() => undefined);
  if (!held) return [];
  if (held.grant.frozen) return await unjudged(review, row, 'it was frozen after a former restore');
  return await compare(review, row, held.grant);
}

/** A session ends instead: its user signs in again. */
async function unjudged(
  review: RestoreReview,
  row: LiveGrant,
  evidence: string,
): Promise<ReviewOutcome[] | NewDifference> {
  const { hash, isSession } = tokenOfGrantKey(row.key);
  if (isSession) return [await endSession(review, hash)];
  return { kind: 'key_unjudged', ...descriptionOf(row.key, row.content), evidence, detail: {} };
}

const descriptionOf = (key: string, { tenant_id, api_key, user }: Grant) => ({
  tenant_id,
  subject: key,
  about: api_key ? `key '${api_key.name}' (${api_key.id})` : 'key',
  person: `${user.name} (user ${user.id})`,
});

async function remove(review: RestoreReview, row: LiveGrant): Promise<Reviewed> {
  const { tenantId, hash, isSession } = tokenOfGrantKey(row.key);
  if (isSession) return [await endSession(review, hash)];
  return await review.work(system, async (tx): Promise<Reviewed> => {
    if (tenantId !== undefined) await lockTenants(tx, [tenantId]);
    // what another replica has frozen and published is no removal
    if ((await lockUnchanged(tx, [row])).size === 0) return 'changed';
    await deleteToken(tx, row.key);
    return ['key_deleted'];
  });
}

/** A key whose grant has changed since the copy. Sessions get what their users hold, and end where that was more. */
async function compare(review: RestoreReview, row: LiveGrant, grant: Grant): Promise<Reviewed> {
  const { tenantId, hash, isSession } = tokenOfGrantKey(row.key);
  if (isSession) return isReduced(row.content, grant) ? [await endSession(review, hash)] : [];
  return await review.work(system, async (tx): Promise<Reviewed> => {
    if (tenantId !== undefined) await lockTenants(tx, [tenantId]);
    if ((await lockUnchanged(tx, [row])).size === 0) return 'changed';
    const key = await findKeyOfToken(tx, hash);
    if (!key) {
      await tx.setGrants([[row.key, null]]);
      return ['key_deleted'];
    }
    const outcomes: ReviewOutcome[] = [];
    // the roles of this release may grant something else than those by which the copy's grant was made
    let current = await grantOfRow(tx, key.id, row.key);
    if (current && isReduced(current, grant)) {
      // bound to another division, or the former token of a rotation: its holder needs a new one
      if (key.token_sha256 !== hash || key.division_id !== grant.division_id) {
        await deleteKeysAndGrants(tx, { tenant_id: key.tenant_id, id: key.id });
        return ['key_deleted'];
      }
      await limitKey(tx, key.id, grant);
      await grantToKeys(tx, await listKeysById(tx, [key.id]));
      outcomes.push('key_limited');
      current = await grantOfRow(tx, key.id, row.key);
    }
    if (current && isReduced(grant, current)) {
      const evidence = 'the bucket of the grants has more rights, more addresses or a later end for it';
      const found = { ...descriptionOf(row.key, grant), evidence, detail: { grant } };
      await insertDifferences(tx, [{ kind: 'key_enlarged', ...found }]);
      await tx.setFrozen([row.key], true);
      outcomes.push('frozen');
    }
    return outcomes;
  });
}

/** What the tables say of a token of a key. */
async function grantOfRow(tx: Transaction, id: Parameters<typeof listKeysById>[1][number], grantKey: string) {
  const [key] = await listKeysById(tx, [id]);
  return new Map(key && grantsOfKey(key)).get(grantKey);
}

const isReduced = (before: Grant, now: Grant) =>
  !isDeepStrictEqual(intersect(before.permissions, now.permissions), before.permissions) ||
  (before.owner && !now.owner) ||
  (now.allowed_ips !== null && !isDeepStrictEqual(before.allowed_ips, now.allowed_ips)) ||
  now.division_id !== before.division_id ||
  now.expires_at < before.expires_at;

async function endSession({ work }: RestoreReview, hash: string): Promise<ReviewOutcome> {
  await work(system, async (tx: Transaction) => withdrawSessions(tx, await deleteSessionByKey(tx, hash)));
  return 'session_ended';
}

/**
 * Grants that stand in the bucket alone. Keys were made since the copy; sessions are left out, and go as all that has no row. What the
 * table has as removed, such as the keys of a member who has become active since, is published as removed again.
 */
async function reviewBucket(review: RestoreReview, book: GrantIndex, count: Count): Promise<void> {
  const { database, now } = review;
  for (const portion of book.portions(portionSize)) {
    const keys = [...portion.keys()];
    await unsettleRemovals(database, keys);
    const grants: [string, Grant][] = [];
    for (const key of await withoutRow(database, keys)) {
      const held = await book.find(grantNameOf(key)?.name ?? '').catch(() => undefined);
      if (held?.grant.api_key && new Date(held.grant.expires_at) > now()) grants.push([key, held.grant]);
    }
    if (grants.length === 0) continue;
    const evidence = 'the bucket of the grants has it, and the copy does not';
    await review.work(system, async (tx) => {
      await tx.setGrants(grants);
      await insertDifferences(
        tx,
        grants.map(([key, grant]) => ({
          ...{ kind: 'key_made' as const, ...descriptionOf(key, grant), evidence, detail: { grant } },
        })),
      );
      await tx.setFrozen(
        grants.map(([key]) => key),
        true,
      );
    });
    count('frozen', grants.length);
  }
}

async function reviewEvents(review: RestoreReview, known: KnownBucket, count: Count): Promise<void> {
  const { database, work, now } = review;
  const claims: Claims = new Map();
  const isWhole = await readEventsSince(review, known.sent, (event) => addClaim(claims, event));
  if (!isWhole) {
    const since = await toReadSince(database, known);
    await work(system, (tx) =>
      insertDifferences(tx, [
        {
          ...{ kind: 'events_lost', tenant_id: null, subject: 'events', person: null },
          detail: since,
          about: 'members and roles as they were changed since the copy',
          evidence: 'NATS does not have all events that were sent since the copy, or not all were understood',
        },
      ]),
    );
  }
  const there = await findTerms(database, [...claims.keys()]);
  for (const { id } of there) {
    const claimed = claims.get(id);
    if (!claimed) continue;
    const outcomes = await work(system, async (tx) => {
      await lockTenants(tx, [id]);
      return await applyClaims(tx, id, claimed, now());
    });
    for (const outcome of outcomes) count(outcome);
  }
}

/** what a change may take from its event to its commit: it may have been committed after the copy was made, and have said so before */
const commitMilliseconds = 120_000;
const mostSent = 10_000;

/** From when on events in the audit log may be newer than the copy, and which since then are not. */
async function toReadSince(database: Database, { sent }: KnownBucket) {
  if (!sent) return { since: null, known: [] };
  const since = new Date(Date.parse(sent.sent_at) - commitMilliseconds);
  return { since, known: await sentSince(database, since, mostSent) };
}
