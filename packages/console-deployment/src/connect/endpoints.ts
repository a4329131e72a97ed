import type { Endpoints } from '@sluice/client';

/** What the protocols are called, in the order in which they are shown. */
export const protocols = [
  { key: 'broker_tcp', name: 'NATS' },
  { key: 'broker_websocket', name: 'WebSocket' },
  { key: 'broker_http', name: 'Stream UI' },
  { key: 'broker_udp', name: 'UDP' },
] as const satisfies readonly { key: keyof Endpoints; name: string }[];

export interface Endpoint {
  key: keyof Endpoints;
  name: string;
  address: string;
}

/** The addresses that clients reach: the deployment's own, or where it has none those of its nodes. */
export function endpointsOf({
  endpoints,
  nodes,
}: {
  endpoints: Endpoints;
  nodes: readonly { endpoints: Endpoints }[];
}): Endpoint[] {
  return protocols.flatMap(({ key, name }) => {
    const address = endpoints[key] ?? nodes.map((node) => node.endpoints[key]).find((one) => one !== null);
    return address === null || address === undefined ? [] : [{ key, name, address }];
  });
}

/**
 * Where the nodes' own page of streams is; undefined where there is none.
 * @param isSecure whether the deployment has a certificate, by which the page is served then
 */
export function streamPageOf(endpoints: readonly Endpoint[], isSecure: boolean): string | undefined {
  const address = endpoints.find(({ key }) => key === 'broker_http')?.address;
  return address === undefined ? undefined : `${isSecure ? 'https' : 'http'}://${address}/`;
}
