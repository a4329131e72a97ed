import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { digitsOf, parseExactly, valueAt } from '../exact-json.ts';
import { httpFields, httpServer, laterError, type HttpResponse, type HttpServer } from '../http.ts';
import { ConfigRefused, type IncomingRecord, type PluginConfig } from '../plugin.ts';
import type { Source, SourceBatch, SourcePlugin } from '../plugin.ts';
import { field, number, optionalText } from '../schema.ts';

const fieldPath = '(?:[^./~]{1,100}(?:\\.[^./~]{1,100}){0,9})?';

/**
 * Asks a web address for messages, again and again: for an array of JSON, or for lines of it. With a cursor it asks for what is behind
 * the item that it had last. Items that were in the answer before are left out.
 */
export const httpSource: SourcePlugin = {
  type: 'source',
  key: 'http',
  schema: [
    ...httpFields,
    field(
      'items',
      'string',
      'Items',
      'where the array is in the answer, such as data.items; empty for the answer itself',
      {
        pattern: fieldPath,
      },
    ),
    field(
      'id',
      'string',
      'Id',
      'the field of an item that names it; without it items are the same that are equal',
      {
        pattern: fieldPath,
      },
    ),
    field(
      'cursor',
      'string',
      'Cursor',
      'the field of an item behind which to go on, such as id or created_at',
      {
        pattern: fieldPath,
      },
    ),
    field(
      'cursor_parameter',
      'string',
      'Parameter of the cursor',
      'of the address, in which the cursor is sent',
      {
        max: 100,
        pattern: '[A-Za-z0-9_.\\[\\]-]*',
      },
    ),
    field('interval', 'duration', 'Interval', 'between requests while there is nothing new', {
      default: '10s',
      min: 100,
      max: 86_400_000,
    }),
    field('max_answer', 'size', 'Largest answer', 'a larger one stops the source', {
      default: 4_194_304,
      min: 1_024,
      max: 33_554_432,
    }),
  ],
  async open(config, { destinations }, position) {
    const hasCursor = optionalText(config, 'cursor') !== null;
    if (hasCursor !== (optionalText(config, 'cursor_parameter') !== null))
      throw new ConfigRefused('cursor and cursor_parameter go together');
    return new HttpSource(config, await httpServer(config, destinations), readPosition(position));
  },
};

/** Where to go on, and what the answer before had in it. */
interface Position {
  cursor: string | null;
  etag: string | null;
  /** the last items of the answer that was taken last, each by eleven characters */
  had: string;
}

const beginning: Position = { cursor: null, etag: null, had: '' };

function readPosition(position: string | null): Position {
  return position === null ? beginning : (JSON.parse(position) as Position);
}

const mostRemembered = 250;
const mostItems = 10_000;

class HttpSource implements Source {
  readonly #config: PluginConfig;
  readonly #server: HttpServer;
  #position: Position;

  constructor(config: PluginConfig, server: HttpServer, position: Position) {
    this.#config = config;
    this.#server = server;
    this.#position = position;
  }

  async read(signal: AbortSignal): Promise<SourceBatch> {
    for (;;) {
      const answer = await this.#ask(signal);
      const batch = answer && this.#batchOf(answer);
      if (batch) return batch;
      await delay(number(this.#config, 'interval'), undefined, { signal });
    }
  }

  async close(): Promise<void> {
    await this.#server.close();
  }

  async #ask(signal: AbortSignal): Promise<HttpResponse | null> {
    const url = new URL(this.#server.url);
    const parameter = optionalText(this.#config, 'cursor_parameter');
    const { cursor, etag } = this.#position;
    if (parameter !== null && cursor !== null) url.searchParams.set(parameter, cursor);
    const answer = await this.#server.sendRequest({
      method: 'GET',
      url,
      headers: {
        accept: 'application/json, application/x-ndjson',
        ...(etag !== null && { 'if-none-match': etag }),
      },
      signal: AbortSignal.any([signal, AbortSignal.timeout(60_000)]),
      mostBytes: number(this.#config, 'max_answer'),
    });
    const { status, headers, isCut } = answer;
    if (status === 204 || status === 304) return null;
    if (status !== 200) throw laterError(this.#server.responseExcerpt(answer), headers);
    if (isCut)
      throw new ConfigRefused(`The answer is larger than ${number(this.#config, 'max_answer')} bytes`);
    return answer;
  }

  #batchOf({ body, headers }: HttpResponse): SourceBatch | null {
    const items = itemsOf(body, optionalText(this.#config, 'items'));
    if (items.length > mostItems) throw new ConfigRefused(`The answer has more than ${mostItems} items`);
    const records = items.map((item) => this.#recordOf(item));
    const had = new Set(this.#position.had.match(/.{11}/g));
    const news = records.filter((record) => !had.has(shortOf(record)));
    if (news.length === 0) return null;
    const cursor = this.#cursorOf(items);
    if (cursor === null && records.length > mostRemembered)
      throw new ConfigRefused(`Without a cursor an answer may have ${mostRemembered} items`);
    const { etag } = headers;
    const next = {
      cursor,
      // with a cursor the next address is another
      etag: cursor === null && typeof etag === 'string' && etag.length < 200 ? etag : null,
      had: records.slice(-mostRemembered).map(shortOf).join(''),
    };
    const position = JSON.stringify(next);
    if (position.length > 4_000) throw new ConfigRefused('A cursor is too long to be remembered');
    this.#position = next;
    return { records: news, position };
  }

  #cursorOf(items: readonly unknown[]): string | null {
    const path = optionalText(this.#config, 'cursor');
    if (path === null) return null;
    const cursor = scalar(at(items.at(-1), path));
    if (cursor === null) throw new Error(`The last item has no ${path} that could be a cursor`);
    return cursor;
  }

  #recordOf(item: unknown): IncomingRecord {
    const written = JSON.stringify(item);
    const path = optionalText(this.#config, 'id');
    const id = path === null ? null : scalar(at(item, path));
    if (path !== null && id === null) throw new Error(`An item has no ${path} that could be its id`);
    const isName = id !== null && /^[\x21-\x7e]{1,200}$/.test(id);
    return {
      id: isName ? id : sha256(id ?? written),
      payload: Buffer.from(written),
      headers: { 'content-type': 'application/json' },
    };
  }
}

const sha256 = (value: string) => createHash('sha256').update(value).digest('hex');
const shortOf = ({ id }: IncomingRecord) => createHash('sha256').update(id).digest('base64url').slice(0, 11);

/** An array, whole or at `path`; or lines of JSON. */
function itemsOf(body: string, path: string | null): unknown[] {
  const whole = parsed(body);
  if (whole === undefined) {
    const lines = body.split('\n').filter((line) => line.trim() !== '');
    const items = lines.map(parsed);
    if (path !== null || items.includes(undefined))
      throw new Error('The answer is neither JSON nor lines of it');
    return items;
  }
  const found = path === null ? whole : at(whole, path);
  if (Array.isArray(found)) return found;
  if (path === null && found !== null) return [found];
  throw new Error(path === null ? 'The answer is empty' : `The answer has no array at ${path}`);
}

function parsed(written: string): unknown {
  try {
    return parseExactly(written);
  } catch {
    return undefined;
  }
}

const at = (value: unknown, path: string) => valueAt(value, path.split('.'));

const scalar = (value: unknown): string | null =>
  digitsOf(value) ?? (typeof value === 'string' && value !== '' ? value : null);
