import { digitsOf, valueAt as jsonValueAt } from './exact-json.ts';
import { exactJsonOf, filledIn, headerOf } from './messages.ts';
import { ConfigRefused, type OutgoingMessage, type PluginConfig } from './plugin.ts';
import { list, optionalText, text } from './schema.ts';

type Escape = typeof import('@influxdata/influxdb-client').escape;

interface Mapping {
  name: string;
  path: Path;
}
/** `stream`, `topic`, `id`, or a name behind `headers` or `payload` */
type Path = readonly [string, ...string[]];

/** The message can be no point. The text is for people. */
export class NoPoint extends Error {}

export class LineProtocol {
  readonly #config: PluginConfig;
  readonly #escape: Escape;
  readonly #tags: readonly Mapping[];
  readonly #fields: readonly Mapping[];
  readonly #integers: ReadonlySet<string>;
  readonly #time: Path | null;

  constructor(config: PluginConfig, escape: Escape) {
    this.#config = config;
    this.#escape = escape;
    this.#tags = list(config, 'tags').map((line) => readMapping('tags', line));
    this.#fields = list(config, 'fields').map((line) => readMapping('fields', line));
    this.#integers = new Set(list(config, 'integers'));
    const time = optionalText(config, 'timestamp');
    this.#time = time === null ? null : readPath('timestamp', time);
  }

  lineOf(message: OutgoingMessage): string {
    const payload = exactJsonOf(message);
    const tags = this.#tags.flatMap(({ name, path }) => this.#tagOf(name, valueAt(message, payload, path)));
    const fields = this.#valuesOf(message, payload).flatMap(([name, value]) => this.#fieldOf(name, value));
    if (fields.length === 0) throw new NoPoint('It has no field that is a number, a text or a truth value');
    const measurement = requireEnd(filledIn(text(this.#config, 'measurement'), message));
    const series = [this.#escape.measurement(measurement), ...tags].join(',');
    return `${series} ${fields.join(',')} ${this.#timeOf(message, payload)}`;
  }

  /** The fields that are configured, or else what the payload has besides tags and time. */
  #valuesOf(message: OutgoingMessage, payload: unknown): [string, unknown][] {
    if (this.#fields.length > 0)
      return this.#fields.map(({ name, path }) => [name, valueAt(message, payload, path)]);
    if (!isObject(payload)) return [];
    const used = [...this.#tags.map(({ path }) => path), this.#time];
    const others = new Set(
      used.map((path) => (path?.length === 2 && path[0] === 'payload' ? path[1] : null)),
    );
    return Object.entries(payload).filter(([name]) => !others.has(name));
  }

  #tagOf(name: string, value: unknown): string[] {
    const written = digitsOf(value) ?? value;
    // a tag has to have a value
    if (written === '' || !['string', 'boolean'].includes(typeof written)) return [];
    return [`${this.#escape.tag(name)}=${this.#escape.tag(requireEnd(String(written)))}`];
  }

  #fieldOf(name: string, value: unknown): string[] {
    const key = () => this.#escape.tag(requireEnd(name));
    if (typeof value === 'boolean') return [`${key()}=${value}`];
    if (typeof value === 'string') return [`${key()}=${this.#escape.quoted(value)}`];
    const digits = digitsOf(value);
    if (digits === undefined) return [];
    return [`${key()}=${this.#integers.has(name) ? `${integerOf(name, digits)}i` : digits}`];
  }

  /** in nanoseconds */
  #timeOf(message: OutgoingMessage, payload: unknown): bigint {
    if (this.#time === null) return message.published_ns;
    const value = valueAt(message, payload, this.#time);
    const digits = digitsOf(value);
    const written = typeof value === 'string' ? readTime(value) : null;
    const time =
      digits === undefined ? written : scaled(digits, zerosOf[text(this.#config, 'timestamp_unit')] ?? 0);
    if (time === null) throw new NoPoint(`It has no time at ${this.#time.join('.')}`);
    return time;
  }
}

const zerosOf: Readonly<Record<string, number>> = { s: 9, ms: 6, us: 3, ns: 0 };

/** A number with `digits` places more; what is less than one is left out. Null for one in another form. */
function scaled(written: string, digits: number): bigint | null {
  const [, sign, whole, fraction = ''] = /^(-?)(\d{1,20})(?:\.(\d+))?$/.exec(written) ?? [];
  if (whole === undefined) return null;
  const value = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  return sign === '-' ? -value : value;
}

function readTime(written: string): bigint | null {
  const pattern = /^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)$/;
  const [, seconds, fraction = '', zone] = pattern.exec(written) ?? [];
  if (seconds === undefined || zone === undefined) return null;
  const milliseconds = Date.parse(`${seconds.replace(/[t ]/, 'T')}${zone.toUpperCase()}`);
  if (Number.isNaN(milliseconds)) return null;
  return BigInt(milliseconds) * 1_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'));
}

function integerOf(name: string, digits: string): string {
  if (/^-?\d+$/.test(digits)) return digits;
  const value = Number(digits);
  if (!Number.isSafeInteger(value)) throw new NoPoint(`${name} is no integer`);
  return String(value);
}

/** A backslash there would take in what is behind it. */
function requireEnd(name: string): string {
  if (name.endsWith('\\'))
    throw new NoPoint('A tag or a name ends with a backslash, which InfluxDB cannot have');
  return name;
}

function readMapping(key: string, line: string): Mapping {
  const [, name = '', source = ''] = /^([^=]+)=(.+)$/.exec(line) ?? [];
  if (name.trim() === '') throw new ConfigRefused(`${key}: ${line} is not "name=source"`);
  return { name: name.trim(), path: readPath(key, source.trim()) };
}

function readPath(key: string, source: string): Path {
  const [first = '', ...names] = source.split('.');
  const isPlain = ['id', 'stream', 'topic'].includes(first) && names.length === 0;
  if (isPlain) return [first];
  if (first === 'headers' && names.length > 0) return [first, names.join('.')];
  if (first === 'payload' && names.length > 0 && !names.includes('')) return [first, ...names];
  throw new ConfigRefused(`${key}: ${source} is no source`);
}

function valueAt(message: OutgoingMessage, payload: unknown, [first, ...names]: Path): unknown {
  if (first === 'payload') return jsonValueAt(payload, names);
  if (first === 'headers') return headerOf(message, names[0] ?? '');
  return message[first as 'id' | 'stream' | 'topic'];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
