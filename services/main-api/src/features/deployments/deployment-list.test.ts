import type { RolePermissionsInput } from '@sluice/contracts';
import type { Client } from '@sluice/testing';
import { fieldIssues, itemsOf, mainApi, refusal } from '#test/main-api.ts';
import { place, type TestTenant } from '#test/tenants.ts';

const on = mainApi({ replicas: 1 });
const region = on.region();
const a = on.tenants();

interface Ground {
  acme: TestTenant;
  /** ids of environments by name */
  id: Record<'one' | 'two' | 'three', number>;
  other: number;
}

/** Two deployments in the environment `one`, one in `two`, and one in `three` of another division. */
async function ground(): Promise<Ground> {
  const overrides = { deployment_tiers: [{ tier: 'free' as const, limit: 9 }], api_keys_limit: 50 };
  const acme = await a.tenant({ overrides });
  const other = await acme.add(`${acme.path}/divisions`, { name: 'other' });
  const make = async (division: number, environment_name: string, deployment_name: string) => {
    const path = `${acme.path}/divisions/${division}/deployments/starter`;
    const answer = await acme.admin.post(path, { ...place, environment_name, deployment_name });
    return Number(answer.headers.get('svc-environment'));
  };
  const one = await make(acme.division, 'one', 'orders');
  await make(acme.division, 'one', 'billing');
  const two = await make(acme.division, 'two', 'orders');
  return { acme, other, id: { one, two, three: await make(other, 'three', 'audit') } };
}

/** The names of what is listed, with their environments. */
async function listed({ path }: TestTenant, caller: Client, query = ''): Promise<string> {
  const answer = await caller.get(`${path}/deployments${query}`);
  if (answer.status !== 200) return refusal(answer);
  return itemsOf(answer)
    .map(({ name, environment }) => `${(environment as { name: string }).name}/${String(name)}`)
    .join(' ');
}

describe('the list of all deployments', () => {
  test('has the names of their places, newest first', async () => {
    const { acme, other, id } = await ground();
    expect(await listed(acme, acme.admin)).toBe('three/audit two/orders one/billing one/orders');
    const nested = `${acme.path}/divisions/${other}/environments/${id.three}/deployments`;
    const [shown] = itemsOf(await acme.admin.get(nested));
    const [first] = itemsOf(await acme.admin.get(`${acme.path}/deployments?results=1`));
    expect(first).toEqual({
      ...shown,
      division: { id: other, name: 'other' },
      environment: { id: id.three, name: 'three' },
      code: expect.stringMatching(/^[0-9a-z]{7}$/) as string,
      ...{ protected: false, status_reason: null },
    });
  });

  test('comes in pages', async () => {
    const { acme } = await ground();
    const { body, headers } = await acme.admin.get(`${acme.path}/deployments?results=3&page=2&sort=name`);
    expect(body).toMatchObject({ page: 2, total_results: 4, total_pages: 2, items: [{ name: 'orders' }] });
    expect(headers.get('link')).toContain('sort=name');
    expect(await listed(acme, acme.admin, '?page=9')).toBe('');
  });

  test('can be filtered by each of its parameters, which all have to match', async () => {
    const { acme, other, id } = await ground();
    const [audit] = itemsOf(await acme.admin.get(`${acme.path}/deployments?q=audit`));
    await region.status(Number(audit?.['id']), 1);
    for (const [query, found] of [
      ['q=ORD', 'two/orders one/orders'],
      [`division=${other}`, 'three/audit'],
      [`environment=${id.two}`, 'two/orders'],
      [`environment=${id.two}&division=${other}`, ''],
      ['cloud=cloud_b', ''],
      ['cloud=cloud_a&q=bill', 'one/billing'],
      ['region=us-east-1&q=bill', 'one/billing'],
      ['region=elsewhere', ''],
      ['tier=small', ''],
      ['tier=free&q=bill', 'one/billing'],
      ['status=creating', 'two/orders one/billing one/orders'],
      ['status=initialized', 'three/audit'],
      ['division=9007199254740990', ''],
    ] as const)
      expect([query, await listed(acme, acme.admin, `?${query}`)]).toEqual([query, found]);
    expect(fieldIssues(await acme.admin.get(`${acme.path}/deployments?status=ready`))).toHaveLength(1);
    expect(refusal(await acme.admin.get(`${acme.path}/deployments?colour=red`))).toBe(
      '400 unknown_parameter',
    );
  });

  test('is put in order as asked', async () => {
    const { acme } = await ground();
    for (const [sort, found] of [
      ['name', 'three/audit one/billing one/orders two/orders'],
      ['-name', 'two/orders one/orders one/billing three/audit'],
      ['created_at', 'one/orders one/billing two/orders three/audit'],
      ['-created_at', 'three/audit two/orders one/billing one/orders'],
    ])
      expect(await listed(acme, acme.admin, `?sort=${sort}`)).toBe(found);
  });

  test('has what the lists of the environments have, for every caller', async () => {
    const { acme, other, id } = await ground();
    const read = ['deployment:read'];
    const roles: RolePermissionsInput[] = [
      { environment: read },
      { environment: ['deployment:manage'], divisions: { [other]: { environment: [] } } },
      { environment: read, divisions: { [acme.division]: { environments: { [id.one]: ['info:read'] } } } },
      { divisions: { [acme.division]: { environments: { [id.two]: read } } } },
      { environment: ['info:read'], divisions: { [other]: { environment: read } } },
      { tenant: ['division:read'], division: ['environment:read'] },
    ];
    const callers = await Promise.all(roles.map((role) => acme.with(role)));
    callers.push(await acme.with({ environment: read }, acme.division));
    const places = Object.entries(id).map(([name, environment]) => {
      const division = name === 'three' ? other : acme.division;
      return `${acme.path}/divisions/${division}/environments/${environment}/deployments`;
    });
    for (const caller of callers) {
      const nested = await Promise.all(places.map((path) => caller.get(path)));
      const all = await caller.get(`${acme.path}/deployments`);
      const ids = (items: Record<string, unknown>[]) => items.map((item) => Number(item['id'])).sort();
      const expected = ids(nested.flatMap((answer) => (answer.status === 200 ? itemsOf(answer) : [])));
      if (expected.length === 0) expect(refusal(all)).toBe('403 forbidden');
      else expect(ids(itemsOf(all))).toEqual(expected);
    }
  });
});
