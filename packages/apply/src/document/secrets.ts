import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** What was read from the environment and files for a document. It is never shown. */
export class Secrets {
  readonly #values = new Set<string>();
  readonly #env: NodeJS.ProcessEnv;

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  /**
   * A text with its references replaced. Paths are relative to `folder`; a line break at the end of a file is left out.
   * @throws Error where a reference leads nowhere
   */
  resolve(text: string, folder: string): string {
    let isSecret = false;
    const resolved = text.replaceAll(/\$\{(env|file):([^}]+)\}/g, (_all, source: string, where: string) => {
      isSecret = true;
      return source === 'env' ? this.#variable(where) : readReferred(resolve(folder, where), where);
    });
    if (isSecret && resolved !== '') this.#values.add(resolved);
    return resolved;
  }

  #variable(name: string): string {
    const value = this.#env[name];
    if (value === undefined) throw new Error(`the environment variable ${name} is not set`);
    return value;
  }

  /** Whether a text is a secret, or has one in it. */
  has(text: string): boolean {
    for (const value of this.#values) if (text.includes(value)) return true;
    return false;
  }

  /** A value as it can be shown. */
  masked(value: unknown): unknown {
    if (typeof value === 'string') return value === '***' || this.has(value) ? '(secret)' : value;
    if (Array.isArray(value)) return value.map((item) => this.masked(item));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.masked(item)]));
  }
}

function readReferred(path: string, where: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new Error(`the file ${where} cannot be read (${(error as NodeJS.ErrnoException).code})`, {
      cause: error,
    });
  }
}
