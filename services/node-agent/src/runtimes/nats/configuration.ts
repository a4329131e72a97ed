import { createHash } from 'node:crypto';
import { natsAccount } from '@sluice/contracts/broker-schemas';
import { encodeBase64, hashSync } from 'bcryptjs';
import type { BrokerConfiguration, DesiredBroker } from '../runtime.ts';
import { ConfigurationRefused, type StoredCapacity } from '../runtime.ts';
import { readCluster, systemAccounts } from './cluster.ts';
import { encryptedBlock } from './encryption.ts';
import { readTls } from './tls.ts';
import { Variable, write, type Block, type Value } from './syntax.ts';
import { defaultOf, natsSettings, readSettings, writtenValue } from './settings.ts';

export interface NatsFolders {
  store: string;
  ports: string;
  files: string;
}

/**
 * The configuration of a nats-server that listens on loopback only, on ports of the system's choice. Its users are the deployment's login
 * and those before it that are still good.
 *
 * Passwords of clients stand in it as hashes. The login of a cluster does not: each server shows it to the others.
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
  const { encryption } = broker;
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
function usersOf({ credentials, former_credentials }: DesiredBroker): Value[] {
  const { username, password } = credentials;
  if (username === '' || password === '') throw new ConfigurationRefused('the credentials are empty');
  const logins = new Map(former_credentials.map((former) => [former.username, former.password]));
  logins.set(username, password);
  return [...logins].map(([user, secret]) => ({ user, password: hashOf(secret) }));
}

/**
 * A bcrypt hash that is the same for the same password: the same state is the same configuration. The least cost is enough for
 * passwords of 32 random characters, and each connect pays it.
 */
function hashOf(password: string): string {
  const salt = createHash('sha256').update(password).digest().subarray(0, 16);
  return hashSync(password, `$2b$04$${encodeBase64([...salt], 16)}`);
}
