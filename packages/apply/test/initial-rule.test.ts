import { createClient } from '@sluice/client';
import { exportOf } from '../src/export.ts';
import type { Run } from '../src/kinds/kind.ts';
import { compared, organization, wanted } from './fixtures/given.ts';

const initial = {
  ...{ id: 7, name: 'default', cidr_blocks: ['0.0.0.0/0'], valid_to: null, remarks: null },
  rules: { broker_tcp: true, broker_http: true, broker_websocket: true, broker_udp: true },
};
const taken = {
  type: 'about:blank',
  code: 'name_taken',
  status: 409,
  title: 'Taken',
  detail: 'It is taken.',
};
const problem = { status: 409, headers: { 'content-type': 'application/problem+json' } };
const places = [
  { kind: 'division' as const, place: 'payments', fields: { name: 'payments' } },
  { kind: 'environment' as const, place: 'payments/dev', fields: { name: 'dev' } },
];
const text = (rule: string, tier = 'free') => `
divisions: [{ name: payments, environments: [{ name: dev, deployments: [
  { name: orders, cloud: cloud_a, region: us-east-1, tier: ${tier}, access_rules: [{ name: default, ${rule} }] }] }] }]`;

/** What the step of the rule sends to a region that has made the rule of a new deployment. */
async function sent(document: string, rule: object = initial): Promise<string[]> {
  const requests: string[] = [];
  const client = createClient({
    url: 'https://main.example',
    attempts: 1,
    fetch: (async (url: string, { method = '' }: RequestInit) => {
      requests.push(`${method} ${new URL(url).pathname}`);
      if (method === 'POST') return new Response(JSON.stringify(taken), problem);
      return method === 'GET' ? Response.json([rule]) : new Response(null, { status: 204 });
    }) as typeof fetch,
  }).at('https://region.example');
  const given = organization(...places);
  const { steps } = compared(await wanted(document), given);
  const step = steps.find(({ kind }) => kind === 'access rule');
  expect(step?.after).toEqual(['deployment payments/dev/orders']);
  given.ids.set('deployment payments/dev/orders', 12);
  const { signal } = new AbortController();
  await step?.send({ client, signal, ids: given.ids, set: 'shop' } as Run);
  return requests;
}

const rules = '/deployments/12/access_rules';

test('a rule takes the place of the one that a new deployment begins with, and of no other', async () => {
  const office = text('cidr_blocks: [192.0.2.0/24]');
  expect(await sent(office)).toEqual([`POST ${rules}`, `GET ${rules}`, `PUT ${rules}/7`]);
  await expect(sent(office, { ...initial, remarks: 'Of others' })).rejects.toMatchObject({
    code: 'name_taken',
  });
});

test('absent closes a new deployment with the run that makes it, where it begins open', async () => {
  expect(await sent(text('absent: true'))).toEqual([`GET ${rules}`, `DELETE ${rules}/7`]);
  const { steps } = compared(await wanted(text('absent: true', 'small')), organization(...places));
  expect(steps.map(({ kind }) => kind)).toEqual(['deployment']);

  const fields = { cloud: 'cloud_a', region: 'us-east-1', tier: 'free' };
  const stepsAt = async (status: string) => {
    const begun = { kind: 'deployment' as const, place: 'payments/dev/orders', fields, status };
    return compared(await wanted(text('absent: true')), organization(...places, begun)).steps;
  };
  expect(await stepsAt('creating')).toMatchObject([{ kind: 'access rule', operation: 'deleteAccessRule' }]);
  expect(await stepsAt('initialized')).toEqual([]);
});

test('what was closed is exported as closed', () => {
  const orders = { kind: 'deployment' as const, place: 'payments/dev/orders' };
  const exported = (fields: object, ...more: Parameters<typeof organization>) =>
    JSON.stringify(exportOf(organization(...places, { ...orders, fields: { ...fields } }, ...more)));
  const closed = '[{"name":"default","absent":true}]';
  expect(exported({ tier: 'free' })).toContain(closed);
  expect(exported({ tier: 'small' })).not.toContain('access_rules');
  const rule = { kind: 'access rule' as const, place: 'payments/dev/orders: default' };
  expect(exported({ tier: 'free' }, rule)).not.toContain('absent');
});
