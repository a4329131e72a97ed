import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '@sluice/system';
import { repository } from '@sluice/testing';
import { stringify } from 'yaml';
import { z } from 'zod';
import { drivers } from '../index.ts';
import { kubernetesSettings } from '../settings.ts';

/** As a supervisor reads its settings at its start. */
function read(template: unknown, more: Record<string, string> = {}) {
  const text = typeof template === 'string' ? template : stringify(template);
  const settings = readConfig(z.object(kubernetesSettings), { KUBERNETES_NODE_TEMPLATE: text, ...more });
  drivers[0]!.compute!.check!(settings);
  return settings.KUBERNETES_NODE_TEMPLATE;
}

test('a template is YAML or JSON, and what it leaves out is empty', () => {
  const [yaml, json] = [
    'pods:\n  nodeSelector: { pool: brokers }\n',
    '{ "pods": { "nodeSelector": { "pool": "brokers" } } }',
  ].map((text) => read(text));
  expect(yaml).toEqual(json);
  expect(yaml).toMatchObject({
    pods: { nodeSelector: { pool: 'brokers' }, tolerations: [], labels: {} },
    services: { annotations: {} },
  });
  expect(read('')).toBeUndefined();
});

test('a template says all that it may', () => {
  const pods = {
    labels: { 'app.kubernetes.io/part-of': 'streams' },
    annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' },
    nodeSelector: { 'node.kubernetes.io/instance-type': 'm7' },
    tolerations: [{ key: 'pool', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }],
    topologySpreadConstraints: [{ topologyKey: 'rack', whenUnsatisfiable: 'ScheduleAnyway' }],
    priorityClassName: 'brokers',
  };
  const services = {
    annotations: { 'external-dns.alpha.kubernetes.io/hostname': 'n{node}.example' },
    loadBalancerClass: 'service.k8s.aws/nlb',
  };
  const given = { pods, services, privateServices: services };
  const spread = [{ topologyKey: 'rack', whenUnsatisfiable: 'ScheduleAnyway', maxSkew: 1 }];
  expect(read(given, { KUBERNETES_PRIVATE_SERVICE_TYPE: 'LoadBalancer' })).toEqual({
    ...given,
    pods: { ...pods, topologySpreadConstraints: spread },
  });
});

test('the example of the documents is one', async () => {
  const text = await readFile(join(repository, 'docs/operations/kubernetes.md'), 'utf8');
  const [, example = ''] = /^## Pods of nodes\n[^]*?^```\n([^]*?)^```$/m.exec(text) ?? [];
  expect(read(example)).toMatchObject({ pods: { priorityClassName: 'brokers' } });
});

test.each<[unknown, string]>([
  ['pods: [', 'is neither JSON nor YAML'],
  ['some text', 'KUBERNETES_NODE_TEMPLATE: is not a template of nodes: '],
  // what the driver decides is no field of it
  [{ pods: { securityContext: { runAsUser: 0 } } }, 'pods: Unrecognized key: "securityContext"'],
  [{ pods: { hostNetwork: true } }, 'pods: Unrecognized key: "hostNetwork"'],
  [{ pods: { affinity: {} } }, 'pods: Unrecognized key: "affinity"'],
  [{ pod: {} }, 'Unrecognized key: "pod"'],
  [{ services: { type: 'NodePort' } }, 'services: Unrecognized key: "type"'],
  [
    { pods: { topologySpreadConstraints: [{ topologyKey: 'a', labelSelector: {} }] } },
    'Unrecognized key: "labelSelector"',
  ],
  ...[
    'sluice.example/tenant',
    'any.sluice.example/a',
    'app.kubernetes.io/managed-by',
    'statefulset.kubernetes.io/pod-name',
    'controller-revision-hash',
  ].map((name): [unknown, string] => [
    { pods: { labels: { [name]: 'a' } } },
    `pods: labels: ${name}: is decided by the driver`,
  ]),
  ...['sluice.example/authority', 'container.apparmor.security.beta.kubernetes.io/node'].map(
    (name): [unknown, string] => [
      { pods: { annotations: { [name]: 'a' } } },
      `pods: annotations: ${name}: is decided by the driver`,
    ],
  ),
  [
    { services: { annotations: { 'sluice.example/template': '' } } },
    'services: annotations: sluice.example/template: is decided by the driver',
  ],
  ...['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].flatMap((name): [unknown, string][] => [
    [{ pods: { nodeSelector: { [name]: 'a' } } }, `pods: nodeSelector: ${name}: is decided by the driver`],
    [
      { pods: { topologySpreadConstraints: [{ topologyKey: name, whenUnsatisfiable: 'DoNotSchedule' }] } },
      'pods: topologySpreadConstraints: 0: topologyKey: is decided by the driver',
    ],
  ]),
  [
    { pods: { tolerations: [{ key: 'node.kubernetes.io/unreachable', operator: 'Exists' }] } },
    'pods: tolerations: 0: key: is decided by the driver',
  ],
  [{ pods: { tolerations: [{ operator: 'Exists' }] } }, 'pods: tolerations: 0: key: '],
  [{ pods: { tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] } }, 'Exists has no value'],
  [{ pods: { tolerations: [{ key: 'a', tolerationSeconds: 1 }] } }, 'is for the effect NoExecute'],
  [{ pods: { labels: { 'a b': 'c' } } }, 'pods: labels: a b: is not the name of a label'],
  [{ pods: { labels: { a: 'b c' } } }, 'pods: labels: a: is not a value of a label'],
  [{ pods: { labels: { a: true } } }, 'pods: labels: a: Invalid input: expected string'],
  [{ pods: { priorityClassName: 'A' } }, 'is not the name of a PriorityClass'],
])('a template is refused: %j', (template, fault) => {
  expect(() => read(template)).toThrow(fault);
});

