import { readConfigValues } from '../config-values.ts';
import { brokerEntries, brokerSchema, natsSchema } from './index.ts';

const entries = brokerEntries(natsSchema);

test('the schema of nats has the sections of the interface, and keys that say theirs', () => {
  expect(Object.keys(natsSchema)).toEqual(
    expect.arrayContaining(['segment', 'stream', 'topic', 'tcp', 'http', 'websocket', 'quic']),
  );
  for (const [section, { schema }] of Object.entries(natsSchema))
    for (const { key } of schema)
      expect(key).toMatch(new RegExp(`^BROKER_${section.toUpperCase()}_[A-Z_]+$`));
  expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length);
});

test('what can be edited has a place in the configuration of the server, and what cannot says what it takes', () => {
  for (const { key, editable, path, requirements, restart } of entries) {
    expect([key, path !== null]).toEqual([key, editable]);
    expect([key, requirements.length > 0]).toEqual([
      key,
      !editable || restart || key === 'BROKER_TCP_MAX_CONNECTIONS',
    ]);
  }
});

test('the defaults are valid', () => {
  expect(readConfigValues(entries, {}).issues).toEqual([]);
  const given = entries.filter(({ editable, default_value }) => editable && default_value !== null);
  expect(
    readConfigValues(entries, Object.fromEntries(given.map(({ key, default_value }) => [key, default_value])))
      .issues,
  ).toEqual([]);
});

test('no key is secret, so that none says where secrets are sent', () => {
  expect(
    entries.filter(({ secret, kind, destination }) => secret || kind === 'secret' || destination),
  ).toEqual([]);
});

test('a runtime without a schema can be told nothing', () => {
  expect(brokerSchema('echo')).toEqual({});
});
