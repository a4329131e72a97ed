import { digitsOf, parseExactly, valueAt } from './exact-json.ts';
import { isJson, textOf } from './messages.ts';
import type { SqlValue } from './mysql.ts';
import type { OutgoingMessage } from './plugin.ts';
import type { Column } from './sql-columns.ts';

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

/** The values of a message for columns. A payload that is not text fails where a column needs it. */
export class MessageValues {
  readonly #message: OutgoingMessage;
  #payload: { value: unknown } | undefined;

  constructor(message: OutgoingMessage) {
    this.#message = message;
  }

  /** @throws RangeError for a payload that is nested too deep */
  of({ source, path }: Column, kind: ColumnKind): SqlValue {
    const { payload, published_at } = this.#message;
    if (source === 'payload_bytes') return payload;
    if (source === 'published_at') return written(published_at.toISOString(), kind);
    if (source !== 'payload') return written(this.#message[source], kind);
    // as it was written, with all its digits
    if (path.length === 0 && kind === 'json' && isJson(this.#message)) {
      const text = textOf(this.#message) ?? '';
      return text.trim() === 'null' ? null : text;
    }
    const text = textOf(this.#message) ?? '';
    this.#payload ??= { value: isJson(this.#message) ? parseExactly(text) : text };
    return written(valueAt(this.#payload.value, path), kind);
  }
}

function written(value: unknown, kind: ColumnKind): SqlValue {
  if (value === null || value === undefined) return null;
  if (kind === 'json') return JSON.stringify(value);
  if (typeof value === 'string') return kind === 'time' ? inUtc(value) : value;
  if (typeof value === 'boolean') return kind === 'other' ? String(value) : Number(value);
  const digits = digitsOf(value);
  if (digits === undefined) return JSON.stringify(value);
  // a text would be taken for the bits of its characters
  return kind === 'bits' ? Number(digits) : digits;
}

const isoTime = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(\d\d)(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** A time of ISO 8601 as the server reads it, in UTC; anything else as it is. */
function inUtc(text: string): string {
  const [, minutes, seconds = '00', fraction = '', zone] = isoTime.exec(text) ?? [];
  const time = new Date(`${minutes}:${seconds}${zone}`);
  if (minutes === undefined || Number.isNaN(time.getTime())) return text;
  return `${time.toISOString().slice(0, 19).replace('T', ' ')}${fraction}`;
}
