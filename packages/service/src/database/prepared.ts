import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { isStalePlan } from './sql.ts';

/** a longer text is rare, and not worth its place */
const longestText = 20_000;

type Answered = (error: Error | null, result: pg.QueryResult) => void;
/** `client.query`, as the libraries call it here */
type Query = (
  statement: string | pg.QueryConfig,
  values?: unknown[],
  answered?: Answered,
) => Promise<pg.QueryResult | undefined> | undefined;

/** The statements that each connection of a pool keeps prepared (docs/decisions/039-the-request-path.md). */
export class PreparedStatements {
  readonly #most: number;
  /** grows when PostgreSQL has refused a statement that was prepared: what was prepared before is out of date */
  #generation = 0;
  #named = 0;

  /** @param most statements for each connection; 0 for none, behind a pooler that cannot */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Has a connection keep the statements that it is given with parameters: PostgreSQL parses and plans each once instead of
   * every time, whichever library it comes from. Those that have not been asked for longest are given up.
   */
  readonly keepOn = (client: pg.ClientBase): void => {
    if (this.#most === 0) return;
    const run = client.query.bind(client) as Query;
    let generation = this.#generation;
    const names = new LRUCache<string, string>({
      max: this.#most,
      dispose: (name) => giveUp(client, name),
    });
    const nameOf = (text: string) => {
      if (generation !== this.#generation) names.clear();
      generation = this.#generation;
      const known = names.get(text);
      // no name is used twice: one that is given up may still be waiting to be sent
      const name = known ?? `s${++this.#named}`;
      if (known === undefined) names.set(text, name);
      return name;
    };
    const query: Query = (text, values, answered) => {
      if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0)
        return run(text, values, answered);
      if (text.length > longestText) return run(text, values, answered);
      const named = { name: nameOf(text), text, values };
      if (answered === undefined)
        return run(named)?.catch((error: unknown) => {
          if (this.#mayRunAgain(error, client)) return run(text, values);
          throw error;
        });
      return run(named, undefined, (error, result) => {
        if (this.#mayRunAgain(error, client)) void run(text, values, answered);
        else answered(error, result);
      });
    };
    client.query = query as typeof client.query;
  };

  /** Whether a statement that failed has done nothing, and would succeed if it were prepared anew. */
  #mayRunAgain(error: unknown, client: pg.ClientBase): boolean {
    if (!isStalePlan(error)) return false;
    this.#generation++;
    // within a transaction nothing can be done any more but to begin again
    return client.getTransactionStatus() === 'I';
  }
}

/** Goes behind what is under way, and is possible in any state of the transaction. */
function giveUp(client: pg.ClientBase, name: string): void {
  const { connection } = client as pg.Client & {
    connection: { parsedStatements: Record<string, string> };
  };
  connection.close({ type: 'S', name }, true);
  delete connection.parsedStatements[name];
}
