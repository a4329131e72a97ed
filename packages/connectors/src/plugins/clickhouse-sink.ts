import { createHash } from 'node:crypto';
import { BatchSink, type Part } from '../batch-sink.ts';
import { httpFields, httpServer, laterError, type HttpResponse, type HttpServer } from '../http.ts';
import { documentOf, envelopeTextOf } from '../messages.ts';
import type { OutgoingMessage, PluginConfig, PluginContext, SinkPlugin } from '../plugin.ts';
import { halves } from '../progress.ts';
import { choice, field, optionalText, text } from '../schema.ts';

/**
 * Inserts messages as rows, by the HTTP interface. Where the table deduplicates inserts, a batch that comes again is left out.
 */
export const clickhouseSink: SinkPlugin = {
  type: 'sink',
  key: 'clickhouse',
  schema: [
    ...httpFields,
    field('database', 'string', 'Database', 'of the table; without it that of the user', {
      max: 200,
      pattern: '[A-Za-z0-9_.-]*',
    }),
    field('table', 'string', 'Table', 'which has to be there', {
      required: true,
      max: 200,
      pattern: '[A-Za-z0-9_.-]+',
    }),
    choice(
      'content',
      'Content',
      'the payload, which has to be a JSON object whose keys are columns, or columns for what is known of it: id, stream, topic, ' +
        'headers, published_at and payload',
      ['payload', 'envelope'],
    ),
    field(
      'id_column',
      'string',
      'Column of the id',
      'is filled with the id of the message besides its payload',
      {
        max: 200,
      },
    ),
    field(
      'skip_unknown',
      'bool',
      'Skip unknown fields',
      'or else a message with a key that is no column is refused',
      {
        default: false,
      },
    ),
  ],
  open: async (config, context) =>
    new ClickhouseSink(config, context, await httpServer(config, context.destinations)),
};

interface Row extends Part {
  line: string;
}

/** The server's defaults for its users may differ; servers before 21.11 and 22.2 do not know these settings. */
const newerSettings = ['async_insert', 'insert_deduplication_token'] as const;

/**
 * The errors of ClickHouse that are about a row: what cannot be parsed or converted, is out of range, violates a constraint. Others say
 * so by naming the row or the key.
 */
const refusals = new Set([
  ...[6, 25, 26, 27, 33, 38, 41, 69, 70, 72, 117, 128, 130, 131, 190, 321, 349, 376, 395, 407, 441, 467, 469],
  ...[675, 676, 691],
]);
const aboutRow = /\((?:at row \d+|while read(?:ing)? the value of key)/;
/** of rows that belong to more partitions than one insert may have; the same error has other reasons */
const tooManyPartitions = /partitions for single INSERT block/;

/** rows of a batch that are tried by themselves since the server names them */
const mostNamed = 20;

class ClickhouseSink extends BatchSink<Row, HttpServer> {
  readonly #context: PluginContext;
  #settings: ReadonlySet<string> | null = null;

  constructor(config: PluginConfig, context: PluginContext, server: HttpServer) {
    super(config, server);
    this.#context = context;
  }

  protected override async send(rows: readonly Row[], signal: AbortSignal): Promise<void> {
    this.#settings ??= await this.#knownSettings(signal);
    await this.#insert(rows, { left: mostNamed }, signal);
  }

  async #knownSettings(signal: AbortSignal): Promise<ReadonlySet<string>> {
    const names = newerSettings.map((name) => `'${name}'`).join(', ');
    const answer = await this.#post({}, `SELECT name FROM system.settings WHERE name IN (${names})`, signal);
    const known = new Set(answer.body.split('\n').filter((line) => line !== ''));
    if (answer.status !== 200 || [...known].some((name) => !newerSettings.some((one) => one === name)))
      throw laterError(this.server.responseExcerpt(answer), answer.headers);
    if (!known.has('insert_deduplication_token'))
      this.#context.log('warn', 'the server is older than 22.2: a batch that comes again is inserted again');
    return known;
  }

  protected override partOf(message: OutgoingMessage): Row | string {
    if (text(this.config, 'content') === 'envelope') return { message, line: envelopeTextOf(message) };
    const line = documentOf(message);
    const column = optionalText(this.config, 'id_column');
    if (line === undefined) return 'The payload is not a JSON object';
    if (column === null) return { message, line };
    const id = `${JSON.stringify(column)}:${JSON.stringify(message.id)}`;
    const rest = line.slice(1).trimStart();
    return { message, line: rest === '}' ? `{${id}}` : `{${id},${rest}` };
  }

  /** Inserts rows, all or none; those that the server refuses are found by what it says, or by halving. */
  async #insert(rows: readonly Row[], named: { left: number }, signal: AbortSignal): Promise<void> {
    const [only] = rows;
    if (!only) return;
    const answer = await this.#post(
      { query: this.#statement(), ...this.#settingsFor(rows) },
      rows.map(({ line }) => `${line}\n`).join(''),
      signal,
    );
    // an insert has no result: with one it is another server, or has failed after all
    if (answer.status === 200 && answer.body === '') return this.taken(rows);
    const isTooMany = tooManyPartitions.test(answer.body) && rows.length > 1;
    if (!isTooMany && !isRefusal(answer))
      throw laterError(this.server.responseExcerpt(answer), answer.headers);
    if (rows.length === 1) return this.progress.refused(only.message, this.server.responseExcerpt(answer));
    for (const part of partsOf(rows, answer, named)) await this.#insert(part, named, signal);
  }

  #statement(): string {
    const names = [optionalText(this.config, 'database'), text(this.config, 'table')];
    const table = names.flatMap((name) => (name === null ? [] : `\`${name}\``)).join('.');
    return `INSERT INTO ${table} FORMAT JSONEachRow`;
  }

  #settingsFor(rows: readonly Row[]): Record<string, string> {
    const ids = [this.#context.instanceKey, ...rows.map(({ message }) => message.id)];
    const newer: Record<(typeof newerSettings)[number], string> = {
      // an answer means that the rows are in the table
      async_insert: '0',
      insert_deduplication_token: createHash('sha256').update(JSON.stringify(ids)).digest('hex'),
    };
    return {
      ...Object.fromEntries(Object.entries(newer).filter(([name]) => this.#settings?.has(name))),
      // the status is that of the end
      wait_end_of_query: '1',
      date_time_input_format: 'best_effort',
      input_format_skip_unknown_fields: this.config['skip_unknown'] === true ? '1' : '0',
    };
  }

  async #post(parameters: Record<string, string>, body: string, signal: AbortSignal): Promise<HttpResponse> {
    const url = new URL(this.server.url);
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return await this.server.sendRequest({ method: 'POST', url, body, signal });
  }
}

function isRefusal({ status, body }: HttpResponse): boolean {
  const [, code] = /^Code: (\d+)/.exec(body) ?? [];
  return status >= 400 && code !== undefined && (refusals.has(Number(code)) || aboutRow.test(body));
}

/** What is tried next: the row that the server names and the others, so that these stay one insert; or halves. */
function partsOf(rows: readonly Row[], { body }: HttpResponse, named: { left: number }): (readonly Row[])[] {
  const place = Number(/at row (\d+)/.exec(body)?.[1] ?? 0) - 1;
  const row = rows[place];
  if (!row || named.left <= 0) return halves(rows);
  named.left--;
  return [[row], rows.filter((one) => one !== row)];
}
