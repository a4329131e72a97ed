import type { ChannelId, ChannelKind, DivisionId, TenantId } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { problem } from '@sluice/service';
import { IsNull } from 'typeorm';
import type { Database } from '../../database.ts';
import { newRow, pageOfRows, uniquely } from '../../stores/rows.ts';
import { bigint, boolean, id, nullable, table, text, time, type RowOf } from '../../stores/columns.ts';

export const Channel = table('channels', {
  id: id<ChannelId>(),
  tenant_id: bigint<TenantId>(),
  division_id: nullable(bigint<DivisionId>()),
  channel: text<ChannelKind>(),
  name: text(),
  enabled: boolean({ default: true }),
  /** `ChannelSecrets` as JSON, encrypted */
  sealed_secrets: text(),
  remarks: nullable(text()),
  version: bigint({ default: () => "nextval('channel_versions')" }),
  tested_at: nullable(time()),
  unsubscribed_at: nullable(time()),
  created_at: time({ createDate: true }),
  updated_at: time({ updateDate: true }),
});
export type ChannelRow = RowOf<typeof Channel>;

/** Whose channels are meant: the tenant's own, or those of one of its divisions. */
export interface OwnerKey {
  tenant_id: TenantId;
  division_id: DivisionId | null;
}

/** A channel of its owner and of no other. @throws Problem `not_found` */
export async function getChannel(
  db: Database,
  { tenant_id, division_id }: OwnerKey,
  id: ChannelId,
): Promise<ChannelRow> {
  const where = { id, tenant_id, division_id: division_id ?? IsNull() };
  const channel = await db.manager.findOneBy(Channel, where);
  if (!channel) throw problem('not_found');
  return channel;
}

/** The plan keeps a tenant's channels to some dozens. */
export async function listChannels(
  db: Database,
  { tenant_id, division_id }: OwnerKey,
  kind: ChannelKind | undefined,
  page: Page,
): Promise<[ChannelRow[], number]> {
  const source = `channels WHERE tenant_id = $1 AND division_id IS NOT DISTINCT FROM $2::bigint
    AND ($3::text IS NULL OR channel = $3)`;
  return await pageOfRows<ChannelRow>(db, '*', source, [tenant_id, division_id, kind ?? null], page);
}

export async function countChannels(db: Database, tenantId: TenantId): Promise<number> {
  return await db.manager.countBy(Channel, { tenant_id: tenantId });
}

/** @throws Problem `name_taken` */
export async function insertChannel(
  db: Database,
  channel: Pick<ChannelRow, 'tenant_id' | 'division_id' | 'channel' | 'name' | 'sealed_secrets' | 'remarks'>,
): Promise<ChannelRow> {
  const row = newRow(db, Channel, channel);
  await uniquely('channels_name_key', db.manager.insert(Channel, row));
  return row;
}

/** @throws Problem `name_taken` */
export async function updateChannel(
  db: Database,
  id: ChannelId,
  changes: Partial<ChannelRow>,
): Promise<void> {
  await uniquely('channels_name_key', db.manager.update(Channel, { id }, changes));
}

/** Gives a channel a version above all that it has had, and above `known`. */
export async function raiseVersion(db: Database, id: ChannelId, known = 0): Promise<ChannelRow> {
  const [channel] = await db.query<ChannelRow>(
    `UPDATE channels SET version = greatest(nextval('channel_versions'), version + 1, $2::bigint + 1)
     WHERE id = $1 RETURNING *`,
    [id, known],
  );
  if (!channel) throw problem('not_found');
  return channel;
}

/** A version above `known`, for a channel that there is not. */
export async function nextVersion(db: Database, known: number): Promise<number> {
  const [row] = await db.query<{ version: number }>(
    `SELECT greatest(nextval('channel_versions'), $1::bigint + 1) AS version`,
    [known],
  );
  return row?.version ?? known + 1;
}

/** A channel that is gone, under a version above all that it has had. */
export type DeletedChannel = Pick<ChannelRow, 'id' | 'version'>;

const deleted = `RETURNING id, greatest(nextval('channel_versions'), version + 1) AS version`;

export async function deleteChannel(db: Database, id: ChannelId): Promise<DeletedChannel[]> {
  return await db.query(`DELETE FROM channels WHERE id = $1 ${deleted}`, [id]);
}

/** Deletes all channels of a tenant, or of one of its divisions. */
export async function deleteChannelsOf(
  db: Database,
  tenantId: TenantId,
  divisionId?: DivisionId,
): Promise<DeletedChannel[]> {
  const where = 'tenant_id = $1 AND ($2::bigint IS NULL OR division_id = $2)';
  return await db.query(`DELETE FROM channels WHERE ${where} ${deleted}`, [tenantId, divisionId ?? null]);
}

/** @param upto null: to the end */
export async function findChannelsBetween(
  db: Database,
  after: number,
  upto: number | null,
): Promise<Pick<ChannelRow, 'id' | 'version' | 'sealed_secrets' | 'unsubscribed_at'>[]> {
  return await db.query(
    `SELECT id, version, sealed_secrets, unsubscribed_at FROM channels WHERE id > $1 AND ($2::bigint IS NULL OR id <= $2) ORDER BY id`,
    [after, upto],
  );
}

/** Records that the address of these channels has unsubscribed; null: that it has not. */
export async function setUnsubscribed(
  db: Database,
  ids: readonly ChannelId[],
  at: Date | null,
): Promise<void> {
  await db.query('UPDATE channels SET unsubscribed_at = $2 WHERE id = ANY ($1::bigint[])', [ids, at]);
}

/**
 * Records that a channel is tested, unless it was less than `seconds` ago.
 * @returns for how many seconds it is too soon; 0: it is not
 */
export async function beginTest(db: Database, id: ChannelId, seconds: number): Promise<number> {
  const [row] = await db.query<{ rest: number }>(
    `WITH begun AS (
       UPDATE channels SET tested_at = now()
       WHERE id = $1 AND coalesce(tested_at <= now() - make_interval(secs => $2), true) RETURNING 1)
     SELECT greatest(1, ceil(extract(epoch FROM tested_at - now()) + $2))::int AS rest
     FROM channels WHERE id = $1 AND NOT EXISTS (SELECT FROM begun)`,
    [id, seconds],
  );
  return row?.rest ?? 0;
}
