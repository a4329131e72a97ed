import { z } from 'zod';
import { objectsByFile, rendered, type KubernetesObject } from './objects.ts';

/** What an installation with the console has to agree about, and who may connect to whom for it. */

const layers = {
  'the overlays': ['overlays/control-plane', 'overlays/regions/cloud-a-us-east-1'],
  'the example for one machine': ['examples/local/control-plane', 'examples/local/regions/cloud-a-us-east-1'],
  'the example behind an Ingress': [
    'examples/ingress/control-plane',
    'examples/ingress/regions/cloud-a-us-east-1',
  ],
  'the example behind a Gateway': [
    'examples/gateway/control-plane',
    'examples/gateway/regions/cloud-a-us-east-1',
  ],
  'the example behind an edge': [
    'examples/production/control-plane',
    'examples/production/regions/cloud-a-us-east-1',
  ],
};

/** Settings of the ConfigMap of this name, or undefined. */
const settingsIn = (objects: readonly KubernetesObject[], name: string) =>
  z
    .record(z.string(), z.string())
    .optional()
    .parse(
      objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith(`${name}-`))?.[
        'data'
      ],
    );

test.each(Object.entries(layers))('%s: all services know where the console is', async (_, folders) => {
  const found = await Promise.all(folders.map(rendered));
  const [control, region] = found;
  if (!control || !region) return console.warn('not looked at: there is no kubectl on PATH');
  const { PUBLIC_URL: url = '', REGION_ADDRESSES = '' } = settingsIn(control, 'console') ?? {};
  expect(url).toMatch(/^https:\/\/console\.|^http:\/\/localhost:/);
  for (const objects of [control, region])
    expect(settingsIn(objects, 'installation')).toMatchObject({ CONSOLE_URL: url });
  expect(settingsIn(control, 'main-api')).toMatchObject({
    SIGN_IN_CALLBACK_URL: `${url}/sign-in/callback`,
    DEVICE_PAGE_URL: `${url}/account/device`,
  });
  const service = region.find(({ kind, metadata }) => kind === 'Service' && metadata.name === 'supervisor');
  expect(REGION_ADDRESSES.split(',')).toContain(
    `cloud_a/us-east-1=http://supervisor.${service?.metadata.namespace}`,
  );
});

const peer = z.object({
  namespaceSelector: z.unknown().optional(),
  podSelector: z.unknown().optional(),
  ipBlock: z.unknown().optional(),
});
const policySchema = z.object({
  ingress: z.array(z.object({ from: z.array(peer), ports: z.unknown() })),
  egress: z.array(z.object({ to: z.array(peer), ports: z.array(z.unknown()).default([]) })),
});
async function policyOf(service: string) {
  const objects = (await objectsByFile()).get(`base/${service}/network-policy.yaml`) ?? [];
  return policySchema.parse(objects[0]?.['spec']);
}
const named = (name: string) => ({ matchLabels: { 'app.kubernetes.io/name': name } });
const ofSluice = { matchLabels: { 'app.kubernetes.io/part-of': 'sluice' } };

test('the console reaches the three layers, its own replicas, and the internet by HTTPS', async () => {
  const { egress } = await policyOf('console');
  expect(egress[0]).toEqual({
    to: [
      {
        podSelector: {
          matchExpressions: [
            { key: 'app.kubernetes.io/name', operator: 'In', values: ['audit', 'console', 'main-api'] },
          ],
        },
      },
      { namespaceSelector: ofSluice, podSelector: named('supervisor') },
    ],
    ports: [{ port: 'http' }],
  });
  const outside = egress.filter(({ to }) => to.some(({ ipBlock }) => ipBlock !== undefined));
  expect(outside.map(({ ports }) => ports)).toEqual([[{ port: 443 }]]);
});

test.each([
  ['main-api', { podSelector: named('console') }],
  ['audit', { podSelector: named('console') }],
  ['console', { podSelector: named('console') }],
  ['supervisor', { namespaceSelector: ofSluice, podSelector: named('console') }],
])('%s lets the console in', async (service, wanted) => {
  const { ingress } = await policyOf(service);
  expect(ingress).toContainEqual({
    from: expect.arrayContaining([wanted]) as unknown,
    ports: [{ port: 'http' }],
  });
});

test('supervisors reach WebSockets of brokers, whose sessions they relay', async () => {
  const { egress } = await policyOf('supervisor');
  const nodes = {
    namespaceSelector: { matchExpressions: [{ key: 'sluice.example/owner', operator: 'Exists' }] },
    podSelector: { matchExpressions: [{ key: 'sluice.example/node', operator: 'Exists' }] },
  };
  expect(egress).toContainEqual({
    to: expect.arrayContaining([nodes]) as unknown,
    // as gateways of nodes listen in a cluster
    ports: [{ port: 8080 }],
  });
});
