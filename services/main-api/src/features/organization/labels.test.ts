import { fieldIssues, itemsOf, mainApi } from '#test/main-api.ts';
import { place, type TestTenant } from '#test/tenants.ts';

const on = mainApi({ replicas: 1 });
const region = on.region();
const a = on.tenants();

const labels = { team: 'payments', 'acme.example/cost-center': '4711', empty: '' };

interface Kind {
  list: string;
  /** where one can be read and changed */
  made: (
    labels?: object | null,
  ) => Promise<{ path: string; body: Record<string, unknown>; headers: Headers }>;
}

async function kindsOf(acme: TestTenant): Promise<Record<'division' | 'environment' | 'deployment', Kind>> {
  let number = 0;
  const environments = `${acme.divisionPath}/environments`;
  const environment = await acme.add(environments, { name: 'production' });
  const maker = (list: string, post: string, fields: object, kind: string): Kind => ({
    list,
    async made(given) {
      const { body, headers, status } = await acme.admin.post(post, {
        ...fields,
        name: `n${number++}`,
        labels: given,
      });
      expect([kind, status < 300, body]).toMatchObject([kind, true, {}]);
      return { path: String(headers.get('location')), body, headers };
    },
  });
  const shape = { ...place, tier: 'small', cluster: 'standalone' };
  return {
    division: maker(`${acme.path}/divisions`, `${acme.path}/divisions`, {}, 'division'),
    environment: maker(environments, environments, {}, 'environment'),
    deployment: maker(
      `${acme.path}/deployments`,
      `${environments}/${environment}/deployments/managed`,
      shape,
      'deployment',
    ),
  };
}

const roomy = {
  deployment_tiers: [
    { tier: 'small' as const, limit: 9 },
    { tier: 'free' as const, limit: 9 },
  ],
};
const kinds = ['division', 'environment', 'deployment'] as const;

describe.each(kinds)('labels of a %s', (name) => {
  test('are set at its creation, shown, and part of its event', async () => {
    const acme = await a.tenant({ overrides: roomy });
    const kind = (await kindsOf(acme))[name];
    const { path, body, headers } = await kind.made(labels);
    expect(body['labels']).toEqual(labels);
    expect((await acme.admin.get(path)).body['labels']).toEqual(labels);
    expect((await region.event(`${name}_created`, headers)).data).toMatchObject({ labels });
    const none = await kind.made();
    expect(none.body['labels']).toEqual({});
    expect((await region.event(`${name}_created`, none.headers)).data).not.toHaveProperty('labels');
  });

  test('are replaced as a whole, and the event has both', async () => {
    const acme = await a.tenant({ overrides: roomy });
    const { path } = await (await kindsOf(acme))[name].made(labels);
    const changed = await acme.admin.put(path, { labels: { team: 'billing' } });
    expect((await region.event(`${name}_updated`, changed.headers)).data).toEqual({
      changes: { labels: { team: 'billing' } },
      former: { labels },
    });
    const { updated_at } = (await acme.admin.get(path)).body;
    for (const same of [{ labels: { team: 'billing' } }, { labels: null }, {}])
      expect((await acme.admin.put(path, same)).status).toBe(204);
    expect((await acme.admin.get(path)).body).toMatchObject({ labels: { team: 'billing' }, updated_at });
    await acme.admin.put(path, { labels: {} });
    expect((await acme.admin.get(path)).body['labels']).toEqual({});
  });

  test('filter its list', async () => {
    const acme = await a.tenant({ overrides: roomy });
    const kind = (await kindsOf(acme))[name];
    const both = await kind.made({ team: 'payments', stage: 'test' });
    const one = await kind.made({ team: 'payments', stage: '' });
    await kind.made({ team: 'billing' });
    const found = async (label: string) => {
      const answer = await acme.admin.get(`${kind.list}?label=${encodeURIComponent(label)}`);
      return itemsOf(answer).map(({ id }) => id);
    };
    expect(await found('team=payments')).toEqual([one.body['id'], both.body['id']]);
    expect(await found('team=payments,stage=test')).toEqual([both.body['id']]);
    expect(await found('stage')).toEqual([one.body['id'], both.body['id']]);
    expect(await found('stage=')).toEqual([one.body['id']]);
    expect(await found('team=nobody')).toEqual([]);
    expect(await found('team=billing,team=payments')).toEqual([]);
    expect(await found('colour,team=payments')).toEqual([]);
    expect(fieldIssues(await acme.admin.get(`${kind.list}?label==payments`))).toEqual([
      '/query/label wrong_format',
    ]);
  });

  test('are bounded', async () => {
    const acme = await a.tenant({ overrides: roomy });
    const { path } = await (await kindsOf(acme))[name].made({ ['k'.repeat(63)]: 'v'.repeat(63) });
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, '']));
    expect((await acme.admin.put(path, { labels: many(32) })).status).toBe(204);
    for (const [refused, issue] of [
      [many(33), '/body/labels too_many'],
      [{ team: 'v'.repeat(64) }, '/body/labels/team too_long'],
      [{ team: 'a b' }, '/body/labels/team wrong_format'],
      [{ team: 7 }, '/body/labels/team wrong_type'],
      [{ ['k'.repeat(64)]: '' }, '/body/labels wrong_name'],
      [{ '-team': '' }, '/body/labels wrong_name'],
      [{ 'a/b/c': '' }, '/body/labels wrong_name'],
      [{ 'a b': '', '-team': '' }, '/body/labels wrong_name'],
    ] as [object, string][])
      expect(fieldIssues(await acme.admin.put(path, { labels: refused }))).toEqual([issue]);
    const { body } = await acme.admin.put(path, { labels: { 'a b': '' } });
    expect((body as { field_issues: { message: string }[] }).field_issues[0]?.message).toMatch(
      /^has a field with a wrong name: a name has to have at most 63 characters, and has to match \^\[A-Z/,
    );
  });
});

test('a starter deployment has labels, its environment none', async () => {
  const acme = await a.tenant();
  const answer = await acme.starter({ labels });
  expect(answer.body['labels']).toEqual(labels);
  const environment = `${acme.divisionPath}/environments/${Number(answer.headers.get('svc-environment'))}`;
  expect((await acme.admin.get(environment)).body['labels']).toEqual({});
});

test('what a replica of the former release makes has none', async () => {
  const acme = await a.tenant();
  const sql = "INSERT INTO divisions (tenant_id, name) VALUES ($1, 'former') RETURNING id";
  const [row] = await on.sql(sql, [acme.id]);
  expect((await acme.admin.get(`${acme.path}/divisions/${Number(row?.['id'])}`)).body['labels']).toEqual({});
});
