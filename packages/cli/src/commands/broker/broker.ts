import { isIP } from 'node:net';
import { getCredentials } from '@sluice/client';
import type { JetStreamManager } from '@nats-io/jetstream';
import type { ConnectionOptions, NatsConnection } from '@nats-io/transport-node';
import type { Cli } from '../../cli.ts';
import { CliError, exitCodes } from '@sluice/terminal/errors';
import { findEndpoint, type Endpoint } from './endpoint.ts';
import { explainBroker, explainUnreachable, isClosed } from './failures.ts';
import { addressOf, patienceMs, readServerInfo, Unreachable, type ServerInfo } from './server-info.ts';

/** The broker of a deployment, with its login. */
export interface Broker {
  place: string;
  /** how many nodes the deployment has */
  nodes: number;
  connection: NatsConnection;
}

export interface StreamBroker extends Broker {
  manager: JetStreamManager;
}

export interface BrokerFlags {
  plainText?: boolean;
}

interface Opening extends BrokerFlags {
  /** whether a connection that breaks off is made again */
  isFollowed?: boolean;
}

const reconnectSeconds = 60;

/** Connects to the broker of a deployment for some work. @throws CliError which says what is wrong, and never the login */
export async function withBroker<T>(
  cli: Cli,
  at: string | undefined,
  flags: Opening,
  work: (broker: Broker) => Promise<T>,
): Promise<T> {
  const endpoint = await findEndpoint(cli, at);
  const { place } = endpoint;
  try {
    const connection = await open(cli, endpoint, flags);
    const stop = () => void connection.close();
    cli.signal.addEventListener('abort', stop);
    try {
      return await work({ place, nodes: endpoint.live.nodes.length, connection });
    } finally {
      cli.signal.removeEventListener('abort', stop);
      await connection.close();
    }
  } catch (error) {
    cli.signal.throwIfAborted();
    if (error instanceof Unreachable) throw await explainUnreachable(cli, endpoint, error);
    throw explainBroker(error, place) ?? (isClosed(error) ? await explainEnd(cli, endpoint) : error);
  }
}

/** The same, for work on streams. */
export const withStreams = <T>(
  cli: Cli,
  at: string | undefined,
  flags: Opening,
  work: (broker: StreamBroker) => Promise<T>,
): Promise<T> =>
  withBroker(cli, at, flags, async (broker) => {
    const { jetstreamManager } = await import('@nats-io/jetstream');
    const manager = await jetstreamManager(broker.connection, { checkAPI: false, timeout: patienceMs });
    return work({ ...broker, manager });
  });

async function open(cli: Cli, endpoint: Endpoint, { plainText, isFollowed = false }: Opening) {
  const { server, info } = await reach(endpoint, cli.signal);
  const tls = tlsFor(endpoint, server, info, plainText);
  const [{ connect }, { data: login }] = await Promise.all([
    import('@nats-io/transport-node'),
    getCredentials(endpoint.call),
  ]);
  return connect({
    servers: [server, ...othersOf(endpoint, server, tls, plainText)],
    name: 'sluice',
    user: login.username,
    pass: login.password,
    timeout: patienceMs,
    noRandomize: true,
    // those that a broker knows of can be inside its network
    ignoreClusterUpdates: true,
    reconnect: isFollowed,
    reconnectTimeWait: 1_000,
    maxReconnectAttempts: reconnectSeconds,
    tls,
  });
}

/** The first server that answers. @throws Unreachable why the first one does not */
export async function reach(
  { servers }: Endpoint,
  signal: AbortSignal,
): Promise<{ server: string; info: ServerInfo }> {
  let failed: unknown;
  for (const server of servers) {
    try {
      return { server, info: await readServerInfo(server, signal) };
    } catch (error) {
      signal.throwIfAborted();
      failed ??= error;
    }
  }
  throw failed;
}

export const hasTls = ({ tls_required, tls_available }: ServerInfo): boolean =>
  tls_required === true || tls_available === true;

/** @returns null for a connection without TLS. @throws CliError where the login would be readable on its way */
export function tlsFor(
  { place, authority }: Pick<Endpoint, 'place' | 'authority'>,
  server: string,
  info: ServerInfo,
  plainText = false,
): ConnectionOptions['tls'] {
  const { host } = addressOf(server);
  if (hasTls(info)) {
    // Node takes the host for the name in the certificate where there is no other, which the types do not know
    return { ...(authority !== null && { ca: authority }), ...(isIP(host) > 0 && { host }) };
  }
  if (plainText || isLoopback(host)) return null;
  throw new CliError({
    exitCode: exitCodes.usage,
    message: `The broker of ${place} has no TLS: others on the way could read the login and the messages.`,
    next: 'set BROKER_TCP_TLS in its configuration, or pass --plain-text',
  });
}

/** The other servers, which a login reaches as safely as the first one. */
export const othersOf = (
  { servers }: Pick<Endpoint, 'servers'>,
  first: string,
  tls: ConnectionOptions['tls'],
  plainText = false,
): string[] =>
  servers.filter(
    (other) => other !== first && (plainText || Boolean(tls) || isLoopback(addressOf(other).host)),
  );

const isLoopback = (host: string): boolean => /^(127\.[\d.]+|::1|(.+\.)?localhost)$/.test(host);

/** Says why a connection has ended that was there. */
async function explainEnd(cli: Cli, endpoint: Endpoint): Promise<CliError> {
  try {
    await reach(endpoint, cli.signal);
  } catch (error) {
    cli.signal.throwIfAborted();
    if (error instanceof Unreachable) return explainUnreachable(cli, endpoint, error);
    throw error;
  }
  return new CliError({
    exitCode: exitCodes.tryAgain,
    message: `The broker of ${endpoint.place} has closed the connection.`,
    next: 'try again',
  });
}
