import { endpointsOf, streamPageOf } from './endpoints.ts';

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

test('the page of streams is opened by HTTPS where the deployment has a certificate', () => {
  const endpoints = [{ key: 'broker_http', name: 'Stream UI', address: 'node:8222' }] as const;
  expect(streamPageOf(endpoints, true)).toBe('https://node:8222/');
  expect(streamPageOf(endpoints, false)).toBe('http://node:8222/');
  expect(streamPageOf([], true)).toBeUndefined();
});
