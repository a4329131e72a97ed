import type { RolePermissionsInput } from '@sluice/contracts';
import type { Client } from '@sluice/testing';
import { mainApi } from '#test/main-api.ts';
import { place, type TestTenant } from '#test/tenants.ts';

const on = mainApi({ replicas: 1 });
const region = on.region();
const a = on.tenants();

interface Tree {
  divisions: {
    name: string;
    environments: { id: number; name: string; deployments: { name: string }[] }[];
  }[];
}

interface Ground {
  acme: TestTenant;
  /** ids by name */
  id: Record<'default' | 'one' | 'two' | 'other' | 'three', number>;
}

/** A tenant with a deployment in each of the environments `one` and `two`, and `three` of another division. */
async function ground(): Promise<Ground> {
  const overrides = { deployment_tiers: [{ tier: 'free' as const, limit: 3 }], api_keys_limit: 20 };
  const acme = await a.tenant({ overrides });
  const other = await acme.add(`${acme.path}/divisions`, { name: 'other' });
  const environment = async (division: number, name: string) => {
    const answer = await acme.admin.post(`${acme.path}/divisions/${division}/deployments/starter`, {
      ...place,
      environment_name: name,
      deployment_name: `in-${name}`,
    });
    return Number(answer.headers.get('svc-environment'));
  };
  const [one, two] = [await environment(acme.division, 'one'), await environment(acme.division, 'two')];
  return { acme, id: { default: acme.division, one, two, other, three: await environment(other, 'three') } };
}

/** What a caller is shown: `division(environment:deployment)`, and the numbers of the summary. */
async function shown({ path }: TestTenant, caller: Client) {
  const { divisions } = (await caller.get<Tree & Record<string, unknown>>(`${path}/structure`)).body;
  const tree = divisions.map(({ name, environments }) => {
    const inside = environments.map(
      (environment) =>
        `${environment.name}:${environment.deployments.map((deployment) => deployment.name).join()}`,
    );
    return `${name}(${inside.join(' ')})`;
  });
  return { tree: tree.join(' '), totals: Object.values((await caller.get(`${path}/summary`)).body) };
}

test('the structure leads to every deployment, and the summary counts them', async () => {
  const { acme, id } = await ground();
  const { body } = await acme.admin.get<Tree & Record<string, unknown>>(`${acme.path}/structure`);
  expect(body).toMatchObject({
    id: acme.id,
    name: 'Acme',
    divisions: [{ id: id.default }, { id: id.other, environments: [{ id: id.three }] }],
  });
  expect(body.divisions[1]?.environments[0]?.deployments).toEqual([
    {
      id: expect.any(Number) as number,
      name: 'in-three',
      cloud: 'cloud_a',
      region: 'us-east-1',
      variant: 'managed',
      tier: 'free',
      supervisor_url: region.supervisorUrl,
    },
  ]);
  expect((await acme.admin.get(`${acme.path}/summary`)).body).toEqual({
    total_divisions: 2,
    total_environments: 3,
    total_deployments: 3,
  });
});

const nothing = { permissions: [], environment: [] };
const all = 'default(one:in-one two:in-two) other(three:in-three)';
type Views = [
  what: string,
  tree: string,
  totals: number[],
  permissions: (id: Ground['id']) => RolePermissionsInput,
];

const views: Views[] = [
  ['nothing by the info of the tenant', '', [0, 0, 0], () => ({})],
  ['divisions', 'default() other()', [2, 0, 0], () => ({ tenant: ['division:read'] })],
  ['environments', 'default(one: two:) other(three:)', [2, 3, 0], () => ({ division: ['environment:read'] })],
  ['deployments', all, [2, 3, 3], () => ({ environment: ['deployment:read'] })],
  [
    'no division that an override hides',
    'default(one:in-one two:in-two)',
    [1, 2, 2],
    ({ other }) => ({ environment: ['deployment:read'], divisions: { [other]: nothing } }),
  ],
  [
    'one division that an override opens',
    'other(three:in-three)',
    [1, 1, 1],
    ({ other }) => ({ divisions: { [other]: { environment: ['deployment:read'] } } }),
  ],
  [
    'no environment that an override hides',
    'default(two:in-two) other(three:in-three)',
    [2, 2, 2],
    ({ default: id, one }) => ({
      environment: ['deployment:read'],
      divisions: { [id]: { environments: { [one]: [] } } },
    }),
  ],
  [
    'one environment that an override opens',
    'default(two:in-two)',
    [1, 1, 1],
    ({ default: id, two }) => ({ divisions: { [id]: { environments: { [two]: ['deployment:read'] } } } }),
  ],
  [
    'an environment without the deployments that an override takes away',
    'default(one: two:in-two) other(three:in-three)',
    [2, 3, 2],
    ({ default: id, one }) => ({
      environment: ['deployment:read'],
      divisions: { [id]: { environments: { [one]: ['info:read'] } } },
    }),
  ],
];

describe('structure and summary show', () => {
  let there: Ground;
  beforeAll(async () => {
    there = await ground();
  });

  test.each(views)('%s', async (_what, tree, totals, permissions) => {
    const { tenant = [], ...others } = permissions(there.id);
    const reader = await there.acme.with({ tenant: ['info:read', ...tenant], ...others });
    expect(await shown(there.acme, reader)).toEqual({ tree, totals });
  });

  test('its own division to a key that is bound to one', async () => {
    const { acme, id } = there;
    const bound = await acme.with({ environment: ['deployment:read'] }, acme.division);
    const tree = 'default(one:in-one two:in-two)';
    expect(await shown(acme, bound)).toEqual({ tree, totals: [1, 2, 2] });
    const less = {
      environment: ['deployment:read'],
      divisions: { [id.default]: { environments: { [id.one]: [] } } },
    };
    const narrow = await acme.with(less, acme.division);
    expect(await shown(acme, narrow)).toEqual({ tree: 'default(two:in-two)', totals: [1, 1, 1] });
  });

  test('nothing to a key that may not read the tenant', async () => {
    const reader = await there.acme.with({ tenant: ['division:read'], environment: ['deployment:read'] });
    for (const what of ['structure', 'summary'])
      expect((await reader.get(`${there.acme.path}/${what}`)).status).toBe(403);
  });
});
