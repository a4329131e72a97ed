import { createClient, type ConfigEntry } from '@sluice/client';
import { Secrets } from '../src/document/secrets.ts';
import { withOpenValues } from '../src/plan/values.ts';
import { priceOf } from '../src/plan/price.ts';
import { compared, organization, wanted } from './fixtures/given.ts';

const signal = new AbortController().signal;
const entry = (key: string, secret = false) => ({ key, secret }) as ConfigEntry;
const sections = (...names: [string, ConfigEntry[]][]) =>
  Object.fromEntries(names.map(([name, schema]) => [name, { name, description: '', schema }]));
const schemas: Record<string, object> = {
  '/deployments/12/configs/broker/schema': sections(['limits', [entry('max_payload')]]),
  '/deployments/12/configs/connector:sink:postgres/schema': sections(
    ['sink', [entry('enabled')]],
    ['plugin_config', [entry('host'), entry('password', true)]],
  ),
};
/** A region that has these schemas alone. */
const client = createClient({
  url: 'https://main.example',
  attempts: 1,
  fetch: (async (url: string) => {
    const found = schemas[decodeURIComponent(new URL(url).pathname)];
    return Response.json(found ?? { code: 'not_found' }, { status: found ? 200 : 404 });
  }) as typeof fetch,
}).at('https://region.example');

const text = (password: string, deployment = 'orders') => `
divisions:
  - name: payments
    environments:
      - name: dev
        deployments:
          - name: ${deployment}
            configurations: [{ name: main, values: { max_payload: 1MB, passphrase: hidden-1 } }]
            connectors:
              - { key: out, connector: postgres, type: sink, values: { enabled: true, plugin_config: { host: db, password: ${password} } } }
`;
const given = organization(
  { kind: 'division', place: 'payments' },
  { kind: 'environment', place: 'payments/dev' },
  { kind: 'deployment', place: 'payments/dev/orders' },
);

async function planned(document: string, secrets = new Secrets({})) {
  const set = await wanted(document);
  const { ids } = given;
  const { steps, obstacles } = await withOpenValues(compared(set, given).steps, {
    ...{ client, signal, ids, wanted: set.entries, secrets },
  });
  const values = steps.flatMap(({ changes }) =>
    changes.flatMap(({ field, to }) => (field === 'values' ? [to] : [])),
  );
  return { values, obstacles };
}

test('a secret that is written out is refused, and shown no more than what no schema knows', async () => {
  const { values, obstacles } = await planned(text('hidden-2'));
  expect(values).toEqual([
    { max_payload: '1MB', passphrase: '(not shown)' },
    { enabled: true, plugin_config: { host: 'db', password: '(not shown)' } },
  ]);
  expect(obstacles).toEqual([
    {
      reason: 'invalid',
      message: expect.stringMatching(
        /0\.yaml:10:.*orders: out: plugin_config\/password is a secret/,
      ) as unknown,
      next: expect.stringContaining('${env:NAME}') as unknown,
    },
  ]);
});

test('a secret by reference is none that is written out', async () => {
  const secrets = new Secrets({ PASSWORD: 'hidden-2' });
  secrets.resolve('${env:PASSWORD}', '.');
  expect((await planned(text('hidden-2'), secrets)).obstacles).toEqual([]);
});

test('of a deployment that is new nothing is shown, since its schema is not there yet', async () => {
  const { values, obstacles } = await planned(text('hidden-2', 'other'));
  expect(obstacles).toEqual([]);
  expect(JSON.stringify(values)).not.toMatch(/hidden|1MB/);
});

test('where there is no environment yet the price is not known', async () => {
  const set = await wanted(text('x'));
  const empty = organization();
  const { steps, existing } = compared(set, empty);
  const price = await priceOf(steps, { client, signal, organization: empty, existing, wanted: set.entries });
  expect(price).toMatchObject({ before: null, after: null, unknown: [{ place: 'payments/dev/orders' }] });
});
