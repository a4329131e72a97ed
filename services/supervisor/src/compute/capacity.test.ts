import { brokerValues, lowered } from './capacity.ts';

const tier = { broker_connections: 100, broker_disk: 1_000, broker_memory: 500, broker_rate: 7 };

test('a broker has what the tier allows, and what is configured besides', () => {
  expect(
    brokerValues(tier, { BROKER_TCP_PING_INTERVAL: '90s', BROKER_STREAM_SYNC_ALWAYS: true }, 'nats'),
  ).toEqual({
    BROKER_TCP_MAX_CONNECTIONS: '100',
    BROKER_STREAM_MAX_DISK: '1000',
    BROKER_STREAM_MAX_MEMORY: '500',
    BROKER_TCP_PING_INTERVAL: '90s',
    BROKER_STREAM_SYNC_ALWAYS: 'true',
  });
});

test('a configuration takes less than the tier allows, and never more', () => {
  const configured = { BROKER_TCP_MAX_CONNECTIONS: 10, BROKER_STREAM_MAX_DISK: '1MiB' };
  const values = {
    BROKER_TCP_MAX_CONNECTIONS: '10',
    BROKER_STREAM_MAX_DISK: '1000',
    BROKER_STREAM_MAX_MEMORY: '500',
  };
  expect(brokerValues(tier, configured, 'nats')).toEqual(values);
  expect(lowered(tier, configured, 'nats')).toEqual({ ...tier, broker_connections: 10 });
  // by a main-api that said nothing of resources
  expect(brokerValues({}, configured, 'nats')).toEqual({
    BROKER_TCP_MAX_CONNECTIONS: '10',
    BROKER_STREAM_MAX_DISK: '1048576',
  });
});

test('what is not valid any more is left out, and what cannot be edited is never told', () => {
  const configured = { BROKER_TCP_MAX_PINGS: 'many', BROKER_QUIC_ENABLED: true, BROKER_OF_OLD: 1 };
  expect(brokerValues({}, configured, 'nats')).toEqual({});
  expect(lowered(tier, { BROKER_TCP_MAX_CONNECTIONS: 'many' }, 'nats')).toEqual(tier);
});

test('a runtime without a schema is told nothing', () => {
  expect(brokerValues(tier, { BROKER_TCP_MAX_PINGS: 3 }, 'echo')).toEqual({});
});
