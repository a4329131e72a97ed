import { mailContents, type MailContent, type MailTemplate } from '@sluice/contracts';
import { PermanentError } from '@sluice/messaging';
import type { z } from 'zod';
import { oneLine } from '../../wording.ts';

/** What a template makes of its content. The mail's text and its HTML are both made from it, so they say the same. */
export interface MailBody {
  subject: string;
  parts: Part[];
}

export type Part =
  | { kind: 'paragraph'; text: string }
  /** something to be copied, set large */
  | { kind: 'code'; code: string }
  /** a link to follow */
  | { kind: 'action'; label: string; url: string }
  /** a link for whom it concerns, set small */
  | { kind: 'link'; label: string; url: string }
  /** details, as a table */
  | { kind: 'facts'; facts: readonly { name: string; value: string }[] }
  /** what the reader has to know but not to do, set small */
  | { kind: 'note'; text: string };

export const paragraph = (text: string): Part => ({ kind: 'paragraph', text });
export const note = (text: string): Part => ({ kind: 'note', text });

/** A link to a page of the console; none in mails that a former release asks for. */
export const action = (label: string, url: string | undefined): Part[] =>
  url === undefined ? [] : [{ kind: 'action', label, url }];

export interface Template<Name extends MailTemplate = MailTemplate> {
  name: Name;
  /**
   * @param content what a message, made at `asked`, has been opened to
   * @throws PermanentError for content of another shape than the contracts say; it names the fields but no value
   */
  render(content: unknown, asked: Date): MailBody;
}

const shapes: { [Name in MailTemplate]: z.ZodType<MailContent<Name>> } = mailContents;

/** The template of one of the mails in the contracts, by how it is worded. */
export function mailTemplate<Name extends MailTemplate>(
  name: Name,
  write: (content: MailContent<Name>, asked: Date) => MailBody,
): Template<Name> {
  const shape = shapes[name];
  return {
    name,
    render(content, asked) {
      const result = shape.safeParse(oneLined(content));
      if (result.success) return write(result.data, asked);
      const fields = result.error.issues.map(({ path }) => path.join('.') || 'all of it');
      throw new PermanentError(`the content of the mail is not as agreed: ${fields.join(', ')}`);
    },
  };
}

function oneLined(content: unknown): unknown {
  if (typeof content !== 'object' || content === null) return content;
  return Object.fromEntries(
    Object.entries(content).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' ? oneLine(value) : value,
    ]),
  );
}
