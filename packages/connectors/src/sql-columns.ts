import type { ConfigEntry } from '@sluice/contracts';
import { textOf } from './messages.ts';
import { ConfigRefused, type OutgoingMessage, type PluginConfig, type Rejected } from './plugin.ts';
import { field, list, optionalText } from './schema.ts';

/** What a column can be filled with; a value in a payload of JSON is below `payload`. */
export type ColumnSource =
  'id' | 'stream' | 'topic' | 'headers' | 'published_at' | 'payload' | 'payload_bytes';

export interface SqlDialect {
  quoted: (name: string) => string;
  types: Readonly<Record<ColumnSource, string>>;
}

export const columnFields = (idDescription: string, longestName: number): readonly ConfigEntry[] => [
  field(
    'columns',
    'list',
    'Columns',
    'each as "column=source"; a source is id, stream, topic, headers, published_at, payload, payload_bytes, or a value ' +
      'in a payload of JSON such as payload.customer.name',
    { default: ['id=id', 'topic=topic', 'payload=payload', 'published_at=published_at'], min: 1, max: 100 },
  ),
  field('id_column', 'string', 'Column of the id', idDescription, { default: 'id', max: longestName }),
  field('create_table', 'bool', 'Create the table', 'if it is not there', { default: false }),
];

export interface Column {
  name: string;
  source: ColumnSource;
  /** below `payload`; empty for the whole */
  path: readonly string[];
}

export class Columns {
  readonly all: readonly Column[];
  /** a row whose value is there already is left out; null: a message that comes again is inserted again */
  readonly id: string | null;
  readonly #dialect: SqlDialect;

  constructor(config: PluginConfig, dialect: SqlDialect) {
    this.#dialect = dialect;
    this.all = list(config, 'columns').map((line) => readColumn(line, dialect));
    this.id = optionalText(config, 'id_column');
    if (this.id !== null && !this.all.some(({ name }) => name === this.id))
      throw new ConfigRefused(`id_column is ${this.id}, which is not among columns`);
  }

  get names(): string {
    return `(${this.all.map(({ name }) => this.#dialect.quoted(name)).join(', ')})`;
  }

  creation(table: string): string {
    const { quoted, types } = this.#dialect;
    const columns = this.all.map(({ name, source, path }) => {
      const type = types[path.length > 0 ? 'payload' : source];
      return `${quoted(name)} ${type}${name === this.id ? ' PRIMARY KEY' : ''}`;
    });
    return `CREATE TABLE IF NOT EXISTS ${table} (${columns.join(', ')})`;
  }

  /** Separates messages whose payload is not text, where a column needs that. */
  readable(batch: readonly OutgoingMessage[]): { messages: OutgoingMessage[]; rejected: Rejected[] } {
    const needsText = this.all.some(({ source }) => source === 'payload');
    const { yes = [], no = [] } = Object.groupBy(batch, (message) =>
      needsText && textOf(message) === undefined ? 'no' : 'yes',
    );
    return { messages: yes, rejected: no.map(({ id }) => ({ id, reason: 'The payload is not text' })) };
  }

  /** @throws ConfigRefused unless the server has found a unique index on the column of the id alone */
  requireUnique(table: string, isUnique: boolean): void {
    if (!isUnique)
      throw new ConfigRefused(
        `${table} has no unique index on ${this.id}: repetitions would be rows of their own`,
      );
  }
}

function readColumn(line: string, { quoted, types }: SqlDialect): Column {
  const [name = '', source = ''] = line.split('=').map((part) => part.trim());
  const [first = '', ...path] = source.split('.');
  quoted(name);
  if (!Object.hasOwn(types, first) || (path.length > 0 && first !== 'payload') || path.includes(''))
    throw new ConfigRefused(`columns: ${line} has no source that there is`);
  return { name, source: first as ColumnSource, path };
}

export async function prepared<
  T extends { prepare(signal: AbortSignal): Promise<void>; close(): Promise<void> },
>(one: T, signal: AbortSignal): Promise<T> {
  try {
    await one.prepare(signal);
    return one;
  } catch (error) {
    await one.close();
    throw error;
  }
}
