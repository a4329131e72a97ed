import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/** The headers by which every answer keeps browsers from what they need not do: helmet's, worked out once. */
export const securityHeaders: readonly (readonly [name: string, value: string])[] = (() => {
  const headers: [string, string][] = [];
  const collect = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  };
  // TLS ends at the ingress, and /docs has to work on a laptop without it
  const protect = helmet({ contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': null } } });
  protect({} as IncomingMessage, collect as unknown as ServerResponse, () => undefined);
  return headers;
})();
