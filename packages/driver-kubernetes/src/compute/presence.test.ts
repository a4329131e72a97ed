import type { ApiObject } from './api-object.ts';
import { addressOf, presenceOf, silenceOf } from './presence.ts';

const metadata = { name: 'node-1-0' };
const running = { phase: 'Running', hostIP: '198.51.100.9', containerStatuses: [{ state: { running: {} } }] };
const pod = (status: object, more: Partial<ApiObject> = {}): ApiObject => ({
  ...{ metadata, spec: { nodeName: 'worker-3' }, status },
  ...more,
});

describe('a node of a cluster', () => {
  test('is at work while its container runs', () => {
    expect(presenceOf(pod(running))).toEqual({ presence: 'running' });
  });

  const leaving = { metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  const silent = { type: 'DisruptionTarget', status: 'True', reason: 'DeletionByTaintManager' };
  const nowhere = { type: 'PodScheduled', status: 'False', message: '0/3 nodes are available' };
  const waiting = { reason: 'ImagePullBackOff', message: 'no such image' };

  test.each<[string, ApiObject | undefined, string]>([
    ['no pod', undefined, 'has not made its pod'],
    [
      'a machine that is silent',
      pod({ ...running, conditions: [silent] }, leaving),
      'machine worker-3 does not answer',
    ],
    ['a pod that ends', pod(running, leaving), 'is ending'],
    ['no machine for it', pod({ phase: 'Pending', conditions: [nowhere] }), '0/3 nodes are available'],
    [
      'a container that waits',
      pod({ phase: 'Pending', containerStatuses: [{ state: { waiting } }] }),
      'ImagePullBackOff: no such image',
    ],
    [
      'a container that has ended',
      pod({
        phase: 'Running',
        containerStatuses: [{ state: { terminated: { exitCode: 1, reason: 'Error' } } }],
      }),
      'Running (Error)',
    ],
    ['a pod that was thrown out', pod({ phase: 'Failed', reason: 'Evicted' }), 'Failed (Evicted)'],
    ['a pod of which nothing is known', pod({}), 'Pending'],
  ])('is not with %s, and people read why', (_what, found, reason) => {
    expect(presenceOf(found)).toEqual({
      presence: 'stopped',
      reason: expect.stringContaining(reason) as string,
    });
  });

  test('tells no more than people can read', () => {
    const message = 'x'.repeat(10_000);
    const { reason } = presenceOf(
      pod({ phase: 'Pending', containerStatuses: [{ state: { waiting: { message } } }] }),
    );
    expect(reason!.length).toBeLessThanOrEqual(300);
  });
});

test('an agent that runs for a while and has not enrolled gets no answer from an address that people read', () => {
  const at = (startedAt?: string) =>
    pod({ phase: 'Running', containerStatuses: [{ state: { running: { startedAt } } }] });
  const silence = (found: ApiObject | undefined) =>
    silenceOf(found, 'https://edge.example', new Date('2026-01-01T00:01:00Z'));
  expect(silence(at('2026-01-01T00:00:00Z'))).toMatch(
    /no answer.* from https:\/\/edge\.example \(AGENT_API_URL\)/,
  );
  for (const found of [at('2026-01-01T00:00:45Z'), at(), pod({}), undefined])
    expect(silence(found)).toBeUndefined();
});

describe('the address of a node', () => {
  const ports = [
    { name: 'tcp', port: 4222, nodePort: 30001 },
    { name: 'websocket', port: 8080, nodePort: 30002 },
    { name: 'somebody-elses', port: 1, nodePort: 30003 },
  ];
  const service = (status: object = {}): ApiObject => ({
    ...{ metadata: { name: 'node-1' }, spec: { clusterIP: '10.96.0.7', ports }, status },
  });
  const fixed = { broker_tcp: 4222, broker_websocket: 8080 };
  const balanced = (entry: object) => service({ loadBalancer: { ingress: [entry] } });

  test('is where its Service is, by kind', () => {
    expect(addressOf('ClusterIP', service(), undefined)).toEqual({ host: '10.96.0.7', ports: fixed });
    expect(addressOf('LoadBalancer', balanced({ ip: '203.0.113.1' }), undefined)).toEqual({
      ...{ host: '203.0.113.1', ports: fixed },
    });
    expect(addressOf('LoadBalancer', balanced({ hostname: 'lb.example' }), undefined)?.host).toBe(
      'lb.example',
    );
    expect(addressOf('NodePort', service(), pod(running))).toEqual({
      ...{ host: '198.51.100.9', ports: { broker_tcp: 30001, broker_websocket: 30002 } },
    });
  });

  test('is not known before the cluster has given it one', () => {
    expect(addressOf('LoadBalancer', service(), undefined)).toBeNull();
    expect(addressOf('LoadBalancer', service({ loadBalancer: {} }), undefined)).toBeNull();
    expect(addressOf('NodePort', service(), pod({}))).toBeNull();
    expect(addressOf('ClusterIP', undefined, undefined)).toBeNull();
  });
});
