import type { Selectable } from 'kysely';
import type { Database, LocalTables } from '../tables.ts';
import type { EmulatedPeer, EmulatedState } from '@sluice/drivers';

export type EmulatedLink = Selectable<LocalTables['emulated_links']>;

/** Makes the link unless it is there. @returns how it is */
export async function ensureEmulatedLink(
  db: Database,
  uid: string,
  peer: EmulatedPeer,
): Promise<EmulatedLink & { isNew: boolean }> {
  const made = await db
    .insertInto('emulated_links')
    .values({ uid, peer })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (made) return { ...made, isNew: true };
  const found = db.selectFrom('emulated_links').selectAll().where('uid', '=', uid);
  return { ...(await found.executeTakeFirstOrThrow()), isNew: false };
}

/** Takes it from one state to another, unless it has gone elsewhere meanwhile. */
export async function moveEmulatedLink(
  db: Database,
  uid: string,
  from: EmulatedState,
  to: EmulatedState,
): Promise<void> {
  const link = db.updateTable('emulated_links').set({ state: to }).where('uid', '=', uid);
  await link.where('state', '=', from).execute();
}

export async function deleteEmulatedLink(db: Database, uid: string): Promise<void> {
  await db.deleteFrom('emulated_links').where('uid', '=', uid).execute();
}
