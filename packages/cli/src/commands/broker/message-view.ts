import type { MessageJson } from '@sluice/streams';
import type { View } from '@sluice/terminal/output';
import { sizeOf } from './quantities.ts';

/** what of a payload a table shows */
const longestPreview = 120;

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
