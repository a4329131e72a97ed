import type { SecretBox } from '@sluice/system/secrets';
import type { Sql } from './sql.ts';

/** A column whose values are sealed with SECRETS_KEYS. */
export interface SealedColumn {
  table: string;
  column: string;
  /** the columns of the primary key */
  key: readonly string[];
  /** what else changes with the value, as SQL */
  besides?: string;
}

const batch = 500;

/**
 * Seals the values of a column under the newest key, so that the older ones can go. What is changed meanwhile is under the newest
 * already, where all replicas have it; it can be run again at any time.
 * @returns how many it has sealed anew, and the keys of rows that no key opens
 */
export async function resealColumn(
  sql: Sql,
  secrets: SecretBox,
  { table, column, key, besides }: SealedColumn,
): Promise<{ resealed: number; unreadable: string[] }> {
  const done = { resealed: 0, unreadable: [] as string[] };
  const [columns, after] = [key.join(', '), key.map((_, at) => `$${at + 1}`).join(', ')];
  const set = [`${column} = $${key.length + 2}`, ...(besides === undefined ? [] : [besides])].join(', ');
  let last: unknown[] | undefined;
  for (;;) {
    const rows = await sql.query<{ sealed: string } & Record<string, unknown>>(
      `SELECT ${columns}, ${column} AS sealed FROM ${table} WHERE ${column} IS NOT NULL
       ${last ? `AND (${columns}) > (${after})` : ''} ORDER BY ${columns} LIMIT ${batch}`,
      last ?? [],
    );
    for (const row of rows) {
      last = key.map((name) => row[name]);
      const anew = await sealedAnew(secrets, row.sealed);
      if (anew === undefined) done.unreadable.push(last.map(String).join('/'));
      if (!anew) continue;
      const stored = await sql.query(
        `UPDATE ${table} SET ${set} WHERE (${columns}) = (${after}) AND ${column} = $${key.length + 1} RETURNING 1`,
        [...last, row.sealed, anew],
      );
      done.resealed += stored.length;
    }
    if (rows.length < batch) return done;
  }
}

/** @returns null for what the newest key has sealed, undefined for what no key opens */
async function sealedAnew(secrets: SecretBox, sealed: string): Promise<string | null | undefined> {
  try {
    return secrets.isNewest(sealed) ? null : await secrets.seal(await secrets.open(sealed));
  } catch {
    return undefined;
  }
}
