import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import sirv from 'sirv';

/** in index.html, where the nonce of a document goes */
const nonceToken = '__CSP_NONCE__';

/** of the files whose names change with their content */
const hashed = /^\/assets\/.+[-.][\w-]{8,}\.\w+$/;

/** What the page may do: run and load what is of its own origin, and nothing from anywhere else. */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');

const headers = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Serves the built page. @param folder where its files are
 * @throws Error when there is no page, or none with a place for the nonce
 */
export function pageFiles(folder: string): Answer {
  const index = readFileSync(join(folder, 'index.html'), 'utf8');
  if (!index.includes(nonceToken)) throw new Error(`${folder}/index.html has no ${nonceToken}`);
  const assets = sirv(folder, {
    brotli: true,
    gzip: true,
    etag: true,
    extensions: [],
    setHeaders: (response, path) =>
      void response.setHeader(
        'cache-control',
        hashed.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
      ),
  });
  return (request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.setHeader('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead) return end(response, 405, 'Only GET is answered here.');
    const [path] = (request.url ?? '').split('?');
    if (path === '/') return void answerIndex(response, index);
    if (path?.startsWith('/assets/'))
      return assets(request, response, () => end(response, 404, 'There is no such file.'));
    end(response, 404, 'There is no such page.');
  };
}

function answerIndex(response: ServerResponse, index: string): void {
  const nonce = randomBytes(16).toString('base64');
  response.setHeader('content-security-policy', policy(nonce));
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.setHeader('cache-control', 'no-store');
  response.end(index.replaceAll(nonceToken, nonce));
}

function end(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.setHeader('connection', 'close');
  response.end(`${text}\n`);
}
