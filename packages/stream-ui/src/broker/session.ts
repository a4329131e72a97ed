import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { wsconnect, type NatsConnection } from '@nats-io/nats-core';
import { ShownError } from '@sluice/ui/lib/problems.ts';

export interface Login {
  username: string;
  password: string;
}

/** A session with a broker, signed in. */
export interface Broker {
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  readonly client: JetStreamClient;
  /** the most bytes that a message may have, headers included */
  readonly mostBytes: number;
  readonly version: string;
  close(): Promise<void>;
}

/** Why a session has ended, as the server's close says it; empty where it says nothing. */
export interface SessionEnd {
  code: number;
  reason: string;
}

export interface SessionOptions {
  /** `wss://…`; in a page of the same origin */
  url: string;
  login: Login;
  /** connects again by itself, as where nothing but the way to the broker was interrupted */
  reconnects?: boolean;
  /** called once, when the session is over and not by `close` */
  onEnd?: (end: SessionEnd) => void;
  /** called when the connection is lost and when it is back, where it reconnects */
  onConnected?: (isConnected: boolean) => void;
}

const connectLimit = 10_000;
/** for an answer, of which one can be a message of several MiB */
const answerLimit = 15_000;

/**
 * Connects and signs in.
 * @throws ShownError with a sentence for people
 */
export async function openBroker(options: SessionOptions): Promise<Broker> {
  const { url, login, reconnects = false, onEnd, onConnected } = options;
  let end: SessionEnd = { code: 1006, reason: '' };
  let isClosing = false;
  let connection: NatsConnection;
  try {
    connection = await wsconnect({
      servers: url,
      user: login.username,
      pass: login.password,
      name: 'stream UI',
      timeout: connectLimit,
      reconnect: reconnects,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 1000,
      // the page's own origin is the only way to the broker
      ignoreClusterUpdates: true,
      wsFactory: async (address) => {
        const socket = new WebSocket(address);
        socket.addEventListener('close', ({ code, reason }) => (end = { code, reason }));
        return { socket, encrypted: address.startsWith('wss:') };
      },
    });
  } catch (error) {
    throw connectError(error, end);
  }
  const { version, max_payload: mostBytes } = connection.info ?? { version: '', max_payload: 2 ** 20 };
  void connection.closed().then(() => {
    if (!isClosing) onEnd?.(end);
  });
  if (onConnected) void watchConnection(connection, onConnected);
  const close = async () => {
    isClosing = true;
    await connection.close();
  };
  try {
    const manager = await jetstreamManager(connection, { timeout: answerLimit });
    return { connection, manager, client: jetstream(connection), mostBytes, version, close };
  } catch (error) {
    await close();
    throw explained(error);
  }
}

async function watchConnection(connection: NatsConnection, onConnected: (isConnected: boolean) => void) {
  for await (const { type } of connection.status()) {
    if (type === 'disconnect') onConnected(false);
    if (type === 'reconnect') onConnected(true);
  }
}

function connectError(error: unknown, { reason }: SessionEnd): ShownError {
  const message = error instanceof Error ? error.message : String(error);
  if (/authorization/i.test(message))
    return new ShownError(
      'login_refused',
      'The broker refuses the login',
      'User or password are not those of the deployment.',
    );
  return new ShownError(
    'broker_unreachable',
    'The broker cannot be reached',
    reason !== '' ? endText({ code: 0, reason }) : 'The connection was refused or has timed out.',
  );
}

/** What of a broker's error people read. */
export function explained(error: unknown): Error {
  if (error instanceof ShownError) return error;
  const { name = '', message = String(error) } = error as Error;
  if (name === 'StreamReplacedError')
    return new ShownError('stream_deleted', 'The stream was deleted', message);
  if (name === 'StreamNotFoundError')
    return new ShownError('no_stream', 'There is no such stream', 'It was deleted, or never made.');
  if (/timeout/i.test(name) || /timeout|does not answer/i.test(message))
    return new ShownError('broker_silent', 'The broker does not answer', 'It took too long. Try again.');
  if (/closed|draining/i.test(name))
    return new ShownError('session_ended', 'The session has ended', 'Connect again.');
  return new ShownError('broker_refused', 'The broker refuses it', message);
}

const ends: Record<string, string> = {
  forbidden: 'Your right to read the login of this deployment was taken away.',
  address_not_admitted: 'No access rule admits your address any more.',
  deleted: 'The deployment was deleted.',
  idle: 'Nothing happened for a while.',
  broker_gone: 'The broker has ended the connection, as in a restart.',
  stopping: 'The region restarts. Connect again.',
};

/** Why a session has ended, in a sentence. */
export const endText = ({ reason }: SessionEnd): string =>
  ends[reason] ?? 'The connection to the broker was lost.';
