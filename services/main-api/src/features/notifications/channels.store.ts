import type { ChannelId, ChannelKind, DivisionId, TenantId } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { And, IsNull, LessThanOrEqual, MoreThan, Not } from 'typeorm';
import type { Database } from '@sluice/main-store/database';
import { existing, firstOf, insertRow, pageOfRows, takeRows, uniquely } from '@sluice/main-store/rows';
import { bigint, boolean, id, nullable, table, text, time, type RowOf } from '@sluice/main-store/columns';

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

/** A channel of its owner and of no other. */
export const getChannel = (db: Database, { tenant_id, division_id }: OwnerKey, id: ChannelId) =>
  existing(db.manager.findOneBy(Channel, { id, tenant_id, division_id: division_id ?? IsNull() }));

/** The plan keeps a tenant's channels to some dozens. */
export const listChannels = (
  db: Database,
  { tenant_id, division_id }: OwnerKey,
  kind: ChannelKind | undefined,
  page: Page,
) => {
  const source = `channels WHERE tenant_id = $1 AND division_id IS NOT DISTINCT FROM $2::bigint
    AND ($3::text IS NULL OR channel = $3)`;
  return pageOfRows<ChannelRow>(db, page, source, [tenant_id, division_id, kind ?? null]);
};

export const countChannels = (db: Database, tenantId: TenantId) =>
  db.manager.countBy(Channel, { tenant_id: tenantId });

export const insertChannel = (
  db: Database,
  channel: Pick<ChannelRow, 'tenant_id' | 'division_id' | 'channel' | 'name' | 'sealed_secrets' | 'remarks'>,
) => insertRow(db, Channel, channel, 'channels_name_key');

export const updateChannel = (db: Database, id: ChannelId, changes: Partial<ChannelRow>) =>
  uniquely('channels_name_key', db.manager.update(Channel, { id }, changes));

/** Gives a channel a version above all that it has had, and above `known`. */
export const raiseVersion = (db: Database, id: ChannelId, known = 0) =>
  existing(
    firstOf(
      db.query<ChannelRow>(
        `UPDATE channels SET version = greatest(nextval('channel_versions'), version + 1, $2::bigint + 1)
         WHERE id = $1 RETURNING *`,
        [id, known],
      ),
    ),
  );

/** A version above `known`, for a channel that there is not. */
export async function nextVersion(db: Database, known: number): Promise<number> {
  const next = db.query<{ version: number }>(
    `SELECT greatest(nextval('channel_versions'), $1::bigint + 1) AS version`,
    [known],
  );
  return (await existing(firstOf(next))).version;
}

/** A channel that is gone, under a version above all that it has had. */
export type DeletedChannel = Pick<ChannelRow, 'id' | 'version'>;

/** Deletes a channel, or all of a tenant, or of one of its divisions. */
export const deleteChannels = (
  db: Database,
  where: { id: ChannelId } | { tenant_id: TenantId; division_id?: DivisionId },
): Promise<DeletedChannel[]> =>
  takeRows(db, Channel, where, "id, greatest(nextval('channel_versions'), version + 1) AS version");

/** @param upto null: to the end */
export const findChannelsBetween = (db: Database, after: number, upto: number | null) =>
  db.manager.find(Channel, {
    where: { id: And(MoreThan(after), upto === null ? Not(IsNull()) : LessThanOrEqual(upto)) },
    order: { id: 'ASC' },
  });

/** Records that the address of these channels has unsubscribed; null: that it has not. It leaves `updated_at` as it is. */
export const setUnsubscribed = (db: Database, ids: readonly ChannelId[], at: Date | null) =>
  db.query('UPDATE channels SET unsubscribed_at = $2 WHERE id = ANY ($1::bigint[])', [ids, at]);

/**
 * Records that a channel is tested, unless it was less than `seconds` ago.
 * @returns for how many seconds it is too soon; 0: it is not
 */
export async function beginTest(db: Database, id: ChannelId, seconds: number): Promise<number> {
  const refused = db.query<{ rest: number }>(
    `WITH begun AS (
       UPDATE channels SET tested_at = now()
       WHERE id = $1 AND coalesce(tested_at <= now() - make_interval(secs => $2), true) RETURNING 1)
     SELECT greatest(1, ceil(extract(epoch FROM tested_at - now()) + $2))::int AS rest
     FROM channels WHERE id = $1 AND NOT EXISTS (SELECT FROM begun)`,
    [id, seconds],
  );
  return (await firstOf(refused))?.rest ?? 0;
}
