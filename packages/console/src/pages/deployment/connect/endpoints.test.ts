import { endpointsOf } from './endpoints.ts';

const none = { broker_tcp: null, broker_http: null, broker_websocket: null, broker_udp: null };

test('the addresses of a deployment come before those of its nodes', () => {
  const nodes = [{ endpoints: { ...none, broker_tcp: 'node:1', broker_websocket: 'node:2' } }];
  const endpoints = { ...none, broker_tcp: 'own:1' };
  expect(endpointsOf({ endpoints, nodes })).toEqual([
    { key: 'broker_tcp', name: 'NATS', address: 'own:1' },
    { key: 'broker_websocket', name: 'WebSocket', address: 'node:2' },
  ]);
  expect(endpointsOf({ endpoints: none, nodes: [{ endpoints: none }] })).toEqual([]);
});
