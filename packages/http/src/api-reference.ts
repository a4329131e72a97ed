import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Router } from 'express';
import { errorPage } from './error-page.ts';
import type { OpenApiDocument } from './openapi/document.ts';

/**
 * A reference of the API to browse: grouped by tags, with a search, and a client to try operations with. Everything
 * comes from this service; no other host is asked for anything.
 * @param documents by the path at which they are served
 */
export function apiReference(documents: Record<string, OpenApiDocument>): Router {
  const sources = Object.entries(documents).map(([path, { info }]) => ({ title: info.title, url: path }));
  const router = Router();
  router.get('/', (request, response) => {
    if (!request.originalUrl.split('?', 1)[0]?.endsWith('/')) return response.redirect(301, 'docs/');
    response.type('html').send(page(sources[0]?.title ?? ''));
  });
  router.get('/errors', (_request, response) => void response.type('html').send(errorPage));
  router.get('/start.js', (_request, response) => {
    response.type('js').send(script(sources.map((source) => ({ ...source, url: `..${source.url}` }))));
  });
  router.get('/scalar.js', (_request, response) => {
    // found and read when it is asked for: it need not be in memory. Package managers have it below a dot folder.
    const folder = dirname(createRequire(import.meta.url).resolve('@scalar/api-reference'));
    response.sendFile(join(folder, 'browser/standalone.js'), { maxAge: '1h', dotfiles: 'allow' });
  });
  return router;
}

const page = (title: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
  </head>
  <body>
    <div id="reference"></div>
    <script src="scalar.js"></script>
    <script src="start.js"></script>
  </body>
</html>
`;

const script = (sources: { title: string; url: string }[]) => {
  const configuration = {
    sources,
    telemetry: false,
    withDefaultFonts: false,
    proxyUrl: '',
    agent: { disabled: true, hideAddApi: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    persistAuth: false,
  };
  return `Scalar.createApiReference('#reference', ${JSON.stringify(configuration)});\n`;
};
