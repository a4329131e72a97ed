import { emptyChain, type ChainHead, type TenantId } from '@sluice/contracts';
import type { Sql } from '@sluice/service';

/** Where the log of a tenant ends. */
export interface LogHead extends ChainHead {
  recordedAt: Date;
}

interface Row {
  tenant_id: TenantId;
  seq: number;
  hash: Buffer;
  recorded_at: Date;
}

/** Locks the logs of these tenants until the end of the transaction, in one order for all; those that are new begin. */
export async function lockHeads(sql: Sql, tenants: readonly TenantId[]): Promise<Map<TenantId, LogHead>> {
  const lock = () =>
    sql.query<Row>('SELECT * FROM log_heads WHERE tenant_id = ANY($1) ORDER BY tenant_id FOR UPDATE', [
      tenants,
    ]);
  let rows = await lock();
  if (rows.length < tenants.length) {
    await sql.query(
      'INSERT INTO log_heads (tenant_id) SELECT id FROM unnest($1::bigint[]) AS id ORDER BY id ON CONFLICT DO NOTHING',
      [tenants],
    );
    rows = await lock();
  }
  return new Map(
    rows.map(({ tenant_id, seq, hash, recorded_at }) => [
      tenant_id,
      { seq, hash: hash.toString('hex'), recordedAt: recorded_at },
    ]),
  );
}

export async function moveHeads(sql: Sql, heads: ReadonlyMap<TenantId, LogHead>): Promise<void> {
  const all = [...heads];
  await sql.query(
    `UPDATE log_heads AS known SET seq = moved.seq, hash = moved.hash, recorded_at = moved.recorded_at, moved_at = clock_timestamp()
     FROM unnest($1::bigint[], $2::bigint[], $3::bytea[], $4::timestamptz[]) AS moved (tenant_id, seq, hash, recorded_at)
     WHERE known.tenant_id = moved.tenant_id`,
    [
      all.map(([tenant]) => tenant),
      all.map(([, { seq }]) => seq),
      all.map(([, { hash }]) => Buffer.from(hash, 'hex')),
      all.map(([, { recordedAt }]) => recordedAt),
    ],
  );
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

export async function endsOfLog(sql: Sql, tenant: TenantId): Promise<LogEnds> {
  const [row] = await sql.query<{
    head: number;
    hash: Buffer;
    anchor: number;
    anchored: Buffer;
    first: number | null;
    first_recorded_at: Date | null;
    last: number | null;
  }>(
    `SELECT coalesce(head.seq, 0) AS head, head.hash, coalesce(anchor.seq, 0) AS anchor, anchor.hash AS anchored,
       first.seq AS first, first.recorded_at AS first_recorded_at,
       (SELECT max(seq) FROM log_entries WHERE tenant_id = $1) AS last
     FROM (VALUES ($1::bigint)) AS asked (tenant_id)
     LEFT JOIN log_heads AS head USING (tenant_id) LEFT JOIN log_anchors AS anchor USING (tenant_id)
     LEFT JOIN LATERAL (SELECT seq, recorded_at FROM log_entries WHERE tenant_id = $1 ORDER BY seq LIMIT 1) AS first ON true`,
    [tenant],
  );
  const chained = (seq = 0, hash?: Buffer | null): ChainHead =>
    hash ? { seq, hash: hash.toString('hex') } : emptyChain;
  return {
    anchor: chained(row?.anchor, row?.anchored),
    head: chained(row?.head, row?.hash),
    first:
      row && row.first !== null && row.first_recorded_at !== null
        ? { seq: row.first, recordedAt: row.first_recorded_at }
        : undefined,
    last: row?.last ?? undefined,
  };
}

/** Heads of logs that have grown since, by tenant, those after one. */
export async function headsMovedSince(
  sql: Sql,
  since: Date,
  after: number,
  limit: number,
): Promise<(ChainHead & { tenant_id: TenantId; recorded_at: string })[]> {
  const rows = await sql.query<Row>(
    `SELECT * FROM log_heads WHERE seq > 0 AND moved_at >= $1 AND tenant_id > $2 ORDER BY tenant_id LIMIT $3`,
    [since, after, limit],
  );
  return rows.map(({ tenant_id, seq, hash, recorded_at }) => ({
    ...{ tenant_id, seq, hash: hash.toString('hex') },
    recorded_at: recorded_at.toISOString(),
  }));
}
