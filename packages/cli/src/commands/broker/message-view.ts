import type { View } from '@sluice/terminal/output';
import { sizeOf } from './quantities.ts';
import type { StoredMessage } from '@sluice/streams';

/** A message as JSON has it: text as it is, other bytes in base64. */
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

/** what of a payload a table shows */
const longestPreview = 120;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function messageJson({
  sequence,
  time,
  subject,
  reply,
  headers,
  data,
}: Omit<StoredMessage, 'sequence' | 'size'> & { sequence?: number; reply?: string }): MessageJson {
  const text = textOf(data);
  return {
    ...(sequence !== undefined && { sequence }),
    ...{ time, subject },
    ...(reply !== undefined && { reply }),
    ...(Object.keys(headers).length > 0 && { headers }),
    size: data.length,
    ...(text === undefined ? { data_base64: Buffer.from(data).toString('base64') } : { data: text }),
  };
}

/** @returns undefined where the bytes are no text */
function textOf(data: Uint8Array): string | undefined {
  try {
    return decoder.decode(data);
  } catch {
    return undefined;
  }
}

/** Lines of headers, as they are sent. */
export const headerLines = ({ headers = {} }: MessageJson): string[] =>
  Object.entries(headers).flatMap(([name, values]) => values.map((value) => `${name}: ${value}`));

/** What people see of a payload. */
export const payloadOf = ({ data, data_base64 }: MessageJson): string => data ?? `base64 ${data_base64}`;

function previewOf(message: MessageJson): string {
  const text = payloadOf(message);
  return text.length > longestPreview ? `${text.slice(0, longestPreview)}…` : text;
}

export const messageView: View<MessageJson> = {
  name: ({ sequence }) => String(sequence),
  empty: 'There is no such message.',
  columns: [
    { header: 'SEQUENCE', value: ({ sequence }) => sequence },
    { header: 'TIME', value: ({ time }) => time },
    { header: 'SUBJECT', value: ({ subject }) => subject },
    { header: 'SIZE', value: ({ size }) => sizeOf(size) },
    { header: 'DATA', value: previewOf },
    { header: 'HEADERS', value: (message) => headerLines(message).join(', '), wide: true },
  ],
  fields: (message) => [
    ['Sequence', message.sequence],
    ['Time', message.time],
    ['Subject', message.subject],
    ['Size', sizeOf(message.size)],
    ...headerLines(message).map((line) => ['Header', line] as const),
    ['Data', payloadOf(message)],
  ],
};

/** The same with as much of the payload as a table shows: a table is held in memory. */
export function previewed(message: MessageJson): MessageJson {
  const shown: MessageJson = { ...message, data: previewOf(message) };
  delete shown.data_base64;
  return shown;
}