test.each<[unknown, Record<string, string>, string]>([
  [
    { pods: { nodeSelector: { dedicated: 'no' } } },
    { KUBERNETES_DEDICATED_NODES: 'dedicated=yes' },
    'dedicated is the label of KUBERNETES_DEDICATED_NODES',
  ],
  [
    { pods: { tolerations: [{ key: 'dedicated', operator: 'Exists' }] } },
    { KUBERNETES_DEDICATED_NODES: 'dedicated=yes' },
    'dedicated is the label of KUBERNETES_DEDICATED_NODES',
  ],
  [
    { services: { loadBalancerClass: 'a/b' } },
    { KUBERNETES_SERVICE_TYPE: 'NodePort' },
    'loadBalancerClass of services needs KUBERNETES_SERVICE_TYPE=LoadBalancer',
  ],
  [
    { privateServices: { loadBalancerClass: 'a/b' } },
    {},
    'loadBalancerClass of privateServices needs KUBERNETES_PRIVATE_SERVICE_TYPE=LoadBalancer',
  ],
  [
    { services: { perDeployment: true } },
    { KUBERNETES_SERVICE_TYPE: 'NodePort' },
    'perDeployment of services needs KUBERNETES_SERVICE_TYPE=LoadBalancer',
  ],
  [
    { services: { perDeployment: true, annotations: { host: 'n{node}.example' } } },
    {},
    'host of services names {node}, but with perDeployment nodes of a cluster share it',
  ],
  [
    { privateServices: { annotations: { internal: 'no' } } },
    { KUBERNETES_PRIVATE_SERVICE_ANNOTATIONS: 'internal=yes' },
    'internal is given twice, also by KUBERNETES_PRIVATE_SERVICE_ANNOTATIONS',
  ],
  [
    { services: { annotations: { internal: 'yes' } } },
    { KUBERNETES_PRIVATE_SERVICE_TYPE: 'LoadBalancer' },
    'KUBERNETES_PRIVATE_SERVICE_ANNOTATIONS is missing',
  ],
])('a template is refused with other settings: %j, %j', (template, more, fault) => {
  expect(() => read(template, more)).toThrow(fault);
});

test.each<[object, Record<string, string>]>([
  [{ annotations: { internal: 'yes' } }, {}],
  [{ loadBalancerClass: 'example.com/internal' }, {}],
  [{}, { KUBERNETES_PRIVATE_SERVICE_ANNOTATIONS: 'internal=yes' }],
])('a private load balancer is internal by %j or %j', (privateServices, more) => {
  const settings = { KUBERNETES_PRIVATE_SERVICE_TYPE: 'LoadBalancer', ...more };
  expect(() => read({ privateServices }, settings)).not.toThrow();
});

test.each([
  ['{"auths":{"registry.example":{"auth":"YTpi"}}}', true],
  ['{"auths":{"registry.example":{"username":"a","password":"b"}}}', true],
  ['{"auths":{}}', false],
  ['{"auths":{"registry.example":{}}}', false],
  ['{"registry.example":{"auth":"YTpi"}}', false],
  ['a:b', false],
])('credentials of a registry are as Docker keeps them: %s', (text, isRight) => {
  const start = () => readConfig(z.object(kubernetesSettings), { KUBERNETES_PULL_CREDENTIALS: text });
  if (isRight) expect(start().KUBERNETES_PULL_CREDENTIALS).toBe(text);
  else expect(start).toThrow('KUBERNETES_PULL_CREDENTIALS: has to be the .dockerconfigjson');
});
