import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Destinations } from '@sluice/system/destinations';
import { ConfigRefused, type PluginConfig } from './plugin.ts';
import { number, optionalText, text } from './schema.ts';

/** @throws ConfigRefused for an address in `host` that may not be connected to; names are looked at when they are resolved */
export function checkHost(config: PluginConfig, destinations: Destinations): void {
  try {
    destinations.check(text(config, 'host'));
  } catch (error) {
    throw new ConfigRefused((error as Error).message, { cause: error });
  }
}

/** A connection to `host` and `port`, with TLS or without it as `tls` says, by the rules on destinations; it is under way. */
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

/** what a server may take to take a connection, in milliseconds */
const connectMs = 10_000;

/** The same, once it is there. It ends at once when `signal` is aborted before. @throws Error of the socket, or that it took too long */
export async function dialled(
  config: PluginConfig,
  destinations: Destinations,
  signal: AbortSignal,
): Promise<Socket> {
  // whatever listens besides: an error that no listener is there for would end the process
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
