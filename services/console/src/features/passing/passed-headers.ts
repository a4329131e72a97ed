import type { IncomingHttpHeaders } from 'node:http';
import type { Destination } from './path.ts';

/** What a browser may say to a layer. All else stays here: cookies, keys, addresses that it claims, what is between two hops. */
const toLayer = [
  ...['accept', 'accept-encoding', 'accept-language', 'content-type', 'content-length', 'transfer-encoding'],
  ...['idempotency-key', 'if-match', 'if-none-match', 'last-event-id', 'prefer', 'range', 'user-agent'],
  ...['x-csrf-token', 'content-encoding'],
];
const ofWebSockets = [
  ...['sec-websocket-key', 'sec-websocket-version', 'sec-websocket-extensions', 'sec-websocket-protocol'],
];

export interface Added {
  cookie: string | undefined;
  address: string | undefined;
  traceparent: string | undefined;
}

/** The headers with which a request goes on. */
export function headersToLayer(
  sent: IncomingHttpHeaders,
  { cookie, address, traceparent }: Added,
  isUpgrade: boolean,
): IncomingHttpHeaders {
  const names = isUpgrade ? [...toLayer, ...ofWebSockets] : toLayer;
  const passed = names.flatMap((name) => (sent[name] === undefined ? [] : [[name, sent[name]] as const]));
  return {
    ...Object.fromEntries(passed),
    // the socket's own address; the layer replaces it by its own
    host: sent.host,
    ...(isUpgrade && { connection: 'Upgrade', upgrade: 'websocket' }),
    ...(cookie !== undefined && { cookie }),
    ...(address !== undefined && { 'x-forwarded-for': address }),
    ...(traceparent !== undefined && { traceparent }),
  };
}

/** What a layer says to a browser, and the console says for all of them, or which is between two hops. */
const notFromLayer = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'trailer', 'upgrade', 'set-cookie', 'server'],
  ...['content-security-policy', 'content-security-policy-report-only', 'clear-site-data', 'refresh'],
  ...['strict-transport-security', 'referrer-policy', 'permissions-policy', 'origin-agent-cluster'],
  ...['cross-origin-opener-policy', 'cross-origin-embedder-policy', 'cross-origin-resource-policy'],
  ...['x-content-type-options', 'x-dns-prefetch-control', 'x-download-options', 'x-frame-options'],
  ...['x-permitted-cross-domain-policies', 'x-xss-protection', 'reporting-endpoints', 'nel', 'report-to'],
]);

/** The headers with which an answer goes to the browser, without those of cookies. */
export function headersFromLayer(answered: IncomingHttpHeaders, { mount }: Destination): IncomingHttpHeaders {
  const passed = Object.entries(answered).filter(
    ([name]) => !notFromLayer.has(name) && !name.startsWith('access-control-'),
  );
  const { location } = answered;
  return {
    ...Object.fromEntries(passed),
    // a path is one below the layer
    ...(location !== undefined && /^\/(?!\/)/.test(location) && { location: mount + location }),
  };
}

/** What a browser could run is shown in a frame of no origin, with its own styles alone. */
export const policyOf = ({ 'content-type': type = '' }: IncomingHttpHeaders): string | undefined =>
  /html|svg|xml/i.test(type)
    ? "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"
    : undefined;
