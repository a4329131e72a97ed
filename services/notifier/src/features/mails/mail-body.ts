import { mailLayout } from '../../generated/mail-layout.ts';
import { note, paragraph, type MailBody, type Part } from './mail-template.ts';

/** A mail's two forms, which say the same. */
export interface RenderedMail {
  text: string;
  html: string;
}

export function renderBody(body: MailBody): RenderedMail {
  return { text: asText(body), html: asHtml(body) };
}

/** What a mail tells of a notification. */
interface NotificationBody {
  subject: string;
  /** paragraphs with an empty line between */
  body: string;
  facts: readonly { name: string; value: string }[];
  link?: string;
  /** where the reader unsubscribes */
  unsubscribe: string;
}

/** The mail of a notification: what a channel of the kind `email` gets. */
export function renderMail({ subject, body, facts, link, unsubscribe }: NotificationBody): RenderedMail {
  const parts: Part[] = [
    ...body.split('\n\n').map(paragraph),
    ...(link === undefined ? [] : [{ kind: 'action', label: 'Look at it', url: link } as const]),
    ...(facts.length > 0 ? [{ kind: 'facts', facts } as const] : []),
    note('You get this mail because a notification channel of your tenant sends to this address.'),
    { kind: 'link', label: 'Unsubscribe', url: unsubscribe },
  ];
  return renderBody({ subject, parts });
}

function asText({ parts }: MailBody): string {
  return `${parts.map(textOf).join('\n\n')}\n\n-- \nSluice\n`;
}

function textOf(part: Part): string {
  switch (part.kind) {
    case 'paragraph':
    case 'note':
      return part.text;
    case 'code':
      return `    ${part.code}`;
    case 'action':
    case 'link':
      return `${part.label}:\n${part.url}`;
    case 'facts':
      return part.facts.map(({ name, value }) => `${name}: ${value}`).join('\n');
  }
}

/** The mail as HTML: readable without images, in narrow windows and in dark mode, and it asks no server for anything. */
function asHtml({ subject, parts }: MailBody): string {
  const first = parts.find((part) => part.kind === 'paragraph');
  return [
    fill(mailLayout.begin, { subject, preview: first?.text ?? subject }),
    ...parts.map(htmlOf),
    mailLayout.end,
  ].join('\n');
}

function htmlOf(part: Part): string {
  switch (part.kind) {
    case 'paragraph':
    case 'note':
      return fill(mailLayout[part.kind], { text: part.text });
    case 'code':
      return fill(mailLayout.code, { code: part.code });
    case 'action':
    case 'link':
      return fill(mailLayout[part.kind], { label: part.label, url: part.url });
    case 'facts': {
      const rows = part.facts.map(({ name, value }) => fill(mailLayout.fact, { name, value }));
      return [mailLayout.facts, ...rows, mailLayout.factsEnd].join('\n');
    }
  }
}

/** Puts values where the layout has `[[name]]`, as text and nothing but text. */
function fill(layout: string, values: Record<string, string>): string {
  return layout.replaceAll(/\[\[(\w+)\]\]/g, (_, name: string) => escaped(values[name] ?? ''));
}

const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/** Text that is nothing but text within HTML, in elements and in quoted attributes. */
function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities.get(character) ?? character);
}
