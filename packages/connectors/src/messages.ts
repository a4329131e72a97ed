import type { OutgoingMessage } from './plugin.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The payload as JSON; undefined if it is none. */
export function jsonOf({ payload }: OutgoingMessage): unknown {
  try {
    return JSON.parse(utf8.decode(payload)) as unknown;
  } catch {
    return undefined;
  }
}

/** The payload as text; undefined for bytes that are none. */
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
export function envelopeOf(message: OutgoingMessage): Record<string, unknown> {
  const { id, stream, topic, headers, published_at } = message;
  const about = { id, stream, topic, headers, published_at: published_at.toISOString() };
  const json = jsonOf(message);
  const payload = json === undefined ? textOf(message) : json;
  if (payload !== undefined) return { ...about, payload };
  return { ...about, payload_base64: Buffer.from(message.payload).toString('base64') };
}

/**
 * What a destination has said, fit for a reason that people read: one line of at most 300 characters in which `secrets` are masked,
 * since some servers answer with what they were sent.
 */
export function toldBy(destination: string, secrets: readonly (string | null)[]): string {
  // shorter ones would mask half of any sentence
  const known = secrets.filter((secret): secret is string => secret !== null && secret.length >= 4);
  const masked = known.reduce((told, secret) => told.replaceAll(secret, '***'), destination);
  const line = masked.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}
