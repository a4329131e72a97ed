import pg from 'pg';

/** Databases on one server that go back to copies. */
export class Databases {
  readonly #server: string;
  readonly #prefix: string;
  readonly #made = new Set<string>();

  /** @param server the address of a superuser */
  constructor(server: string, prefix: string) {
    this.#server = server;
    this.#prefix = prefix;
  }

  url(name: string): string {
    const url = new URL(this.#server);
    url.pathname = `/${this.#name(name)}`;
    return url.href;
  }

  async make(name: string): Promise<void> {
    await this.#run(`CREATE DATABASE ${this.#name(name)} STRATEGY file_copy`);
    this.#made.add(name);
  }

  /** Copies a database to which nobody is connected. */
  async copy(from: string, to: string): Promise<void> {
    await this.drop(to);
    const template = `TEMPLATE ${this.#name(from)} STRATEGY file_copy`;
    await this.#run(`CREATE DATABASE ${this.#name(to)} ${template}`);
    this.#made.add(to);
  }

  async drop(name: string): Promise<void> {
    await this.#run(`DROP DATABASE IF EXISTS ${this.#name(name)} WITH (FORCE)`);
    this.#made.delete(name);
  }

  async dropAll(): Promise<void> {
    for (const name of [...this.#made]) await this.drop(name);
  }

  #name(name: string): string {
    return `${this.#prefix}_${name}`;
  }

  async #run(statement: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.#server });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  }
}
