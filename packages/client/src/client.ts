import { createClient as createGenerated, createConfig } from './generated/client/index.ts';
import type { Client, ResolvedRequestOptions } from './generated/client/index.ts';
import { addressBook, type AddressBook, type Addresses, type Place, type RegionName } from './addresses.ts';
import { errorOf, SluiceError } from './error.ts';
import { send, type Bounds, type Outgoing, type TransportOptions } from './transport.ts';

export interface ClientOptions extends TransportOptions, Addresses {}

/** What every generated function takes as `client`. It is one for all layers. */
export type SluiceClient = Client & {
  /** the address of the Main API */
  readonly url: string;
  /** The same client with other bounds. */
  with(options: Bounds & Pick<TransportOptions, 'onRetry'>): SluiceClient;
  /** The same client for one region, for operations of supervisors that name no deployment. Takes the region or its address. */
  at(region: RegionName | string): SluiceClient;
  /** Where a deployment is. @throws SluiceError `not_found` */
  locate(deploymentId: number, signal?: AbortSignal): Promise<Place>;
};

/**
 * Makes a client. It sends nothing yet.
 *
 * A failed call throws a `SluiceError`, and the reason of the signal if that is aborted. Called with `throwOnError: false`, a generated
 * function returns the problem document as `error` instead.
 */
export function createClient(options: ClientOptions): SluiceClient {
  const { url, auditUrl, supervisors, supervisorUrl, tenant, ...transport } = options;
  const known = { url: new URL(url).href, auditUrl, supervisors, supervisorUrl, tenant };
  const addresses = addressBook(known, () => client, transport.session !== undefined);
  const client = build(transport, undefined, addresses);
  return client;
}

type Bound = RegionName | string | undefined;

function build(transport: TransportOptions, region: Bound, addresses: AddressBook): SluiceClient {
  /** what an interceptor knows of a request and `fetch` needs */
  const outgoing = new WeakMap<Request, Outgoing>();
  const generated = createGenerated(
    createConfig({
      baseUrl: unresolved,
      throwOnError: true,
      fetch: (async (request: Request) => send(known(request), transport)) as typeof fetch,
    }),
  );

  function known(request: Request): Outgoing {
    const found = outgoing.get(request);
    if (!found) throw new TypeError('An interceptor has replaced the request. Change its headers instead.');
    return { ...found, headers: request.headers };
  }

  generated.interceptors.request.use(async (request, options) => {
    const { pathname, search } = new URL(request.url);
    const [, layer = '', ...rest] = pathname.split('/');
    const signal = options.signal ?? null;
    const base = await addresses.of(layer, { region, path: options.path ?? {}, signal });
    const url = `${base.replace(/\/$/, '')}/${rest.join('/')}${search}`;
    const { method, headers } = request;
    const body = request.method === 'GET' ? undefined : (await request.text()) || undefined;
    const resolved = new Request(url, { method, headers, body: body ?? null, signal });
    const asStream = options.parseAs === 'stream';
    outgoing.set(resolved, { method, url, headers, body, signal, asStream });
    return resolved;
  });

  generated.interceptors.error.use(
    (error, response, _request, { throwOnError, url }: ResolvedRequestOptions) => {
      // what should be JSON is not
      const known = error instanceof SyntaxError && response ? errorOf(response, '', url) : error;
      return throwOnError === false && known instanceof SluiceError ? (known.problem ?? known) : known;
    },
  );

  const client: SluiceClient = Object.assign(generated, {
    url: addresses.url,
    with: (options: Bounds) => build({ ...transport, ...options }, region, addresses),
    at: (other: RegionName | string) => build(transport, other, addresses),
    locate: (deploymentId: number, signal?: AbortSignal) => addresses.locate(deploymentId, signal),
  });
  // what a client prints has no credential in it
  const shown = () => `SluiceClient { url: '${client.url}' }`;
  Object.defineProperty(client, Symbol.for('nodejs.util.inspect.custom'), { value: shown });
  Object.defineProperty(client, 'toJSON', { value: () => ({ url: client.url }) });
  return client;
}

/** the base of addresses whose first segment is a layer yet */
const unresolved = 'http://layer.invalid';
