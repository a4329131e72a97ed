import { problems } from '@sluice/contracts';
import { escaped } from './html.ts';

const entries = Object.entries(problems).map(
  ([code, { status, title, detail }]) =>
    `<h2 id="${code}">${escaped(title)}</h2>\n<p><code>${code}</code>, status ${status}</p>\n<p>${escaped(detail)}</p>`,
);

/** What the `type` of a problem leads to: all codes, each at the anchor of its name. */
export const errorPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Errors of Sluice</title>
  </head>
  <body>
    <h1>Errors</h1>
    ${entries.join('\n')}
  </body>
</html>
`;
