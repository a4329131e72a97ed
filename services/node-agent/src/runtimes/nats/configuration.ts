import { natsAccount } from '@sluice/contracts/broker-schemas';
import type { BrokerConfiguration, DesiredBroker } from '../runtime.ts';
import { ConfigurationRefused, type StoredCapacity } from '../runtime.ts';
import { readCluster, systemAccounts } from './cluster.ts';
import { encryptedBlock } from './encryption.ts';
import { readTls } from './tls.ts';
import { Variable, write, type Block, type Value } from './syntax.ts';
import { defaultOf, natsSettings, readSettings, writtenValue } from './settings.ts';

/** Where the server keeps what it holds and tells its ports; absolute paths. */
export interface NatsFolders {
  store: string;
  ports: string;
  /** of the files that its configuration refers to */
  files: string;
}

/**
 * The configuration of a nats-server that listens on loopback only, on ports of the system's choice. Its users are the deployment's login
 * and those before it that are still good.
 *
 * The password stands in it as it is, in a file that only the agent's user may read. A hash would hide nothing: the
 * agent keeps the same password in the same folder, to be able to work without its supervisor. But it would cost
 * each connect a bcrypt round, cut passwords after 72 bytes and make every rendering of the same state differ.
 * @param clusterPort where it listens for the others of its cluster; null where it is by itself
 * @throws ConfigurationRefused
 */
export function renderConfiguration(
  broker: DesiredBroker,
  folders: NatsFolders,
  ownLogins: readonly string[] = [],
  clusterPort: number | null = null,
): BrokerConfiguration {
  const values = readSettings(broker);
  const tls = readTls(broker.tls ?? null, values, folders.files);
  const cluster = readCluster(broker.cluster, folders.files, clusterPort);
  const encryption = broker.encryption ?? null;
  const root: Block = {
    listen: '127.0.0.1:-1',
    http: '127.0.0.1:-1',
    websocket: { listen: '127.0.0.1:-1', ...tls.websocket },
    ports_file_dir: folders.ports,
    ...cluster.root,
    accounts: {
      ...systemAccounts(broker.cluster),
      [natsAccount]: {
        jetstream: 'enabled',
        users: [...usersOf(broker), ...ownLogins.map((nkey) => ({ nkey }))],
      },
    },
    jetstream: { store_dir: folders.store, ...encryptedBlock(encryption) },
    ...tls.tcp,
  };
  const restart = [
    ...tls.restartKeys,
    ...cluster.restartKeys,
    ...(encryption ? [`encryption=${encryption.version}`] : []),
  ];
  const capacity: StoredCapacity = { connections: null, memory_store: null, file_store: null };
  for (const setting of natsSettings) {
    const value = values[setting.key] ?? null;
    const written = writtenValue(setting, value);
    if (written !== undefined) place(root, setting.path, written);
    if (setting.capacity && value !== null) capacity[setting.capacity] = Number(value);
    // the defaults are left out: a broker that has them is not ended when they become settings
    const isPlaced = setting.path.length > 0;
    if (setting.restart && isPlaced && value !== defaultOf(setting))
      restart.push(`${setting.key}=${String(value)}`);
  }
  const known = new Set(natsSettings.map(({ key }) => key));
  return {
    text: Object.entries(root)
      .map(([key, value]) => `${key}: ${write(value)}\n`)
      .join(''),
    files: new Map([...tls.files, ...cluster.files]),
    encryption,
    restartKey: restart.sort().join(' '),
    capacity,
    unknownKeys: Object.keys(broker.values).filter((key) => !known.has(key)),
  };
}

/** Puts a value where its path leads; a block takes the place of a word that stands for its defaults. */
function place(block: Block, [name, ...inner]: readonly string[], value: Value): void {
  if (name === undefined) return;
  if (inner.length === 0) {
    block[name] = value;
    return;
  }
  const former = block[name];
  const isBlock = typeof former === 'object' && !Array.isArray(former) && !(former instanceof Variable);
  const next = isBlock ? former : {};
  block[name] = next;
  place(next, inner, value);
}

/** The server would refuse two users of one name. */
function usersOf({ credentials, former_credentials = [] }: DesiredBroker): Value[] {
  const { username, password } = credentials;
  if (username === '' || password === '') throw new ConfigurationRefused('the credentials are empty');
  // nats-server takes such a password for a hash: its owner could not log in.
  if (/^\$2[abxy]\$/.test(password)) throw new ConfigurationRefused('the password looks like a bcrypt hash');
  const logins = new Map(former_credentials.map((former) => [former.username, former.password]));
  logins.set(username, password);
  return [...logins].map(([user, secret]) => ({ user, password: secret }));
}
