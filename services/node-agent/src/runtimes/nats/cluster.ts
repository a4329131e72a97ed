import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { ConfigurationRefused, type DesiredBroker } from '../runtime.ts';
import type { Block } from './syntax.ts';

/** How nats-server is told of its cluster; why so is docs/decisions/063. */
export interface NatsCluster {
  /** what stands at the top of its configuration */
  root: Block;
  files: ReadonlyMap<string, string>;
  /** what the server cannot change while it runs */
  restartKeys: readonly string[];
}

const alone: NatsCluster = { root: {}, files: new Map(), restartKeys: [] };

/** nobody logs in to it: what the agent wants to know it asks the server's monitoring */
const systemAccount = 'system';
const handshakeSeconds = 5;

/**
 * Reads how the broker is one of a cluster. The files of the certificate have digests as their names, as those for clients have.
 * @param folder where the files will be
 * @param port where it listens for the others
 * @throws ConfigurationRefused
 */
export function readCluster(
  cluster: DesiredBroker['cluster'],
  folder: string,
  port: number | null,
): NatsCluster {
  if (!cluster) return alone;
  if (port === null) throw new ConfigurationRefused('the node has no port for its cluster');
  const { name, server_name, host, routes, credentials, tls } = cluster;
  requirePair(tls);
  const pair = fileOf(folder, `${tls.certificate.trim()}\n${tls.private_key.trim()}\n`);
  const authority = fileOf(folder, `${tls.authority.trim()}\n`);
  const others = routes.filter((other) => other.server_name !== server_name);
  // as the others reach it: where it listens may be no address
  const own = routes.find((route) => route.server_name === server_name)?.host ?? host;
  const login = [credentials.username, credentials.password].map(encodeURIComponent).join(':');
  return {
    root: {
      server_name,
      system_account: systemAccount,
      cluster: {
        name,
        listen: `${host}:${port}`,
        // clients come through the gateways, of which no server knows
        no_advertise: true,
        authorization: {
          user: credentials.username,
          password: credentials.password,
          timeout: handshakeSeconds,
        },
        tls: {
          cert_file: pair.path,
          key_file: pair.path,
          ca_file: authority.path,
          verify: true,
          timeout: handshakeSeconds,
        },
        // its own among them: the server counts by them how many there are to be at the first start
        routes: [{ host: own, port }, ...others].map(
          (other) => `nats-route://${login}@${other.host}:${other.port}`,
        ),
      },
    },
    files: new Map([pair, authority].map(({ path, content }) => [path, content])),
    restartKeys: [`cluster=${name}`, `server_name=${server_name}`, `cluster_listen=${host}:${port}`],
  };
}

/** The account that only the server itself uses, where it is one of a cluster. */
export const systemAccounts = (cluster: DesiredBroker['cluster']): Block =>
  cluster ? { [systemAccount]: {} } : {};

function fileOf(folder: string, content: string): { path: string; content: string } {
  const name = createHash('sha256').update(content).digest('hex').slice(0, 40);
  return { path: join(folder, `${name}.pem`), content };
}

/** A server with a pair that it can't read would not start. */
function requirePair({ certificate, private_key }: { certificate: string; private_key: string }): void {
  try {
    if (new X509Certificate(certificate).checkPrivateKey(createPrivateKey(private_key))) return;
  } catch {
    // told below
  }
  throw new ConfigurationRefused('the certificate of the cluster and its key do not fit');
}
