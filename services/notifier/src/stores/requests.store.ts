import type { PruningRule } from '@sluice/service';
import type { Database } from '../database/tables.ts';

/** What a request that may come again has made. */
export interface RequestRecord {
  made_id: number | null;
}

/** Takes a key for a request. @returns what the same request has made before, when it has had its effect */
export async function beginRequest(db: Database, key: string): Promise<RequestRecord | undefined> {
  const begun = await db
    .insertInto('requests')
    .values({ key, made_id: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if ((begun.numInsertedOrUpdatedRows ?? 0n) > 0n) return undefined;
  return await db.selectFrom('requests').select('made_id').where('key', '=', key).executeTakeFirst();
}

/** Notes what a request has made. */
export async function endRequest(db: Database, key: string, madeId: number): Promise<void> {
  await db.updateTable('requests').set({ made_id: madeId }).where('key', '=', key).execute();
}

/** main-api keeps the answer itself after ten minutes at most. */
export const requestsRule: PruningRule = { table: 'requests', since: 'created_at', keep: '1 hour' };
