import { randomUUID } from 'node:crypto';
import { idOf, type DeploymentId, type Inventory, type ReportData } from '@sluice/contracts';
import { eventually } from '@sluice/testing';
import { mainApi } from '#test/main-api.ts';

/** What main-api and a region tell each other of usage when one of their databases was restored (decision 188). */

let clock = new Date('2026-03-10T12:00:00Z');
const on = mainApi({ replicas: 1, clock: () => clock });
const region = on.region();
const a = on.tenants();

const at = (text: string) => `2026-${text}Z`;
const price = { compute: 5_256_000, storage: 2_628_000, network: 0, telemetry: 0, data_retention: 0 };
const highest_ids = {
  ...{ tenants: 0, divisions: 0, environments: 0, deployments: 0, deployment_nodes: 0 },
  connector_instances: 0,
};
const usage_since = at('02-01T00:00:00');

/** A deployment that runs since March began, and as its region names it. */
async function running() {
  clock = new Date(at('03-10T12:00:00'));
  const acme = await a.tenant();
  const created = await acme.starter();
  const id = idOf<DeploymentId>(created.headers.get('svc-deployment') ?? '');
  const { generation, deployment } = await region.shape(id);
  const { uid, tier, cluster, storage, nodes } = deployment;
  const used = (from: string, to: string, more: Partial<ReportData<'usage'>> = {}) =>
    region.report('usage', {
      ...{ deployment_id: id, uid, from: at(from), to: at(to), price, tier: 'small', nodes: 1, storage },
      ...more,
    });
  const access = {
    revision: 1,
    login: { username: 'ada', sealed_password: '' },
    former_logins: [],
    rules: [],
  };
  await region.status(id, 3, 'initialized', { uid, changed_at: at('03-01T00:00:00'), access });
  const has: Inventory['deployments'][number] = {
    ...{ id, uid, generation, status: 'initialized', status_version: 3, deleting: false, unknown: false },
    ...{ shape: { tier, cluster, storage, nodes }, instances: [], access: { revision: 1, question: null } },
  };
  const names = (more: Partial<typeof has>, known_since?: string) =>
    region.register({
      inventory: {
        ...{ after: id - 1, upto: id, deployments: [{ ...has, ...more }], highest_ids, usage_since },
        known_since,
      },
    });
  const seconds = async () => {
    const { body } = await acme.admin.get(`${acme.path}/billing/reports/202603`);
    return (body as { lines: { seconds: number }[] }).lines[0]?.seconds;
  };
  const again = () => region.commandsOf('deployment_apply', id).filter(({ report_above }) => report_above);
  return { id, used, names, seconds, again };
}

test('a region that has more of it is asked for all', async () => {
  const { used, names, again } = await running();
  await used('03-01T00:00:00', '03-01T00:10:00');
  await names({ used_seconds: 600 });
  const asked = again().length;
  await names({ used_seconds: 601 });
  await eventually(() => expect(again()).toHaveLength(asked + 1));
  await used('03-01T00:00:00', '03-01T00:10:01');
  // the former is not sent for, the latter is
  await names({ used_seconds: 601 });
  await names({ used_seconds: 602 });
  await eventually(() => expect(again()).toHaveLength(asked + 2));
});

test('a region that was restored is told what is known, each time that it asks', async () => {
  const { used, names, again } = await running();
  await used('03-01T00:00:00', '03-01T00:10:00');
  await used('03-02T00:00:00', '03-02T00:10:00', { price: { ...price, storage: 0 } });
  const question = randomUUID();
  const asks = () => names({ access: { revision: 1, question } }, at('03-03T00:00:00'));
  await asks();
  await asks();
  const answers = () => again().filter(({ access_question }) => access_question === question);
  await eventually(() => expect(answers()).toHaveLength(2));
  for (const { usage } of answers())
    expect(usage).toMatchObject([
      { from: at('03-02T00:00:00.000'), to: at('03-02T00:10:00.000'), price: { storage: 0 }, nodes: 1 },
      { from: at('03-01T00:00:00.000'), to: at('03-01T00:10:00.000'), price, tier: 'small' },
    ]);
});

test('what it has reported before that comes too late; what it reports since counts, of whatever time', async () => {
  const { used, names, seconds } = await running();
  const since = { known_since: at('03-03T00:00:00') };
  await used('03-01T00:00:00', '03-01T00:10:00');
  await names({ access: { revision: 1, question: randomUUID() } }, since.known_since);
  await used('03-01T00:00:00', '03-01T00:20:00');
  await used('03-01T00:00:00', '03-01T00:20:00', { known_since: at('03-02T00:00:00') });
  expect(await seconds()).toBe(600);
  await used('03-01T00:00:00', '03-01T00:15:00', since);
  await used('03-04T00:00:00', '03-04T00:10:00', since);
  expect(await seconds()).toBe(1_500);
});
