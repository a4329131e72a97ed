import { ConfigurationRefused, type DesiredBroker } from '../runtime.ts';
import { isPair, pemFile } from './pem-files.ts';
import type { Block } from './syntax.ts';

export interface NatsCluster {
  root: Block;
  files: ReadonlyMap<string, string>;
  /** settings that the server cannot change while it runs */
  restartKeys: readonly string[];
}

const alone: NatsCluster = { root: {}, files: new Map(), restartKeys: [] };

/** without users: the agent reads the server's monitoring instead */
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
  if (!isPair(tls)) throw new ConfigurationRefused('the certificate of the cluster and its key do not fit');
  const pair = pemFile(folder, tls.certificate, tls.private_key);
  const authority = pemFile(folder, tls.authority);
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

export const systemAccounts = (cluster: DesiredBroker['cluster']): Block =>
  cluster ? { [systemAccount]: {} } : {};
