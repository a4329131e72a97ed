import { natsAccount } from '@sluice/contracts/broker-schemas';
import type { BrokerConfiguration, DesiredBroker } from '../runtime.ts';
import { ConfigurationRefused, type StoredCapacity } from '../runtime.ts';
import { defaultOf, natsSettings, readSettings, writtenValue } from './settings.ts';

/** Where the server keeps what it holds and tells its ports; absolute paths. */
export interface NatsFolders {
  store: string;
  ports: string;
}

interface Block {
  [key: string]: Value;
}
type Value = string | number | boolean | Value[] | Block;

/**
 * The configuration of a nats-server that listens on loopback only, on ports of the system's choice, with one user.
 *
 * The password stands in it as it is, in a file that only the agent's user may read. A hash would hide nothing: the
 * agent keeps the same password in the same folder, to be able to work without its supervisor. But it would cost
 * each connect a bcrypt round, cut passwords after 72 bytes and make every rendering of the same state differ.
 * @throws ConfigurationRefused
 */
export function renderConfiguration(broker: DesiredBroker, folders: NatsFolders): BrokerConfiguration {
  const { username, password } = broker.credentials;
  if (username === '' || password === '') throw new ConfigurationRefused('the credentials are empty');
  // nats-server takes such a password for a hash: its owner could not log in.
  if (/^\$2[abxy]\$/.test(password)) throw new ConfigurationRefused('the password looks like a bcrypt hash');
  const root: Block = {
    listen: '127.0.0.1:-1',
    http: '127.0.0.1:-1',
    websocket: { listen: '127.0.0.1:-1', no_tls: true },
    ports_file_dir: folders.ports,
    accounts: { [natsAccount]: { jetstream: 'enabled', users: [{ user: username, password }] } },
    jetstream: { store_dir: folders.store },
  };
  const restart: string[] = [];
  const capacity: StoredCapacity = { connections: null, memory_store: null, file_store: null };
  const values = readSettings(broker);
  for (const setting of natsSettings) {
    const value = values[setting.key] ?? null;
    const written = writtenValue(setting, value);
    if (written !== undefined) place(root, setting.path, written);
    if (setting.capacity && value !== null) capacity[setting.capacity] = Number(value);
    // the defaults are left out: a broker that has them is not ended when they become settings
    if (setting.restart && value !== defaultOf(setting)) restart.push(`${setting.key}=${String(value)}`);
  }
  const known = new Set(natsSettings.map(({ key }) => key));
  return {
    text: Object.entries(root)
      .map(([key, value]) => `${key}: ${write(value)}\n`)
      .join(''),
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
  const next = typeof former === 'object' && !Array.isArray(former) ? former : {};
  block[name] = next;
  place(next, inner, value);
}

function write(value: Value): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(write).join(', ')}]`;
  if (typeof value !== 'object') return String(value);
  const entries = Object.entries(value).map(([key, item]) => `${key}: ${write(item)}`);
  return `{ ${entries.join(', ')} }`;
}

/** A string that no content can end or have expanded: every byte that might mean something is written in hexadecimal. */
function quote(text: string): string {
  const bytes = [...Buffer.from(text)].map((byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9_./: -]/.test(character) ? character : `\\x${byte.toString(16).padStart(2, '0')}`;
  });
  return `"${bytes.join('')}"`;
}
