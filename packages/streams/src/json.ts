import type { StoredMessage } from './stored.ts';

/** A message as JSON has it, in lists and exports: text as it is, other bytes in base64. */
export interface MessageJson {
  sequence?: number;
  time: string;
  subject: string;
  reply?: string;
  headers?: Record<string, string[]>;
  /** bytes of the payload */
  size: number;
  data?: string;
  data_base64?: string;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * @param isCut whether bytes are missing at the end, which may be within a character
 * @returns undefined where the bytes are no text
 */
export function textOfBytes(data: Uint8Array, isCut = false): string | undefined {
  try {
    // a decoder that streams keeps the beginning of a character for the next bytes
    const decoder = isCut ? new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }) : strict;
    return decoder.decode(data, { stream: isCut });
  } catch {
    return undefined;
  }
}

/** The order of its members is that of exports. */
export function messageJson({
  sequence,
  time,
  subject,
  reply,
  headers,
  data,
}: Omit<StoredMessage, 'sequence' | 'size'> & { sequence?: number; reply?: string }): MessageJson {
  const text = textOfBytes(data);
  return {
    ...(sequence !== undefined && { sequence }),
    ...{ time, subject },
    ...(reply !== undefined && { reply }),
    ...(Object.keys(headers).length > 0 && { headers }),
    size: data.length,
    ...(text === undefined ? { data_base64: base64Of(data) } : { data: text }),
  };
}

/** a multiple of three, so that base64 of the parts is base64 of the whole */
const partLength = 3 * 2 ** 12;

/** In browsers as in Node. Those that can do it themselves are quicker: 8 MiB would hold up a page. */
function base64Of(data: Uint8Array & { toBase64?: () => string }): string {
  if (data.toBase64) return data.toBase64();
  const parts: string[] = [];
  for (let at = 0; at < data.length; at += partLength)
    parts.push(btoa(String.fromCharCode(...data.subarray(at, at + partLength))));
  return parts.join('');
}
