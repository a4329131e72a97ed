import { usageError } from './errors.ts';
import type { Io } from './io.ts';
import { visible, visibleJson } from './escape.ts';

export const formats = ['table', 'wide', 'json', 'ndjson', 'yaml', 'name'] as const;
export type Format = (typeof formats)[number];

export type Cell = string | number | boolean | null | undefined;

export interface Column<T> {
  header: string;
  value: (item: T) => Cell;
  /** shown with `-o wide` only */
  wide?: boolean;
}

/** How entries of a kind are shown. */
export interface View<T> {
  columns: readonly Column<T>[];
  /** what other commands take for the entry: a place or an id (`-o name`) */
  name: (item: T) => string;
  /** of a single entry, in place of its columns */
  fields?: (item: T) => readonly (readonly [label: string, value: Cell])[];
  /** said on stderr where a list is empty, a sentence */
  empty?: string;
}

/** Writes data to stdout in the format that was asked for. */
export interface Output {
  /** whether people read it: no format was chosen but a table */
  readonly isForPeople: boolean;
  list<T>(items: Iterable<T> | AsyncIterable<T>, view: View<T>): Promise<void>;
  item<T>(item: T, view: View<T>): Promise<void>;
  /** Data without a view, such as an answer of `sluice api`: JSON unless YAML is asked for. */
  value(value: unknown): Promise<void>;
  /** Text as it is, such as a secret or a script. */
  raw(text: string): Promise<void>;
  /** Text or bytes as they come; a terminal shows what they are. */
  pieces(all: AsyncIterable<Uint8Array>): Promise<void>;
}

export function createOutput(io: Io, chosen: { output?: Format; query?: string }): Output {
  const { query } = chosen;
  const format: Format | 'text' = chosen.output ?? (query === undefined ? 'table' : 'text');
  if (query !== undefined && ['table', 'wide', 'name'].includes(format))
    throw usageError(
      `--query gives no ${format}.`,
      'combine it with -o json, ndjson or yaml, or leave -o out',
    );
  const write = (text: string) => writeAll(io.stdout, text);
  const bold = (text: string) => io.paint('bold', text);
  // a script reads what it was, a terminal shows what it is
  const plain = (text: string) =>
    io.columns === undefined ? text : text.split('\n').map(visible).join('\n');
  const tables = async () => import('./table.ts');

  async function structured(value: unknown): Promise<void> {
    const selected = query === undefined ? value : await select(value, query);
    if (format === 'yaml') return write((await import('./yaml.ts')).yamlOf(selected));
    if (format === 'ndjson')
      return write(
        asLines(selected)
          .map((line) => `${compact(line)}\n`)
          .join(''),
      );
    if (format === 'text')
      return write(
        asLines(selected)
          .map((line) => `${typeof line === 'string' ? plain(line) : compact(line)}\n`)
          .join(''),
      );
    return write(`${visibleJson(JSON.stringify(selected ?? null, null, 2))}\n`);
  }

  return {
    isForPeople: format === 'table' || format === 'wide',
    async list(items, view) {
      if (format === 'ndjson' && query === undefined) {
        for await (const item of items) await write(`${compact(item)}\n`);
        return;
      }
      if (format === 'name') {
        for await (const item of items) await write(`${visible(view.name(item))}\n`);
        return;
      }
      const all = [];
      for await (const item of items) all.push(item);
      if (format !== 'table' && format !== 'wide') return structured(all);
      if (all.length === 0) return void io.stderr.write(`${view.empty ?? 'There is none.'}\n`);
      const columns = view.columns.filter(({ wide }) => !wide || format === 'wide');
      const rows = all.map((item) => columns.map(({ value }) => shown(value(item))));
      const { tableOf } = await tables();
      await write(
        `${tableOf(
          columns.map(({ header }) => header),
          rows,
          { columns: io.columns, bold },
        )}\n`,
      );
    },
    async item(item, view) {
      if (format === 'name') return write(`${visible(view.name(item))}\n`);
      if (format !== 'table' && format !== 'wide') return structured(item);
      const fields =
        view.fields?.(item) ?? view.columns.map(({ header, value }) => [header, value(item)] as const);
      const pairs = fields.map(([label, value]) => [label, shown(value)] as const);
      const { pairsOf } = await tables();
      await write(`${pairsOf(pairs, { columns: io.columns, bold })}\n`);
    },
    value: structured,
    raw: write,
    async pieces(all) {
      const decoder = new TextDecoder();
      for await (const piece of all)
        await writeAll(
          io.stdout,
          io.columns === undefined ? piece : plain(decoder.decode(piece, { stream: true })),
        );
    },
  };
}

const shown = (value: Cell): string =>
  value === null || value === undefined || value === ''
    ? '-'
    : value === true
      ? 'yes'
      : value === false
        ? 'no'
        : `${value}`;

const compact = (value: unknown): string => visibleJson(JSON.stringify(value ?? null));
const asLines = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

async function select(value: unknown, query: string): Promise<unknown> {
  const { search } = await import('@jmespath-community/jmespath');
  try {
    return search(value as Parameters<typeof search>[0], query);
  } catch (error) {
    throw usageError(
      `--query: ${(error as Error).message}`,
      'https://jmespath.org shows how queries are written',
    );
  }
}

/** Waits where the reader is slow, so that a long list does not pile up in memory. */
async function writeAll(stream: NodeJS.WriteStream, text: string | Uint8Array): Promise<void> {
  if (text.length === 0 || stream.write(text)) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.once('drain', done).once('close', done);
  });
}
