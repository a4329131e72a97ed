import { isJson, textOf } from './messages.ts';
import type { SqlValue } from './mysql.ts';
import type { OutgoingMessage } from './plugin.ts';

/** What a column takes, as far as a value is written in another way for it. */
export type ColumnKind = 'json' | 'time' | 'bits' | 'number' | 'other';

const numbers = ['tinyint', 'smallint', 'mediumint', 'int', 'bigint', 'decimal', 'float', 'double'];

/** @param type as information_schema has it */
export function kindOf(type: string, isJsonColumn: boolean): ColumnKind {
  if (isJsonColumn || type === 'json') return 'json';
  if (type === 'datetime' || type === 'timestamp') return 'time';
  if (type === 'bit') return 'bits';
  return numbers.includes(type) ? 'number' : 'other';
}

/** A number as it was written: `JSON.parse` would round it. */
interface WrittenNumber {
  rawJSON: string;
}

/** What the language has beside its types: numbers of JSON as they are written. */
const json = JSON as unknown as {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): WrittenNumber;
  isRawJSON(value: unknown): value is WrittenNumber;
};

/** JSON whose numbers keep their digits. @throws RangeError for what is nested too deep */
function exactJson(text: string): unknown {
  return json.parse(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined ? json.rawJSON(source) : value,
  );
}

/** The sources that a column can be filled with, but for values in payloads: they are below `payload`. */
export const sources = ['id', 'stream', 'topic', 'headers', 'published_at', 'payload', 'payload_bytes'];

/** What a message has for columns. Reading it fails for a payload that is not text, where it is asked for. */
export class MessageValues {
  readonly #message: OutgoingMessage;
  #payload: { value: unknown } | undefined;

  constructor(message: OutgoingMessage) {
    this.#message = message;
  }

  /** The value for a column. @throws RangeError for a payload that is nested too deep */
  at([source = '', ...path]: readonly string[], kind: ColumnKind): SqlValue {
    const { payload, published_at, headers } = this.#message;
    if (source === 'payload_bytes') return payload;
    if (source === 'published_at') return written(published_at.toISOString(), kind);
    if (source === 'headers') return written(headers, kind);
    if (source !== 'payload') return written(this.#message[source as 'id' | 'stream' | 'topic'], kind);
    // as it was written, whatever its digits
    if (path.length === 0 && kind === 'json' && isJson(this.#message)) {
      const text = textOf(this.#message) ?? '';
      return text.trim() === 'null' ? null : text;
    }
    return written(this.#below(path), kind);
  }

  #below(path: readonly string[]): unknown {
    const text = textOf(this.#message) ?? '';
    this.#payload ??= { value: isJson(this.#message) ? exactJson(text) : text };
    let value = this.#payload.value;
    for (const name of path) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null;
      value = (value as Record<string, unknown>)[name];
    }
    return value;
  }
}

/** A value of JSON as a column of this kind takes it. */
function written(value: unknown, kind: ColumnKind): SqlValue {
  if (value === null || value === undefined) return null;
  if (kind === 'json') return JSON.stringify(value);
  if (typeof value === 'string') return kind === 'time' ? inUtc(value) : value;
  if (typeof value === 'boolean') return kind === 'other' ? String(value) : Number(value);
  if (!json.isRawJSON(value)) return JSON.stringify(value);
  // a text would be taken for the bits of its characters
  return kind === 'bits' ? Number(value.rawJSON) : value.rawJSON;
}

const isoTime = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(\d\d)(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** A time of ISO 8601 as the server reads it, in UTC; anything else as it is. */
function inUtc(text: string): string {
  const [, minutes, seconds = '00', fraction = '', zone] = isoTime.exec(text) ?? [];
  const time = new Date(`${minutes}:${seconds}${zone}`);
  if (minutes === undefined || Number.isNaN(time.getTime())) return text;
  return `${time.toISOString().slice(0, 19).replace('T', ' ')}${fraction}`;
}
