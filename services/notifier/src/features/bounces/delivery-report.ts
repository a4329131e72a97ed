import PostalMime from 'postal-mime';
import { oneLine } from '../../wording.ts';

/** far above what reports are made of, some parts beside each other */
const deepestNesting = 8;
/** of a report's fields, in bytes: those of one mail to one recipient */
const mostFields = 16 * 1024;
/** of the reason of a failure, in characters */
const most = { diagnostic: 300, recipient: 120 };

/** the type of the fields, and that of addresses beyond ASCII (RFC 6533) */
const statusTypes = ['message/delivery-status', 'message/global-delivery-status'];

/**
 * Reads the report of a mail server about a mail (RFC 3464), and nothing else: what people or programs answer to a mail is none.
 * @returns why the mail was not delivered, for people, where the server has given up; undefined when it says anything else
 * @throws Error when it is not to be read
 */
export async function failureIn(raw: Buffer): Promise<string | undefined> {
  // the mail itself, which may hold secrets, is not looked at
  const mail = await PostalMime.parse(raw, { maxNestingDepth: deepestNesting, maxRfc822NestingDepth: 0 });
  const type = mail.headers.find(({ key }) => key === 'content-type')?.value ?? '';
  if (
    !/^\s*multipart\/report\b/i.test(type) ||
    !/report-type\s*=\s*"?(global-)?delivery-status\b/i.test(type)
  )
    return undefined;
  const part = mail.attachments.find(({ mimeType }) => statusTypes.includes(mimeType));
  if (!part) return undefined;
  const failed = groupsOf(textOf(part.content)).find(isFailure);
  return failed && reasonOf(failed);
}

type Fields = ReadonlyMap<string, string>;

/** A server that says `failed` has given up, also where it had hoped for a while (a status of 4.x.x); with `delayed` it has not. */
function isFailure(fields: Fields): boolean {
  return /^failed\b/i.test(fields.get('action') ?? '') && !/^2\./.test(fields.get('status') ?? '');
}

function reasonOf(fields: Fields): string {
  const status = /^[45]\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '')?.[0];
  const diagnostic = excerpt(fields.get('diagnostic-code'), most.diagnostic, withoutQuotes);
  const recipient = excerpt(fields.get('final-recipient'), most.recipient);
  const words = [diagnostic && !diagnostic.includes(status ?? '') ? status : undefined, diagnostic ?? status];
  const why = words.filter((word) => word !== undefined).join(' ') || 'without a reason';
  return `it came back, ${why}${recipient ? ` (${recipient})` : ''}`;
}

/** The text of a field behind its type (`smtp; 550 …`), as one line. */
function excerpt(
  field: string | undefined,
  length: number,
  less = (text: string) => text,
): string | undefined {
  const text = less(oneLine((field ?? '').replace(/^[\w-]{1,40}\s*;/, '')));
  return text === '' ? undefined : text.slice(0, length).toWellFormed();
}

/** A server may quote in its words the mail that it did not take: links, codes and return paths are left out. */
const withoutQuotes = (text: string) =>
  text
    .replaceAll(/\bhttps?:\S+/gi, '…')
    .replaceAll(/\+[a-z2-7]{53}\b/gi, '+…')
    .replaceAll(/\d{6,}/g, '…');

function textOf(content: ArrayBuffer | Uint8Array | string): string {
  return typeof content === 'string' ? content : new TextDecoder().decode(content.slice(0, mostFields));
}

/** Groups of fields, one of the report and one for each recipient, between empty lines; a line that begins with a space goes on with the one before. */
function groupsOf(text: string): Fields[] {
  const lines = text.replaceAll(/\r?\n[ \t]+(?=\S)/g, ' ').split(/\r?\n/);
  const groups: Map<string, string>[] = [];
  let current: Map<string, string> | undefined;
  for (const line of lines) {
    const [, name, value] = /^([\w-]{1,40})[ \t]*:(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      if (line.trim() === '') current = undefined;
      continue;
    }
    if (!current) groups.push((current = new Map<string, string>()));
    if (!current.has(name.toLowerCase())) current.set(name.toLowerCase(), value.trim());
  }
  return groups;
}
