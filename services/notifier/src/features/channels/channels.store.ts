import type { ChannelId, DivisionId, TenantId } from '@sluice/contracts';
import type { PruningRule } from '@sluice/service';
import { sql, type Insertable, type Selectable } from 'kysely';
import type { Database, Tables } from '../../database/tables.ts';

export type ChannelRow = Selectable<Tables['channels']>;

/**
 * Notes the version of a channel and locks it until the transaction ends.
 * @returns false if the channel is, or was deleted, under this version or a higher one
 */
export async function raiseVersion(db: Database, channelId: ChannelId, version: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('channel_versions')
    .values({ channel_id: channelId, version, deleted_at: null })
    .onConflict((conflict) =>
      conflict
        .column('channel_id')
        .doUpdateSet({ version, deleted_at: null })
        .where('channel_versions.version', '<', version),
    )
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function upsertChannel(db: Database, channel: Insertable<Tables['channels']>): Promise<void> {
  const { id, created_at, ...changes } = channel;
  await db
    .insertInto('channels')
    .values({ id, created_at, ...changes })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changes))
    .execute();
}

/** Deletes a channel with its history. Its version stays, so that an older state that comes late has no effect. */
export async function deleteChannel(db: Database, id: ChannelId): Promise<void> {
  await db.deleteFrom('channels').where('id', '=', id).execute();
  await db
    .updateTable('channel_versions')
    .set({ deleted_at: sql<Date>`now()` })
    .where('channel_id', '=', id)
    .execute();
}

export async function findChannel(db: Database, id: ChannelId): Promise<ChannelRow | undefined> {
  return await db.selectFrom('channels').where('id', '=', id).selectAll().executeTakeFirst();
}

/** False before the first state of a channel has come; true also when it is deleted. */
export async function isKnown(db: Database, id: ChannelId): Promise<boolean> {
  const versions = db.selectFrom('channel_versions').select('version').where('channel_id', '=', id);
  return (await versions.executeTakeFirst()) !== undefined;
}

/** The mail channels of a tenant that lead to an address. */
export async function findChannelsTo(
  db: Database,
  tenantId: TenantId,
  addressHash: string,
): Promise<ChannelId[]> {
  const rows = await db
    .selectFrom('channels')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('address_hash', '=', addressHash)
    .execute();
  return rows.map(({ id }) => id);
}

/** Channels in the order of their ids, those after one, as an inventory has them. */
export async function inventoriedAfter(db: Database, after: number, limit: number) {
  return await inventoried(db)
    .where('channels.id', '>', after as ChannelId)
    .orderBy('channels.id')
    .limit(limit)
    .execute();
}

export async function findInventoried(db: Database, id: ChannelId) {
  return await inventoried(db).where('channels.id', '=', id).executeTakeFirst();
}

const inventoried = (db: Database) =>
  db
    .selectFrom('channels')
    .leftJoin('unsubscribes', (join) =>
      join
        .onRef('unsubscribes.tenant_id', '=', 'channels.tenant_id')
        .onRef('unsubscribes.address_hash', '=', 'channels.address_hash'),
    )
    .select(['channels.id', 'channels.version', 'unsubscribes.created_at as unsubscribed_at']);

/** Deletes all channels of a tenant, or of one of its divisions, with what belongs to them. */
export async function deleteChannelsOf(
  db: Database,
  tenantId: TenantId,
  divisionId?: DivisionId,
): Promise<void> {
  await db
    .deleteFrom('channels')
    .where('tenant_id', '=', tenantId)
    .$if(divisionId !== undefined, (query) => query.where('division_id', '=', divisionId ?? null))
    .execute();
}

/** The versions of deleted channels are kept longer than any message waits. */
export const channelVersionsRule: PruningRule = {
  table: 'channel_versions',
  since: 'deleted_at',
  keep: '90 days',
};
