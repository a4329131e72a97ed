import { readFileSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { inboxOf, type Sender } from '@sluice/contracts';
import { credsAuthenticator, nkeyAuthenticator, type NodeConnectionOptions } from '@nats-io/transport-node';
import type { ServiceEnvironment } from '@sluice/service';

export type NatsEnvironment = Pick<
  ServiceEnvironment,
  | 'NATS_URL'
  | 'NATS_NKEY_SEED'
  | 'NATS_CREDENTIALS_FILE'
  | 'NATS_TLS_CA_FILE'
  | 'NATS_TLS_CERT_FILE'
  | 'NATS_TLS_KEY_FILE'
>;

/**
 * Where NATS is, and as which user and how to connect: answers come to an inbox that only this user may read.
 * @throws Error when a file cannot be read, or settings contradict each other
 */
export function natsOptions(environment: NatsEnvironment, sender: Sender): Promise<NodeConnectionOptions> {
  return natsConnectionOptions(environment, inboxOf(sender));
}

/** The same for a user that is no sender, such as an operator. */
export async function natsConnectionOptions(
  environment: NatsEnvironment,
  inboxPrefix: string,
): Promise<NodeConnectionOptions> {
  const authenticator = await authenticatorOf(environment);
  const tls = tlsOf(environment);
  return {
    servers: environment.NATS_URL.split(',').map((server) => server.trim()),
    inboxPrefix,
    ...(authenticator && { authenticator }),
    ...(tls && { tls }),
  };
}

/** Whether this is a user of NATS, rather than anybody. */
export const isNatsUser = ({ NATS_NKEY_SEED, NATS_CREDENTIALS_FILE }: NatsEnvironment): boolean =>
  (NATS_NKEY_SEED ?? NATS_CREDENTIALS_FILE) !== undefined;

async function authenticatorOf({ NATS_NKEY_SEED, NATS_CREDENTIALS_FILE }: NatsEnvironment) {
  if (NATS_NKEY_SEED !== undefined && NATS_CREDENTIALS_FILE !== undefined)
    throw new Error('NATS_NKEY_SEED and NATS_CREDENTIALS_FILE are both set: one of them says who this is.');
  if (NATS_NKEY_SEED !== undefined) return nkeyAuthenticator(new TextEncoder().encode(NATS_NKEY_SEED));
  if (NATS_CREDENTIALS_FILE !== undefined) {
    await access(NATS_CREDENTIALS_FILE);
    // read at each connection, since credentials end and are replaced
    return credsAuthenticator(() => readFileSync(NATS_CREDENTIALS_FILE));
  }
  return undefined;
}

/** Before anything else is said there is TLS: a server that answers without it would learn who this is. */
function tlsOf({ NATS_URL, NATS_TLS_CA_FILE, NATS_TLS_CERT_FILE, NATS_TLS_KEY_FILE }: NatsEnvironment) {
  if ((NATS_TLS_CERT_FILE === undefined) !== (NATS_TLS_KEY_FILE === undefined))
    throw new Error('NATS_TLS_CERT_FILE and NATS_TLS_KEY_FILE go together.');
  // with `tls://` by a public authority
  const isAsked = NATS_URL.split(',').some((server) => server.trim().startsWith('tls://'));
  if (!isAsked && NATS_TLS_CA_FILE === undefined && NATS_TLS_CERT_FILE === undefined) return undefined;
  return {
    handshakeFirst: true,
    ...(NATS_TLS_CA_FILE !== undefined && { caFile: NATS_TLS_CA_FILE }),
    ...(NATS_TLS_CERT_FILE !== undefined && { certFile: NATS_TLS_CERT_FILE }),
    ...(NATS_TLS_KEY_FILE !== undefined && { keyFile: NATS_TLS_KEY_FILE }),
  };
}

/** Why there is no connection. OpenSSL calls a server that does not begin with TLS one of a wrong version. */
export function refusalOf(error: unknown): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_SSL_WRONG_VERSION_NUMBER') return error;
  return new Error('NATS does not begin with TLS: the server needs tls { …, handshake_first: auto }', {
    cause: error,
  });
}
