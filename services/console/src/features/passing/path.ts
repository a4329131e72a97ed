import { problem } from '@sluice/service';
import type { Layer } from '../../layers.ts';

/** Where a request is to go, as its address says. */
export interface Destination {
  layer: Layer;
  /** of the region whose supervisor is asked */
  region?: { cloud: string; region: string };
  /** the path at the console below which the layer is */
  mount: string;
  /** the path at the layer, with the query */
  path: string;
}

const shape = /^(\/api\/(?:(main|audit)|regions\/([a-z0-9_]{1,50})\/([a-z0-9-]{1,60})))(\/.*)$/;

/**
 * What another program may read as another path than this one: dots between slashes, slashes and dots that are written in code,
 * backslashes, and what no path has.
 */
const ambiguous =
  /[^\x21-\x7e]|[\\"<>^`{|}#]|\/\/|\/\.{1,2}(?:\/|$)|%(?![0-9a-f]{2})|%(?:2f|5c|2e|[01][0-9a-f]|7f)/i;

/** What is for the operator, for agents, for the payment provider, or a page of the layer's own origin: no part of the API. */
const closed = /^\/(?:healthz|readyz|metrics|docs|device|unsubscribe|agent|billing\/webhooks)(?:[/;]|$)/i;

/**
 * Reads the address of a request below `/api`.
 * @param address as it was sent, with the query
 * @throws Problem `malformed_request` for one that is not plain, `unknown_path`
 */
export function destinationOf(address: string): Destination {
  const [whole = ''] = address.split('?', 1);
  if (ambiguous.test(whole)) throw problem('malformed_request', { detail: 'The path is not a plain one.' });
  const [, mount = '', name, cloud, region, path = ''] = shape.exec(whole) ?? [];
  if (mount === '' || closed.test(path)) throw problem('unknown_path');
  const destination = { mount, path: path + address.slice(whole.length) };
  if (cloud !== undefined && region !== undefined)
    return { ...destination, layer: 'supervisor', region: { cloud, region } };
  return { ...destination, layer: name === 'audit' ? 'audit' : 'main-api' };
}
