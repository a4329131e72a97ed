import { parseHeaders } from './headers.ts';

/** Of messages that are alike: its texts can have placeholders. */
export interface Template {
  subject: string;
  /** lines */
  headers: string;
  /** bytes are published as they are */
  payload: string | Uint8Array;
}

export interface Message {
  subject: string;
  headers: [name: string, value: string][];
  data: Uint8Array;
}

/** Placeholders, as people read of them. */
export const placeholders =
  '{{counter}} from 1 on or {{counter 100}} from 100 on, {{time}}, {{unix}} in milliseconds, {{uuid}}, {{random}} or {{random 1 6}} with both ends';

const any = /\{\{([^{}]*)\}\}/g;

/** @returns undefined where it is none */
function valueOf(inner: string, index: number, now: Date): string | undefined {
  const [name, ...given] = inner.trim().split(/\s+/);
  if (given.some((one) => !/^-?\d{1,15}$/.test(one))) return undefined;
  const [first, second] = given.map(Number);
  if (name === 'counter' && given.length <= 1) return String((first ?? 1) + index);
  if (name === 'random') {
    const [least, most] = given.length === 0 ? [0, 999_999] : [first, second];
    if (given.length > 2 || least === undefined || most === undefined || least > most) return undefined;
    return String(least + Math.floor(Math.random() * (most - least + 1)));
  }
  if (given.length > 0) return undefined;
  if (name === 'time') return now.toISOString();
  if (name === 'unix') return String(now.getTime());
  return name === 'uuid' ? uuid() : undefined;
}

/** `crypto.randomUUID` is missing on pages that are not served by TLS. */
function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** @param index of the message, from 0 on */
const fill = (text: string, index: number, now: Date): string =>
  text.replaceAll(any, (whole, inner: string) => valueOf(inner, index, now) ?? whole);

const isSubject = (subject: string): boolean =>
  !/\s/.test(subject) && subject.split('.').every((token) => !['', '*', '>'].includes(token));

/** What is wrong with a template, by field. */
export type TemplateIssues = Partial<Record<keyof Template, string>>;

/** @param isFilled whether it has placeholders */
export function templateIssues(template: Template, isFilled: boolean): TemplateIssues {
  const issues: TemplateIssues = {};
  if (isFilled)
    for (const key of ['subject', 'headers', 'payload'] as const) {
      const text = template[key];
      const unknown =
        typeof text === 'string' &&
        [...text.matchAll(any)].find(([, inner = '']) => valueOf(inner, 0, new Date()) === undefined);
      if (unknown) issues[key] = `${unknown[0].slice(0, 40)} is no placeholder.`;
    }
  // a placeholder can have a space
  const subject = isFilled ? fill(template.subject, 0, new Date()) : template.subject;
  if (!issues.subject && !isSubject(subject))
    issues.subject = 'No spaces, no wildcards, and nothing empty between dots.';
  const headers = parseHeaders(template.headers);
  if (typeof headers === 'string') issues.headers = headers;
  return issues;
}

const encoder = new TextEncoder();

/** The message of a template without issues. @param index from 0 on; undefined where nothing is filled in */
export function messageOf({ subject, headers, payload }: Template, index?: number): Message {
  const now = new Date();
  const filled = (text: string) => (index === undefined ? text : fill(text, index, now));
  const parsed = parseHeaders(headers);
  if (typeof parsed === 'string') throw new Error(parsed);
  return {
    subject: filled(subject),
    headers: parsed.map(([name, value]) => [name, filled(value)]),
    data: typeof payload === 'string' ? encoder.encode(filled(payload)) : payload,
  };
}
