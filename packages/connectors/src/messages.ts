import { parseExactly } from './exact-json.ts';
import type { OutgoingMessage } from './plugin.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function jsonOf({ payload }: OutgoingMessage): unknown {
  try {
    return JSON.parse(utf8.decode(payload)) as unknown;
  } catch {
    return undefined;
  }
}

export function exactJsonOf({ payload }: OutgoingMessage): unknown {
  try {
    return parseExactly(utf8.decode(payload));
  } catch {
    return undefined;
  }
}

export const isJson = (message: OutgoingMessage) => jsonOf(message) !== undefined;

/** The payload as JSON in one line; undefined if it is none. Each number keeps its digits. */
export function jsonTextOf(message: OutgoingMessage): string | undefined {
  if (!isJson(message)) return undefined;
  // within a text of JSON an end of line is written as \n
  return textOf(message)
    ?.replace(/[\r\n]+/g, ' ')
    .trim();
}

/** The text of a payload that is a JSON object, in one line; undefined for any other. */
export function documentOf(message: OutgoingMessage): string | undefined {
  const line = jsonTextOf(message);
  return line?.startsWith('{') ? line : undefined;
}

export function textOf({ payload }: OutgoingMessage): string | undefined {
  try {
    return utf8.decode(payload);
  } catch {
    return undefined;
  }
}

/**
 * A message with all that is known of it, as JSON: `payload` is its value where it is JSON, else its text; bytes that are no text
 * stand as `payload_base64`.
 */
export function envelopeOf(message: OutgoingMessage): { id: string; [known: string]: unknown } {
  const { id, stream, topic, headers, published_at } = message;
  const about = { id, stream, topic, headers, published_at: published_at.toISOString() };
  const json = jsonOf(message);
  const payload = json === undefined ? textOf(message) : json;
  if (payload !== undefined) return { ...about, payload };
  return { ...about, payload_base64: Buffer.from(message.payload).toString('base64') };
}

/** `envelopeOf` as one line of JSON in which each number of the payload stands as it was written. */
export function envelopeTextOf(message: OutgoingMessage): string {
  const payload = jsonTextOf(message);
  if (payload === undefined) return JSON.stringify(envelopeOf(message));
  const { id, stream, topic, headers, published_at } = message;
  return `${JSON.stringify({ id, stream, topic, headers, published_at }).slice(0, -1)},"payload":${payload}}`;
}

/**
 * A name that depends on the message: {stream}, {topic}, and of the time in UTC at which the broker took it {yyyy}, {mm}, {dd} and
 * {hh}. What is not a letter, a digit or one of `.-_` in a stream or topic becomes `_`.
 */
export function filledIn(template: string, { stream, topic, published_at }: OutgoingMessage): string {
  const [yyyy = '', mm = '', dd = '', hh = ''] = published_at.toISOString().split(/[-T:]/);
  const safe = (name: string) => name.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 100);
  const values: Record<string, string> = { stream: safe(stream), topic: safe(topic), yyyy, mm, dd, hh };
  return template.replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all);
}

/** Headers are compared without regard to upper case. */
export function headerOf({ headers }: OutgoingMessage, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return Object.entries(headers).find(([key]) => key.toLowerCase() === wanted)?.[1];
}

export const isLine = (value: string) => !/\p{Cc}/u.test(value);

/**
 * The headers that a message of the broker can have. It takes names that begin with nats- as instructions; those that begin with
 * `reserved` are the source's own.
 */
export function brokerHeaders(
  headers: Iterable<readonly [name: string, value: string]>,
  reserved: string,
): Record<string, string> {
  const isName = (name: string) => /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}$/.test(name);
  const isReserved = (name: string) => new RegExp(`^(nats|${reserved})-|^__proto__$`, 'i').test(name);
  return Object.fromEntries(
    [...headers].filter(([name, value]) => isName(name) && !isReserved(name) && isLine(value)),
  );
}

/** the placeholders of `filledIn`, and no other brace */
export const templatePattern = (characters: string) =>
  `(?:${characters}|\\{(?:stream|topic|yyyy|mm|dd|hh)\\})+`;

/**
 * A destination's words as a reason for people: one line of at most 300 characters in which `secrets` are masked, since some servers
 * answer with what they were sent.
 */
export function excerptOf(destination: string, secrets: readonly (string | null)[]): string {
  // shorter ones would mask half of any sentence
  const known = secrets.filter((secret): secret is string => secret !== null && secret.length >= 4);
  const masked = known.reduce((text, secret) => text.replaceAll(secret, '***'), destination);
  const line = masked.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}
