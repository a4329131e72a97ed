/** Text that is HTML already. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Content = Html | string | number | readonly Content[] | null | undefined | false;

/** characters that change the direction of writing could reorder what a report says; those without form have no place in HTML */
const unseemly = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]|[^\P{Cc}\t\n]/gu;
const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** HTML of a template: values are escaped, unless they are HTML. */
export const html = (parts: TemplateStringsArray, ...contents: Content[]): Html =>
  new Html(parts.map((part, index) => part + written(contents[index])).join(''));

function written(content: Content): string {
  if (content === null || content === undefined || content === false) return '';
  if (content instanceof Html) return content.text;
  if (typeof content === 'object') return content.map(written).join('');
  return String(content)
    .toWellFormed()
    .replaceAll(unseemly, '�')
    .replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '');
}
