import { spawn, type ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { configText, readConfigValue } from '@sluice/contracts/config-values';
import { natsServerProgram } from '@sluice/embedded';
import type { DesiredBroker } from '../runtime.ts';
import { renderConfiguration } from './configuration.ts';
import { natsSettings, type NatsSetting } from './settings.ts';

const folders = { store: '/store', ports: '/ports', files: '/files' };
const broker = (values: Record<string, string>, rate_limit: number | null = null): DesiredBroker => ({
  ...{ runtime: 'nats', state: 'running', credentials: { username: 'a', password: 'b' } },
  ...{ values, rate_limit, stopped_until: null, config: null, former_credentials: [], encryption: null },
});
const render = (values: Record<string, string>, rate?: number | null) =>
  renderConfiguration(broker(values, rate), folders);

test.each([
  [null, {}, '10s'],
  // 64 MiB at the rate, and the server's own patience
  [100_000, {}, '682s'],
  [100_000, { BROKER_TCP_MAX_PENDING: '1MiB' }, '21s'],
  [100_000, { BROKER_TCP_WRITE_DEADLINE: '5s' }, '5s'],
])(
  'at a rate of %s and with %j a client may take %s for what is held back for it',
  (rate, values, deadline) => {
    expect(render(values, rate).text).toContain(`write_deadline: "${deadline}"`);
  },
);

test('a value that cannot be is refused by its key, with all others', () => {
  expect(() => render({ BROKER_TCP_MAX_CONNECTIONS: '0', BROKER_MESSAGE_MAX_SIZE: '1 MB' })).toThrow(
    'BROKER_MESSAGE_MAX_SIZE has to be a number of bytes, or one with KiB, MiB, GiB or TiB, ' +
      'BROKER_TCP_MAX_CONNECTIONS has to be at least 1',
  );
});

test('a value has the word of the server where that is another one', () => {
  expect(render({ BROKER_STREAM_SYNC_ALWAYS: 'true' }).text).toContain('sync_interval: "always"');
  expect(render({ BROKER_STREAM_SYNC_INTERVAL: '5s' }).text).toContain('sync_interval: "5s"');
});

test('a broker with defaults is not ended for what became a setting, nor for a value that is the default', () => {
  expect(render({ BROKER_TCP_MAX_PENDING: '64MiB' }).restartKey).toBe('');
  expect(render({ BROKER_STREAM_MAX_MEMORY: '2', BROKER_STREAM_MAX_DISK: '1' }).restartKey).toBe(
    'BROKER_STREAM_MAX_DISK=1 BROKER_STREAM_MAX_MEMORY=2',
  );
});

test('keys that the server cannot honour count as unknown', () => {
  expect(render({ BROKER_QUIC_ENABLED: 'true', BROKER_FROM_THE_FUTURE: '1' }).unknownKeys).toEqual([
    'BROKER_QUIC_ENABLED',
    'BROKER_FROM_THE_FUTURE',
  ]);
});

describe('a server that runs', () => {
  let home: string;
  let file: string;
  let server: ChildProcess;
  let lines: Interface;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'sluice-settings-'));
    file = join(home, 'broker.conf');
    await mkdir(join(home, 'ports'));
    await configure({});
    server = spawn(await natsServerProgram(), ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
    lines = createInterface({ input: server.stderr! });
    await said(/Server is ready/);
  });
  afterAll(async () => {
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
    await rm(home, { recursive: true, force: true });
  });

  const configure = (values: Record<string, string>) =>
    writeFile(
      file,
      renderConfiguration(broker(values), {
        store: join(home, 'store'),
        ports: join(home, 'ports'),
        files: join(home, 'files'),
      }).text,
    );

  /** The next line of its log that fits. */
  async function said(what: RegExp): Promise<string> {
    for await (const [line] of eventsOf(lines)) if (what.test(line)) return line;
    throw new Error('the server has ended');
  }

  /** What the server says to a change of its configuration: null when it takes it up while it runs. */
  async function reload(values: Record<string, string>): Promise<string | null> {
    await configure(values);
    const answer = said(/Reloaded server configuration|Failed to reload/);
    server.kill('SIGHUP');
    const line = await answer;
    return line.includes('Reloaded') ? null : line;
  }

  const placed = natsSettings.filter(({ path }) => path.length > 0);
  test.each(placed.map((setting) => [setting.key, setting] as const))(
    'takes %s as the schema says',
    async (key, setting) => {
      const refusal = await reload({ [key]: other(setting) });
      if (setting.restart) expect(refusal).toMatch(/config reload not supported/);
      else expect(refusal).toBeNull();
      expect(await reload({})).toBeNull();
    },
  );
});

const eventsOf = (lines: Interface) => on(lines, 'line') as AsyncIterable<[string]>;

/** A valid value that is not the default. */
function other(setting: NatsSetting): string {
  const bound = (name: 'min' | 'max') => setting.rules.find(({ rule }) => rule === name);
  const min = bound('min');
  const amount = (min && 'value' in min ? Number(min.value) : 0) + 1;
  const values: Partial<Record<NatsSetting['kind'], unknown>> = {
    bool: true,
    int: amount,
    size: amount,
    duration: `${amount}ms`,
    list: ['https://app.example.com'],
  };
  const read = readConfigValue(setting, values[setting.kind]);
  if ('issue' in read) throw new Error(`${setting.key} ${read.issue.message}`);
  return configText(setting, read.value);
}
