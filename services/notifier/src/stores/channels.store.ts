import type { ChannelId, ChannelKind, ChannelOwner, DivisionId, TenantId } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { isUniqueViolation, problem } from '@sluice/service';
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { Database, Tables } from '../database/tables.ts';

export type ChannelRow = Selectable<Tables['channels']>;

/** A slice of a list, as the request says it. */
export type Slice = Pick<Page, 'offset' | 'results'>;

/**
 * Keeps everybody else from changing the channels of a tenant until the transaction ends, so that limits are counted while
 * nobody adds any.
 */
export async function lockChannelsOf(db: Database, tenantId: TenantId): Promise<void> {
  await db
    .insertInto('tenant_locks')
    .values({ tenant_id: tenantId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .selectFrom('tenant_locks')
    .select('tenant_id')
    .where('tenant_id', '=', tenantId)
    .forUpdate()
    .execute();
}

/** A channel of its owner and of nobody else. @throws Problem `not_found` */
export async function getChannel(db: Database, owner: ChannelOwner, id: ChannelId): Promise<ChannelRow> {
  const channel = await ofOwner(db, owner).where('id', '=', id).selectAll().executeTakeFirst();
  if (!channel) throw problem('not_found');
  return channel;
}

/** A channel, whoever owns it. */
export async function findChannel(db: Database, id: ChannelId): Promise<ChannelRow | undefined> {
  return await db.selectFrom('channels').where('id', '=', id).selectAll().executeTakeFirst();
}

/** A page of an owner's channels, newest first, and how many there are: the plan keeps them to some dozens. */
export async function listChannels(
  db: Database,
  owner: ChannelOwner,
  { offset, results }: Slice,
  kind: ChannelKind | undefined,
): Promise<[ChannelRow[], number]> {
  const all = ofOwner(db, owner).$if(kind !== undefined, (query) =>
    query.where('channel', '=', kind ?? 'email'),
  );
  const rows = await all.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').execute();
  return [rows.slice(offset, offset + results), rows.length];
}

export async function countChannels(db: Database, tenantId: TenantId): Promise<number> {
  const { count } = await db
    .selectFrom('channels')
    .where('tenant_id', '=', tenantId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** @throws Problem `name_taken` */
export async function insertChannel(
  db: Database,
  channel: Insertable<Tables['channels']>,
): Promise<ChannelRow> {
  const inserted = db.insertInto('channels').values(channel).returningAll().executeTakeFirstOrThrow();
  return await uniquely(inserted);
}

/** @throws Problem `name_taken` */
export async function updateChannel(
  db: Database,
  id: ChannelId,
  changes: Updateable<Tables['channels']>,
): Promise<void> {
  await uniquely(
    db
      .updateTable('channels')
      .set({ ...changes, updated_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute(),
  );
}

export async function deleteChannel(db: Database, id: ChannelId): Promise<void> {
  await db.deleteFrom('channels').where('id', '=', id).execute();
}

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

/**
 * Notes that a channel is tested, unless it was less than `seconds` ago.
 * @returns for how many seconds it is too soon; 0: it is not
 */
export async function beginTest(db: Database, id: ChannelId, seconds: number): Promise<number> {
  const begun = await db
    .updateTable('channels')
    .set({ tested_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where(sql<boolean>`coalesce(tested_at <= now() - make_interval(secs => ${seconds}), true)`)
    .executeTakeFirst();
  if (begun.numUpdatedRows > 0n) return 0;
  const { rest } = await db
    .selectFrom('channels')
    .where('id', '=', id)
    .select(
      sql<number>`greatest(1, ceil(extract(epoch FROM tested_at - now()) + ${seconds}))::int`.as('rest'),
    )
    .executeTakeFirstOrThrow();
  return rest;
}

/** Channels in the order of their ids, after one; for whoever goes through all of them. */
export async function channelsAfter(db: Database, after: ChannelId | 0, most: number) {
  return await db
    .selectFrom('channels')
    .select(['id', 'sealed'])
    .where(sql<boolean>`id > ${after}`)
    .orderBy('id')
    .limit(most)
    .execute();
}

/** Stores what is sealed anew, unless it was changed meanwhile. */
export async function resealChannel(
  db: Database,
  { id, sealed }: Pick<ChannelRow, 'id' | 'sealed'>,
  anew: string,
): Promise<void> {
  await db
    .updateTable('channels')
    .set({ sealed: anew })
    .where('id', '=', id)
    .where('sealed', '=', sealed)
    .execute();
}

function ofOwner(db: Database, { tenant_id, division }: ChannelOwner) {
  const query = db.selectFrom('channels').where('tenant_id', '=', tenant_id);
  return division === null
    ? query.where('division_id', 'is', null)
    : query.where('division_id', '=', division.id);
}

async function uniquely<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    throw isUniqueViolation(error, 'channels_name_key') ? problem('name_taken') : error;
  }
}
