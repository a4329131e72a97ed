import { compared, organization, shown, wanted } from './fixtures/given.ts';

const containing = (text: string): unknown => expect.stringContaining(text);

const shop = `
set: shop
divisions:
  - name: payments
    environments:
      - name: dev
        deployments:
          - name: orders
            cloud: cloud_a
            region: us-east-1
            tier: free
            access_rules: [{ name: office, cidr_blocks: [192.0.2.0/24] }]
`;
const places = [
  { kind: 'division' as const, place: 'payments', fields: { name: 'payments' } },
  { kind: 'environment' as const, place: 'payments/dev', fields: { name: 'dev' } },
];
const orders = {
  kind: 'deployment' as const,
  place: 'payments/dev/orders',
  fields: {
    cloud: 'cloud_a',
    region: 'us-east-1',
    tier: 'free',
    storage: { type: 'network_balanced', size: 20 },
  },
};
const office = {
  kind: 'access rule' as const,
  place: 'payments/dev/orders: office',
  fields: { cidr_blocks: ['192.0.2.0/24'], protocols: ['tcp'], valid_to: null, remarks: null },
};

test('from nothing everything is created, parents before what is in them', async () => {
  const { steps, obstacles } = compared(await wanted(shop), organization());
  expect(obstacles).toEqual([]);
  expect(steps.map(({ action, key, after }) => [action, key, after])).toEqual([
    ['create', 'division payments', []],
    ['create', 'environment payments/dev', ['division payments']],
    ['create', 'deployment payments/dev/orders', ['environment payments/dev']],
    ['create', 'access rule payments/dev/orders: office', ['deployment payments/dev/orders']],
  ]);
});

test('what is as it is wanted gives no step, and a field that is not written stays', async () => {
  const found = organization(...places, orders, office);
  expect(compared(await wanted(shop), found)).toMatchObject({ steps: [], obstacles: [] });
});

test('a step for each request: texts, limit and tier of a deployment are three, and the tier interrupts', async () => {
  const text = shop.replace(
    'tier: free',
    'tier: small\n            description: Orders\n            spend_limit: 20',
  );
  const { steps } = compared(await wanted(text), organization(...places, orders, office));
  expect(steps.map(({ operation, interrupts }) => [operation, interrupts !== undefined])).toEqual([
    ['updateDeployment', false],
    ['setSpendLimit', false],
    ['upgradeDeployment', true],
  ]);
});

test('what is impossible in place is reported, and made anew where it is named', async () => {
  const text = shop.replace('us-east-1', 'us-west-2');
  const found = organization(...places, orders, office);
  const refused = compared(await wanted(text), found);
  expect(refused.steps).toEqual([]);
  expect(refused.obstacles).toEqual([
    {
      reason: 'conflict',
      message: containing('region cannot be changed in place'),
      replaceable: 'orders',
    },
  ]);
  const named = compared(await wanted(text), found, { replace: ['payments/dev/orders'] });
  expect(shown(named.steps)).toMatchObject([
    { action: 'replace', place: 'payments/dev/orders', fields: ['region'] },
    // what was in it is gone with it
    { action: 'create', place: 'payments/dev/orders: office' },
  ]);

  const going = compared(await wanted(shop), organization(...places, { ...orders, status: 'deleting' }));
  expect(going.obstacles).toMatchObject([{ message: containing('is being deleted') }]);

  const smaller = shop.replace('tier: free', 'tier: free\n            storage: { size: 10 }');
  expect(compared(await wanted(smaller), found).obstacles).toMatchObject([
    { message: containing('never shrinks') },
  ]);
});

test('was renames with everything in it, and counts no more once it is done', async () => {
  const text = shop.replace('name: payments', 'name: money\n    was: payments');
  const before = organization(...places, orders, office);
  const { steps, existing } = compared(await wanted(text), before);
  expect(shown(steps)).toEqual([{ action: 'update', kind: 'division', place: 'money', fields: ['name'] }]);
  expect(existing.get('access rule money/dev/orders: office')).toMatchObject({ id: 13 });
  expect(before.ids.path('money/dev/orders')).toMatchObject({ division_id: 10, deployment_id: 12 });

  const roles = ['role', 'channel'].map((kind) => ({ kind: kind as 'role', place: 'payments' }));
  const { existing: others } = compared(await wanted(text), organization(...places, ...roles));
  expect([...others.keys()]).toEqual([
    'role payments',
    'channel payments',
    'division money',
    'environment money/dev',
  ]);

  const both = organization(...places, { kind: 'division', place: 'money', fields: { name: 'money' } });
  expect(compared(await wanted(text), both).obstacles).toMatchObject([
    { message: containing('there are both') },
  ]);
});

test('a secret that a server does not show counts as the same, unless all are sent again', async () => {
  const text = `divisions: [{ name: payments, environments: [{ name: dev, deployments: [{ name: orders,
    connectors: [{ key: out, connector: http, type: sink, values: { url: 'https://a.example', token: 'x' } }] }] }] }]`;
  const connector = (url: string) => ({
    kind: 'connector' as const,
    place: 'payments/dev/orders: out',
    fields: { connector: 'http', type: 'sink', values: { url, token: '***' } },
  });
  const found = organization(...places, orders, connector('https://a.example'));
  expect(compared(await wanted(text), found).steps).toEqual([]);
  expect(compared(await wanted(text), found, { resendsSecrets: true }).steps).toHaveLength(1);
  const other = organization(...places, orders, connector('https://b.example'));
  expect(compared(await wanted(text), other).steps).toHaveLength(1);
});

test('what another set has made is not changed, and what is absent is deleted', async () => {
  const text = shop.replace('- name: payments', '- name: payments\n    description: New');
  const foreign = {
    ...places[0],
    kind: 'division' as const,
    place: 'payments',
    set: 'other',
    fields: { name: 'payments', description: null },
  };
  const { steps, obstacles } = compared(
    await wanted(text),
    organization(foreign, ...places.slice(1), orders, office),
  );
  expect(steps).toEqual([]);
  expect(obstacles).toMatchObject([{ reason: 'conflict', message: containing('belongs to the set other') }]);

  const gone = shop.replace(
    '{ name: office, cidr_blocks: [192.0.2.0/24] }',
    '{ name: office, absent: true }',
  );
  const found = organization(...places, orders, office);
  expect(shown(compared(await wanted(gone), found).steps)).toMatchObject([
    { action: 'delete', kind: 'access rule' },
  ]);
  expect(compared(await wanted(gone), organization(...places, orders)).steps).toEqual([]);
  const ofOther = compared(await wanted(gone), organization(...places, orders, { ...office, set: 'other' }));
  expect(ofOther).toMatchObject({
    steps: [],
    obstacles: [{ message: containing('belongs to the set other') }],
  });
});

test('a name of something that there is not is found before anything is done', async () => {
  const { obstacles } = compared(
    await wanted('members: [{ email: a@b.example, roles: [nobody] }]'),
    organization(),
  );
  expect(obstacles).toMatchObject([{ reason: 'invalid', message: containing('names the role nobody') }]);
  const incomplete = await wanted(shop.replace('            tier: free\n', ''));
  expect(compared(incomplete, organization()).obstacles).toMatchObject([
    { message: containing('is new and needs tier') },
  ]);
});
