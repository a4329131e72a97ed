import { renderConfiguration } from './configuration.ts';
import { natsSettings, readSetting, type NatsSetting } from './settings.ts';

const setting = (kind: NatsSetting['kind'], max?: number): NatsSetting => {
  return { key: 'BROKER_X', path: ['x'], kind, default: null, ...(max !== undefined && { max }) };
};

test.each([
  ['int', '12', 12],
  ['size', '1000', 1_000],
  ['size', '64 KiB', 65_536],
  ['size', '2GiB', 2 * 2 ** 30],
  ['duration', '10s', '10s'],
  ['duration', '250 ms', '250ms'],
] as const)('%s %j is read as %j', (kind, text, expected) => {
  expect(readSetting(setting(kind), text)).toBe(expected);
});

test.each([
  ['int', ''],
  ['int', '0'],
  ['int', '-1'],
  ['int', '1.5'],
  ['int', '1k'],
  ['int', '99999999999'],
  ['size', '10 MB'],
  ['size', '1 toString'],
  ['size', '9000 TiB'],
  ['duration', '10'],
  ['duration', '1d'],
  ['duration', '1s }'],
] as const)('%s %j is refused', (kind, text) => {
  expect(() => readSetting(setting(kind), text)).toThrow(/^BROKER_X has to be /);
});

test('a number above what the server takes is refused', () => {
  expect(() => readSetting(setting('size', 1_024), '2KiB')).toThrow('BROKER_X has to be at most 1024');
});

test.each(natsSettings.filter((candidate) => candidate.default !== null))(
  'the default of $key is valid',
  (one) => {
    expect(() => readSetting(one, one.default ?? '')).not.toThrow();
  },
);

test.each([
  [null, {}, '10s'],
  // 64 MiB at the rate, and the server's own patience
  [100_000, {}, '682s'],
  [100_000, { BROKER_TCP_MAX_PENDING: '1MiB' }, '21s'],
  [100_000, { BROKER_TCP_WRITE_DEADLINE: '5s' }, '5s'],
])(
  'at a rate of %s and with %j a client may take %s for what is held back for it',
  (rate_limit, values, deadline) => {
    const { text } = renderConfiguration(
      {
        runtime: 'nats',
        state: 'running',
        credentials: { username: 'a', password: 'b' },
        values,
        rate_limit,
      },
      { store: '/store', ports: '/ports' },
    );
    expect(text).toContain(`write_deadline: "${deadline}"`);
  },
);
