import type { Request, RequestHandler } from 'express';
import { problem } from '@sluice/service';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** below which everything is an API: no document */
export const apiPath = '/api/';

/** Whether a browser asks for a page to show in a tab, or a program for what it would show there. */
export function asksForDocument(request: Request): boolean {
  if (!['GET', 'HEAD'].includes(request.method)) return false;
  const destination = request.get('sec-fetch-dest');
  if (destination === undefined) return (request.get('accept') ?? '').includes('text/html');
  return destination === 'document' && request.get('sec-fetch-mode') === 'navigate';
}

/**
 * Lets through what the console's own pages ask for, and the documents that lead a person there: what another site has a browser
 * send is refused, by `Sec-Fetch-Site`, which no page can set, and by `Origin` where a browser sends the former not.
 * @param origin where browsers reach the console
 */
export function originGuard(origin: URL): RequestHandler {
  return (request, response, next) => {
    // an address with a host (`GET http://other/`) or without any path is for a proxy of another kind
    if (!request.url.startsWith('/') || request.url.startsWith('//')) throw problem('malformed_request');
    if (!methods.includes(request.method))
      throw problem('method_not_allowed', { headers: { allow: methods.join(', ') } });
    const isDocument = asksForDocument(request) && !request.path.toLowerCase().startsWith(apiPath);
    if (request.get('host')?.toLowerCase() !== origin.host) {
      if (!isDocument)
        throw problem('malformed_request', { detail: `The console is at ${origin.host} alone.` });
      // by another name of the machine it has no cookie, and no page could ask for anything
      return response.redirect(307, new URL(request.url, origin).href);
    }
    if (!isDocument) refuseForeign(request, origin);
    next();
  };
}

/** @throws Problem `foreign_origin` */
function refuseForeign(request: Request, { origin }: URL): void {
  const site = request.get('sec-fetch-site');
  const sender = request.get('origin');
  const isOwn = site === undefined ? sender === undefined || sender === origin : site === 'same-origin';
  if (!isOwn) throw problem('foreign_origin');
}
