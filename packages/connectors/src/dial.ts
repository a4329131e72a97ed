import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { addressIssue, type Destinations } from '@sluice/system/destinations';
import { ConfigRefused, type PluginConfig } from './plugin.ts';
import { number, optionalText, text } from './schema.ts';

/** @throws ConfigRefused for an address that may not be connected to; names are checked when they are resolved */
export function checkHost(host: string, destinations: Destinations): void {
  try {
    destinations.check(host);
  } catch (error) {
    throw new ConfigRefused((error as Error).message, { cause: error });
  }
}

/** @throws ConfigRefused for what is no http:// or https:// address, has a login in it, or may not be connected to */
export function checkedUrl(key: string, written: string, destinations: Destinations): URL {
  const url = URL.parse(written);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new ConfigRefused(`${key} is no http:// or https:// address`);
  const issue = addressIssue(written);
  if (issue !== null) throw new ConfigRefused(`${key} ${issue}`);
  checkHost(url.hostname, destinations);
  return url;
}

/** Destroys the socket when more bytes arrive than `most` since the last call of the result: client libraries read answers of any size. */
export function limitReceived(socket: Socket, most: number, what: string): () => void {
  let received = 0;
  socket.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > most) socket.destroy(new Error(`${what} that is too large`));
  });
  return () => (received = 0);
}

/** Begins a connection to `host` and `port`, with TLS or without it as `tls` says, by the rules on destinations. */
export function dial(config: PluginConfig, { lookup }: Destinations): Socket {
  const host = text(config, 'host');
  const port = number(config, 'port');
  if (text(config, 'tls') !== 'verify') return connectTcp({ host, port, lookup });
  const ca = optionalText(config, 'tls_ca');
  return connectTls({
    ...{ host, port, lookup, rejectUnauthorized: true },
    ...(ca !== null && { ca }),
    ...(isIP(host) === 0 && { servername: host }),
  });
}

const connectMs = 10_000;

/** The same, once it is connected. @throws Error of the socket, of `signal`, or that it took too long */
export async function dialled(
  config: PluginConfig,
  destinations: Destinations,
  signal: AbortSignal,
): Promise<Socket> {
  // an error without a listener would end the process
  const socket = dial(config, destinations).on('error', () => {});
  const late = AbortSignal.timeout(connectMs);
  const event = text(config, 'tls') === 'verify' ? 'secureConnect' : 'connect';
  try {
    await once(socket, event, { signal: AbortSignal.any([signal, late]) });
    return socket;
  } catch (error) {
    socket.destroy();
    if (!signal.aborted && late.aborted)
      throw new Error(`The server did not answer within ${connectMs / 1_000} s`, { cause: error });
    throw error;
  }
}
