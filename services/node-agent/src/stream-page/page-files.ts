import type { IncomingMessage, ServerResponse } from 'node:http';
import { documentsOf, filesOf, type Document } from '@sluice/web-files';

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
  const documents = documentsOf(folder, { formAction: 'none' });
  const assets = filesOf(folder);
  return (request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.setHeader('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead) return end(response, 405, 'Only GET is answered here.');
    const [path] = (request.url ?? '').split('?');
    if (path === '/') return answerDocument(response, documents());
    if (path?.startsWith('/assets/'))
      return assets(request, response, () => end(response, 404, 'There is no such file.'));
    end(response, 404, 'There is no such page.');
  };
}

function answerDocument(response: ServerResponse, { html, policy }: Document): void {
  response.setHeader('content-security-policy', policy);
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.setHeader('cache-control', 'no-store');
  response.end(html);
}

function end(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.setHeader('connection', 'close');
  response.end(`${text}\n`);
}
