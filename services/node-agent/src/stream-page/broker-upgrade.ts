import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { pipeline, type Duplex } from 'node:stream';
import { connect as connectSecurely } from 'node:tls';
import { startOf } from '@sluice/system/process-table';
import type { BrokerAddress } from '../gateway/protocol.ts';

/** where the page opens its WebSocket */
const path = '/broker';

/** for the broker to take the connection. Milliseconds. */
const connectLimit = 5_000;

export interface BrokerSocket {
  broker: BrokerAddress | null;
  /** whether the broker's WebSocket expects TLS */
  isSecure: boolean;
}

/** Why an upgrade is refused; undefined for one that is not. Other sites' pages have no business here, though they would need the login. */
function refusalOf({ url, headers }: IncomingMessage): string | undefined {
  if (url !== path) return '404 Not Found';
  if (headers.upgrade?.toLowerCase() !== 'websocket') return '400 Bad Request';
  if (!/^[A-Za-z0-9+/]{22}==$/.test(headers['sec-websocket-key'] ?? '')) return '400 Bad Request';
  const { origin, host } = headers;
  if (origin !== undefined && URL.parse(origin)?.host !== host) return '403 Forbidden';
  return undefined;
}

const refuse = (client: Duplex, status: string) =>
  void client.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);

/**
 * Passes a WebSocket on to the broker's own, byte for byte: the broker answers the handshake and ends what does not sign in.
 * @returns the connection to the broker; undefined where the upgrade is refused
 */
export async function passOn(
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
  { broker, isSecure }: BrokerSocket,
): Promise<Socket | undefined> {
  client.on('error', () => undefined);
  const refused = refusalOf(request);
  if (refused !== undefined) return void refuse(client, refused);
  const port = broker?.ports.broker_websocket;
  // after the broker's end another program may have its port, and must not get what clients send
  if (!broker || port === undefined || (await startOf(broker.pid)) !== broker.process_start)
    return void refuse(client, '503 Service Unavailable');
  const where = { host: '127.0.0.1', port };
  // which process it is, is known; a certificate for 127.0.0.1 it has none
  const upstream = isSecure ? connectSecurely({ ...where, rejectUnauthorized: false }) : connect(where);
  upstream.setTimeout(connectLimit, () => upstream.destroy());
  upstream.once(isSecure ? 'secureConnect' : 'connect', () => upstream.setTimeout(0));
  upstream.write(handshake(request));
  if (head.length > 0) upstream.write(head);
  const done = () => {
    client.destroy();
    upstream.destroy();
  };
  pipeline(client, upstream, done);
  pipeline(upstream, client, done);
  return upstream;
}

/** Only what the handshake needs is passed on. */
const handshake = ({ headers }: IncomingMessage): string =>
  [
    'GET / HTTP/1.1',
    'host: 127.0.0.1',
    'upgrade: websocket',
    'connection: Upgrade',
    'sec-websocket-version: 13',
    `sec-websocket-key: ${headers['sec-websocket-key'] ?? ''}`,
    '\r\n',
  ].join('\r\n');
