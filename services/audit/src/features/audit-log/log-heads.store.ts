import { emptyChain, type ChainHead, type TenantId } from '@sluice/contracts';
import { sql } from 'kysely';
import type { Database } from '../../database/tables.ts';

/** Where the log of a tenant ends. */
export interface LogHead extends ChainHead {
  recordedAt: Date;
}

const hex = (hash: Uint8Array) => Buffer.from(hash).toString('hex');

/** Locks the logs of these tenants until the end of the transaction, in one order for all; those that are new begin. */
export async function lockHeads(db: Database, tenants: readonly TenantId[]): Promise<Map<TenantId, LogHead>> {
  const lock = () =>
    db
      .selectFrom('log_heads')
      .selectAll()
      // one parameter, so that the statement is the same for any number of tenants
      .where((eb) => eb('tenant_id', '=', eb.fn.any(eb.val([...tenants]))))
      .orderBy('tenant_id')
      .forUpdate()
      .execute();
  let rows = await lock();
  if (rows.length < tenants.length) {
    const sorted = [...tenants].sort((one, other) => one - other);
    await db
      .insertInto('log_heads')
      .values(sorted.map((tenant_id) => ({ tenant_id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    rows = await lock();
  }
  return new Map(
    rows.map(({ tenant_id, seq, hash, recorded_at }) => [
      tenant_id,
      { seq, hash: hex(hash), recordedAt: recorded_at },
    ]),
  );
}

export async function moveHeads(db: Database, heads: ReadonlyMap<TenantId, LogHead>): Promise<void> {
  const all = [...heads];
  // all heads in one statement (bench/src/audit.ts)
  await sql`
    UPDATE log_heads AS known SET seq = moved.seq, hash = moved.hash, recorded_at = moved.recorded_at, moved_at = clock_timestamp()
    FROM unnest(${all.map(([tenant]) => tenant)}::bigint[], ${all.map(([, { seq }]) => seq)}::bigint[],
      ${all.map(([, { hash }]) => Buffer.from(hash, 'hex'))}::bytea[],
      ${all.map(([, { recordedAt }]) => recordedAt)}::timestamptz[]) AS moved (tenant_id, seq, hash, recorded_at)
    WHERE known.tenant_id = moved.tenant_id`.execute(db);
}

/** What a log has to be: as its head says, and as far as there are entries, at one moment. */
export interface LogEnds {
  /** to which the oldest entry is chained that is still there */
  anchor: ChainHead;
  head: ChainHead;
  /** the entry with the lowest number, and the highest number; undefined without any */
  first: { seq: number; recordedAt: Date } | undefined;
  last: number | undefined;
}

export async function endsOfLog(db: Database, tenant: TenantId): Promise<LogEnds> {
  // one statement, so that all of it is of one moment
  const row = await db
    .selectFrom(db.selectNoFrom(sql<TenantId>`${tenant}::bigint`.as('tenant_id')).as('asked'))
    .leftJoin('log_heads as head', 'head.tenant_id', 'asked.tenant_id')
    .leftJoin('log_anchors as anchor', 'anchor.tenant_id', 'asked.tenant_id')
    .leftJoinLateral(
      (of) =>
        of
          .selectFrom('log_entries')
          .select(['seq', 'recorded_at'])
          .where('tenant_id', '=', tenant)
          .orderBy('seq')
          .limit(1)
          .as('first'),
      (join) => join.onTrue(),
    )
    .select((eb) => [
      ...(['head.seq as head', 'head.hash', 'anchor.seq as anchor', 'anchor.hash as anchored'] as const),
      ...(['first.seq as first', 'first.recorded_at as first_recorded_at'] as const),
      eb
        .selectFrom('log_entries')
        .select(eb.fn.max('seq').as('seq'))
        .where('tenant_id', '=', tenant)
        .as('last'),
    ])
    .executeTakeFirstOrThrow();
  const chained = (seq: number | null, hash: Uint8Array | null): ChainHead =>
    hash ? { seq: seq ?? 0, hash: hex(hash) } : emptyChain;
  const { first, first_recorded_at, last } = row;
  return {
    anchor: chained(row.anchor, row.anchored),
    head: chained(row.head, row.hash),
    first:
      first !== null && first_recorded_at !== null
        ? { seq: first, recordedAt: first_recorded_at }
        : undefined,
    last: last ?? undefined,
  };
}

/** Heads of logs that have grown since, by tenant, those after one. */
export async function headsMovedSince(
  db: Database,
  since: Date,
  after: TenantId | 0,
  limit: number,
): Promise<(ChainHead & { tenant_id: TenantId; recorded_at: string })[]> {
  const rows = await db
    .selectFrom('log_heads')
    .selectAll()
    .where('seq', '>', 0)
    .where('moved_at', '>=', since)
    .where('tenant_id', '>', after as TenantId)
    .orderBy('tenant_id')
    .limit(limit)
    .execute();
  return rows.map(({ tenant_id, seq, hash, recorded_at }) => ({
    ...{ tenant_id, seq, hash: hex(hash) },
    recorded_at: recorded_at.toISOString(),
  }));
}
