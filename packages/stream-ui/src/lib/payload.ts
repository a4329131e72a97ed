import type { StoredMessage } from '@sluice/streams';

/** What of a payload is kept for lists; the whole is read when it is asked for. Bytes. */
export const mostKept = 64 * 2 ** 10;

/** in place of values that were not asked for */
export const masked = '••••••';

export type PayloadForm = 'text' | 'json' | 'hex';

/** More of a payload is not drawn. Characters, or bytes in hex. */
const mostDrawn = { text: 16_384, hex: 2048 };

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder();

/** @returns undefined where the bytes are no text. What is cut may end within a character. */
export function textOf({ data, size }: Pick<StoredMessage, 'data' | 'size'>): string | undefined {
  const isCut = size > data.length;
  try {
    return strict.decode(data, { stream: isCut });
  } catch {
    return undefined;
  } finally {
    // forgets the beginning of a character that was cut
    if (isCut) tryEnd();
  }
}

function tryEnd(): void {
  try {
    strict.decode();
  } catch {
    // it was cut within a character
  }
}

/** The payload as JSON; undefined where it is none, or is cut. */
export function jsonOf(message: Pick<StoredMessage, 'data' | 'size'>): unknown {
  if (message.size > message.data.length) return undefined;
  const text = textOf(message);
  if (text === undefined || !/^\s*[[{"\dtfn-]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The form in which a payload is best read. */
export function formOf(message: Pick<StoredMessage, 'data' | 'size'>): PayloadForm {
  if (jsonOf(message) !== undefined) return 'json';
  return textOf(message) === undefined ? 'hex' : 'text';
}

export interface Drawn {
  text: string;
  /** whether there is more than is drawn */
  isCut: boolean;
}

/** A payload as it is drawn. */
export function drawn(message: Pick<StoredMessage, 'data' | 'size'>, form: PayloadForm): Drawn {
  const { data, size } = message;
  if (form === 'hex') return { text: hexOf(data.subarray(0, mostDrawn.hex)), isCut: size > mostDrawn.hex };
  const json = form === 'json' ? jsonOf(message) : undefined;
  const text = json === undefined ? lenient.decode(data) : JSON.stringify(json, null, 2);
  return {
    text: text.slice(0, mostDrawn.text),
    isCut: text.length > mostDrawn.text || size > data.length,
  };
}

/** Sixteen bytes a line: offset, bytes, and what is printable of them. */
export function hexOf(data: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < data.length; at += 16) {
    const row = [...data.subarray(at, at + 16)];
    const bytes = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const text = row.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${at.toString(16).padStart(8, '0')}  ${bytes.padEnd(47)}  ${text}`);
  }
  return lines.join('\n');
}

/** A line of NDJSON: text as it is, other bytes in base64. */
export function ndjsonLine(message: StoredMessage): string {
  const { sequence, time, subject, headers, size, data } = message;
  const text = textOf(message);
  return `${JSON.stringify({
    sequence,
    time,
    subject,
    ...(Object.keys(headers).length > 0 && { headers }),
    size,
    ...(text === undefined ? { data_base64: base64(data) } : { data: text }),
    ...(size > data.length && { is_cut: true }),
  })}\n`;
}

function base64(data: Uint8Array): string {
  let text = '';
  for (let at = 0; at < data.length; at += 8192) text += String.fromCharCode(...data.subarray(at, at + 8192));
  return btoa(text);
}
