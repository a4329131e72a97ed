import { ConfigurationRefused, type DesiredBroker, type StoredCapacity } from '../runtime.ts';

/**
 * The BROKER_* keys of nats-server: where each stands in its configuration file, how it is written and what it is
 * without a value. Sizes are bytes or a number with KiB, MiB, GiB or TiB; durations a number with ms, s, m or h. A key
 * with `restart` can't be changed while the server runs. A default of null leaves the choice to the server: for both
 * JetStream limits three quarters of what the machine has.
 */
export const natsSettings: readonly NatsSetting[] = [
  {
    key: 'BROKER_TCP_MAX_CONNECTIONS',
    path: ['max_connections'],
    kind: 'int',
    default: '65536',
    capacity: 'connections',
  },
  { key: 'BROKER_TCP_MAX_PENDING', path: ['max_pending'], kind: 'size', default: '64MiB' },
  { key: 'BROKER_TCP_WRITE_DEADLINE', path: ['write_deadline'], kind: 'duration', default: '10s' },
  { key: 'BROKER_TCP_PING_INTERVAL', path: ['ping_interval'], kind: 'duration', default: '2m' },
  { key: 'BROKER_MESSAGE_MAX_SIZE', path: ['max_payload'], kind: 'size', default: '1MiB', max: 64 * 2 ** 20 },
  {
    key: 'BROKER_STREAM_MAX_DISK',
    path: ['jetstream', 'max_file_store'],
    capacity: 'file_store',
    kind: 'size',
    default: null,
    restart: true,
  },
  {
    key: 'BROKER_STREAM_MAX_MEMORY',
    path: ['jetstream', 'max_memory_store'],
    capacity: 'memory_store',
    kind: 'size',
    default: null,
    restart: true,
  },
];

export interface NatsSetting {
  key: string;
  path: readonly [string] | readonly [string, string];
  kind: 'int' | 'size' | 'duration';
  default: string | null;
  /** the greatest number that the server takes */
  max?: number;
  restart?: true;
  /** what of the broker's capacity it is */
  capacity?: keyof StoredCapacity;
}

/**
 * The write deadline where the gateway paces what goes out: a client that is slow by that is not cut for it. The server holds back up
 * to `max_pending` for each, which has to have passed by then.
 */
export function slowestDelivery({ key }: NatsSetting, { rate_limit, values }: DesiredBroker): string | null {
  const pending = natsSettings.find((setting) => setting.key === 'BROKER_TCP_MAX_PENDING');
  if (key !== 'BROKER_TCP_WRITE_DEADLINE' || !rate_limit || !pending) return null;
  const bytes = Number(readSetting(pending, values[pending.key] ?? pending.default ?? ''));
  return `${leastDeadlineSeconds + Math.ceil(bytes / rate_limit)}s`;
}

const leastDeadlineSeconds = 10;

const units = new Map([
  ['', 1],
  ['KiB', 2 ** 10],
  ['MiB', 2 ** 20],
  ['GiB', 2 ** 30],
  ['TiB', 2 ** 40],
]);

/**
 * Reads a value as the server's configuration has it: a number, or Go's notation for a duration.
 * @throws ConfigurationRefused
 */
export function readSetting(setting: NatsSetting, value: string): number | string {
  const [, digits, unit] = /^(\d{1,15}) ?([A-Za-z]*)$/.exec(value.trim()) ?? [];
  const number = Number(digits);
  const refuse = (expected: string) => new ConfigurationRefused(`${setting.key} has to be ${expected}`);
  if (setting.kind === 'duration') {
    if (!(number > 0) || !/^(ms|s|m|h)$/.test(unit ?? ''))
      throw refuse('a number above 0 with ms, s, m or h');
    return `${number}${unit}`;
  }
  const factor = setting.kind === 'int' ? (unit === '' ? 1 : undefined) : units.get(unit ?? '-');
  if (!(number > 0) || factor === undefined) {
    throw refuse(
      setting.kind === 'int' ? 'a whole number above 0' : 'a number of bytes above 0, or with KiB … TiB',
    );
  }
  const result = number * factor;
  const max = setting.max ?? (setting.kind === 'int' ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER);
  if (result > max) throw refuse(`at most ${max}`);
  return result;
}
