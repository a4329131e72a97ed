import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stack } from './stack.ts';
import pg from 'pg';

/** The databases of a stack's services, as their owners reach them. */
export class StackDatabases {
  readonly #stack: Stack;
  readonly #pools = new Map<string, pg.Pool>();

  constructor(stack: Stack) {
    this.#stack = stack;
  }

  /** In a service's database. */
  async query<Row extends pg.QueryResultRow>(
    database: string,
    text: string,
    values: unknown[] = [],
  ): Promise<Row[]> {
    const pool = this.#pools.get(database) ?? new pg.Pool({ connectionString: await this.#urlOf(database) });
    this.#pools.set(database, pool);
    return (await pool.query<Row>(text, values)).rows;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.end()));
  }

  async #urlOf(database: string): Promise<string> {
    const { home, portBase } = this.#stack;
    const service = { main_api: 'main-api', supervisor_cloud_a: 'supervisor-cloud_a' }[database] ?? database;
    const password = (await readFile(join(home, 'secrets', `${service}.database`), 'utf8')).trim();
    return `postgresql://${database}:${password}@127.0.0.1:${portBase + 10}/${database}`;
  }
}
