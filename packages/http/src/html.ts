const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as it stands in HTML, also in a quoted attribute. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (found) => entities[found] ?? '');

/** A piece of HTML. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** HTML with values in it: texts are escaped. */
export function html(strings: TemplateStringsArray, ...values: (string | Html | Html[])[]): Html {
  const textOf = (value: string | Html) => (typeof value === 'string' ? escaped(value) : value.text);
  const texts = values.map((value) => (Array.isArray(value) ? value.map(textOf).join('') : textOf(value)));
  return new Html(String.raw({ raw: strings }, ...texts));
}

export const pageStyle = `:root { color-scheme: light dark } body { max-width: 32rem; margin: 4rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif } button, input { font: inherit; padding: .5rem 1rem }`;

// in one piece: a policy names it by its hash
const style = new Html(`<style>${pageStyle}</style>`);

/** A plain page of one column, without scripts. `head`: what else stands in its head */
export const htmlPage = (title: string, body: Html, head: Html = new Html('')): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${style}${head}
      </head>
      <body>
        <h1>${title}</h1>
        ${body}
      </body>
    </html> `.text;
