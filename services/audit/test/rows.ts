import type { KyselyPlugin } from 'kysely';
import type { Database } from '../src/database/tables.ts';

/** The same database, which tells of each of its statements that reads entries how many rows it has brought. */
export function countingRows(database: Database): { database: Database; rows: number[] } {
  const rows: number[] = [];
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (result.rows.some((row) => 'prev_hash' in row)) rows.push(result.rows.length);
      return result;
    },
  };
  return { database: database.withPlugin(plugin), rows };
}
