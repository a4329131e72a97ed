import type { MailBody, Part } from './mail-template.ts';

/** The mail as plain text. */
export function asText({ parts }: MailBody): string {
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
      return `${part.label}:\n${part.url}`;
  }
}

/**
 * The mail as HTML: one column with all styles inline, as mail clients want it, readable without images and in dark
 * mode.
 */
export function asHtml({ subject, parts }: MailBody): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(subject)}</title>
</head>
<body style="margin:0;padding:0">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" border="0">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" border="0" style="max-width:560px">
<tr><td align="left" style="${font};font-size:16px;line-height:1.5;overflow-wrap:anywhere">
<h1 style="margin:0 0 24px;font-size:22px;line-height:1.3;font-weight:600">${escaped(subject)}</h1>
${parts.map(htmlOf).join('\n')}
<p style="${small};margin:32px 0 0">Sluice</p>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

const font = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const fixedWidth = 'font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace';
const small = 'font-size:14px;opacity:0.75';

function htmlOf(part: Part): string {
  switch (part.kind) {
    case 'paragraph':
      return `<p style="margin:0 0 16px">${escaped(part.text)}</p>`;
    case 'note':
      return `<p style="${small};margin:24px 0 0">${escaped(part.text)}</p>`;
    case 'code':
      return `<p style="${fixedWidth};margin:24px 0;font-size:30px;letter-spacing:4px">${escaped(part.code)}</p>`;
    case 'action':
      return (
        `<p style="margin:24px 0"><a href="${escaped(part.url)}" style="display:inline-block;padding:12px 20px;` +
        `border-radius:6px;background:#1f4fd8;color:#ffffff;text-decoration:none">${escaped(part.label)}</a></p>\n` +
        `<p style="${small};margin:0 0 16px">${escaped(part.url)}</p>`
      );
  }
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
