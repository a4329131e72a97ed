import type { Endpoints } from '@sluice/client';

/** What the protocols are called, in the order in which they are shown. */
export const protocols = [
  { key: 'broker_tcp', name: 'NATS' },
  { key: 'broker_websocket', name: 'WebSocket' },
  { key: 'broker_http', name: 'HTTP' },
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
