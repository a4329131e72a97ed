import { textOfBytes, type StoredMessage } from '@sluice/streams';

/** What of a payload is kept for lists; the whole is read when it is asked for. Bytes. */
export const mostKept = 64 * 2 ** 10;

/** in place of values that were not asked for */
export const masked = '••••••';

export type PayloadForm = 'text' | 'json' | 'hex';

/** More of a payload is not drawn. Characters, or bytes in hex. */
const mostDrawn = { text: 16_384, hex: 2048 };

const lenient = new TextDecoder();

/** @returns undefined where the bytes are no text. What is cut may end within a character. */
export const textOf = ({ data, size }: Pick<StoredMessage, 'data' | 'size'>): string | undefined =>
  textOfBytes(data, size > data.length);

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
