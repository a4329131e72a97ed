import pg from 'pg';
import type { Answer } from './client.ts';
import type { ServiceFixture } from './fixture.ts';
import type { Statement } from './plans.ts';

/** an UPDATE that is none of a lock's: `FOR UPDATE`, `FOR NO KEY UPDATE` */
const changesRows = /\b(insert\s+into|delete\s+from|merge\s+into|truncate)\b|(?<!\b(for|key)\s+)\bupdate\b/i;

type Query = (statement: string | pg.QueryConfig<unknown[]>, ...more: unknown[]) => unknown;

/** What requests have sent to the database, by the ids of the requests. */
export class Statements {
  readonly #requestId: () => string | undefined;
  readonly #byRequest = new Map<string, Statement[]>();

  /**
   * Listens to all connections that are opened while the fixture is open.
   * @param requestId the id of the request for which something is being done
   */
  constructor(on: ServiceFixture, requestId: () => string | undefined) {
    this.#requestId = requestId;
    on.beforeStart(() => {
      // oxlint-disable-next-line typescript/unbound-method -- it is called with the connection that it was called on
      const query = pg.Client.prototype.query as Query;
      const record = (statement: Statement) => this.#record(statement);
      pg.Client.prototype.query = function (this: pg.Client, statement, ...more) {
        record(statementOf(statement, more[0]));
        return query.call(this, statement, ...more);
      } as Query as typeof pg.Client.prototype.query;
      on.onClose(() => {
        pg.Client.prototype.query = query as typeof pg.Client.prototype.query;
      });
    });
  }

  /** Those that led to an answer, in their order. */
  of({ headers }: Pick<Answer, 'headers'>): Statement[] {
    return this.#byRequest.get(headers.get('svc-request') ?? '') ?? [];
  }

  /** Those of them that insert, change or delete rows. */
  changing(answer: Pick<Answer, 'headers'>): string[] {
    return this.of(answer).flatMap(({ text }) => (changesRows.test(text) ? [text] : []));
  }

  #record(statement: Statement): void {
    const request = this.#requestId();
    if (request === undefined) return;
    const known = this.#byRequest.get(request);
    if (known) known.push(statement);
    else this.#byRequest.set(request, [statement]);
  }
}

function statementOf(statement: string | pg.QueryConfig<unknown[]>, more: unknown): Statement {
  if (typeof statement !== 'string') return { text: statement.text, values: statement.values ?? [] };
  return { text: statement, values: Array.isArray(more) ? more : [] };
}
