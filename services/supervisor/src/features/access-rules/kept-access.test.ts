import { randomUUID } from 'node:crypto';
import type { Access, DeploymentSpec } from '@sluice/contracts';
import { aDeployment, connectBroker, eventually, freePort, type Login } from '@sluice/testing';
import { call, untilStatus } from '#test/client.ts';
import { messagesAbout } from '#test/messages.ts';
import { supervisor } from '#test/region.ts';

/** What becomes of access rules and logins when the region's database is restored from an older copy, or lost. */

const region = supervisor({ per: 'test', environment: { INVENTORY_SECONDS: '1' } });

const off = { broker_http: false, broker_tcp: false, broker_websocket: false, broker_udp: false };
const everyone = { name: 'everyone', cidr_blocks: ['0.0.0.0/0'], rules: { ...off, broker_tcp: true } };

interface Message {
  type: string;
  data: Record<string, unknown>;
}

const accessReports = async ({ id }: DeploymentSpec) =>
  (await messagesAbout<Message>(region, 'reports', id)).flatMap(
    ({ data }) => (data['access'] as Access | undefined) ?? [],
  );

async function reported(shape: DeploymentSpec): Promise<Access> {
  const last = (await accessReports(shape)).at(-1);
  if (!last) throw new Error('nothing is reported yet');
  return last;
}

const eventsOf = async ({ id }: DeploymentSpec) =>
  (await messagesAbout<Message>(region, 'events', id)).filter(({ type }) => type === 'deployment_restored');

async function created() {
  // agents go on asking the address that they know
  const port = await freePort();
  const start = () => region.spawn(port);
  const { url, ...replica } = await start();
  const stop = () => replica.stop();
  const key = await region.key();
  const shape = aDeployment({ uid: randomUUID(), tier: 'small', limits: { access_rules: 4 } });
  await region.apply(shape);
  await untilStatus(url, key, shape.id, 'initialized');
  const at = (base: string, path: string) => `${base}/deployments/${shape.id}/${path}`;
  const addRule = async (base: string, rule = everyone) =>
    await call(at(base, 'access_rules'), key, { method: 'POST', body: rule });
  const rules = async (base: string) =>
    ((await call(at(base, 'access_rules'), key)).body as { name: string }[]).map(({ name }) => name);
  const login = async (base: string) => (await call(at(base, 'credentials'), key)).body as Login;
  const { body } = await call(`${url}/deployments/${shape.id}`, key);
  const { broker_tcp } = (body as { endpoints: { broker_tcp: string } }).endpoints;
  return { start, stop, url, key, shape, at, addRule, rules, login, broker_tcp };
}

/** The rows of rules and logins as they are, to be put back: what a restore from a copy does. */
async function copied({ id }: DeploymentSpec) {
  const rows = await region.sql<{ row: object }>(
    'SELECT to_jsonb(r) AS row FROM access_rules r WHERE deployment_id = $1',
    [id],
  );
  const [login] = await region.sql('SELECT username, sealed_password, access_revision FROM deployments');
  return async () => {
    await region.sql('DELETE FROM access_rules');
    for (const { row } of rows)
      await region.sql(
        'INSERT INTO access_rules OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::access_rules, $1)',
        [JSON.stringify(row)],
      );
    const { username, sealed_password, access_revision } = login as Record<string, unknown>;
    await region.sql('UPDATE deployments SET username = $1, sealed_password = $2, access_revision = $3', [
      username,
      sealed_password,
      access_revision,
    ]);
    await region.sql("UPDATE database_identity SET identity = 'the server of the copy'");
  };
}

test('a rule that was deleted, and a login that was replaced, since the copy do not come back', async () => {
  const { start, stop, url, key, shape, at, addRule, rules, login, broker_tcp } = await created();
  const { body } = await addRule(url);
  const former = await login(url);
  await (await eventually(() => connectBroker(broker_tcp, former))).close();
  const putBack = await copied(shape);
  await call(at(url, `access_rules/${(body as { id: number }).id}`), key, { method: 'DELETE' });
  await call(at(url, 'credentials/rotate'), key, { method: 'POST', body: { grace_seconds: 0 } });
  expect((await addRule(url, { ...everyone, name: 'office', cidr_blocks: ['192.0.2.0/24'] })).status).toBe(
    201,
  );
  await expect(connectBroker(broker_tcp, former)).rejects.toThrow();
  const [kept, newest] = [await eventually(() => reported(shape)), await login(url)];
  expect(kept.rules.map(({ name }) => name)).toEqual(['office']);

  await stop();
  await putBack();
  const again = await start();
  // main-api has not answered: the node keeps what it has, and nothing that it would not know can be changed
  expect(await rules(again.url)).toEqual(['everyone']);
  const refused = await addRule(again.url, { ...everyone, name: 'more' });
  expect([refused.status, (refused.body as { code: string }).code]).toEqual([503, 'unavailable']);
  await region.sql('UPDATE deployments SET revision = revision + 1');
  await expect(connectBroker(broker_tcp, former)).rejects.toThrow();

  const [row] = await region.sql<{ access_question: string }>('SELECT access_question FROM deployments');
  const answer = { report_above: 1, access: kept };
  await region.apply(shape, 1, { ...answer, access_question: randomUUID() });
  await eventually(async () => expect(await rules(again.url)).toEqual(['office']));
  // the answer to another question does not open it
  expect((await addRule(again.url, { ...everyone, name: 'more' })).status).toBe(503);
  await region.apply(shape, 1, { ...answer, access_question: row!.access_question });
  await eventually(async () =>
    expect((await addRule(again.url, { ...everyone, name: 'more' })).status).toBe(201),
  );
  expect(await login(again.url)).toEqual(newest);
  await (await eventually(() => connectBroker(broker_tcp, newest))).close();
  await expect(connectBroker(broker_tcp, former)).rejects.toThrow('Authorization Violation');
  expect(await eventsOf(shape)).toMatchObject([
    { data: { rebuilt: false, login_changed: true, access_rules_deleted: 1, access_rules_restored: 1 } },
  ]);
}, 60_000);

test('a deployment that the region has lost has its rules and login again, and no id is given out twice', async () => {
  const { start, stop, url, key, shape, addRule, rules, login } = await created();
  await addRule(url);
  const [newest, kept] = [await login(url), await eventually(() => reported(shape))];
  const [highest] = await region.sql<{ id: number }>('SELECT max(id) AS id FROM access_rules');
  await stop();
  await region.sql('DELETE FROM deployments');
  await region.sql('ALTER SEQUENCE access_rules_id_seq RESTART');
  const again = await start();
  await region.apply(shape, 2, { report_above: 9, access: kept });
  await untilStatus(again.url, key, shape.id, 'initialized');
  expect([await rules(again.url), await login(again.url)]).toEqual([['everyone'], newest]);
  const { body } = await addRule(again.url, { ...everyone, name: 'office' });
  expect((body as { id: number }).id).toBeGreaterThan(highest!.id + 1_000);
  expect(await eventsOf(shape)).toMatchObject([{ data: { rebuilt: true, login_changed: false } }]);
}, 60_000);

test('an older copy of main-api changes nothing, and main-api is sent the newer one', async () => {
  const { url, shape, addRule, rules } = await created();
  const older = await eventually(() => reported(shape));
  await addRule(url);
  const before = await eventually(() => reported(shape));
  await region.apply(shape, 1, { report_above: 1, access: older });
  await eventually(async () => expect(await accessReports(shape)).toHaveLength(3));
  expect([await reported(shape), await rules(url)]).toEqual([before, ['everyone']]);
});

test('rules that were changed since the copy are as they were changed, also those that have swapped names', async () => {
  const { start, stop, url, key, shape, at, addRule } = await created();
  const ids: number[] = [];
  for (const name of ['one', 'two'])
    ids.push(((await addRule(url, { ...everyone, name })).body as { id: number }).id);
  const putBack = await copied(shape);
  const change = (index: number, name: string) =>
    call(at(url, `access_rules/${ids[index]}`), key, {
      method: 'PUT',
      body: { ...everyone, name, cidr_blocks: [`192.0.2.${index}/32`] },
    });
  for (const [index, name] of [
    [0, 'three'],
    [1, 'one'],
    [0, 'two'],
  ] as const)
    expect((await change(index, name)).status).toBe(200);
  const list = async (base: string) => (await call(at(base, 'access_rules'), key)).body;
  const [newest, kept] = [
    await list(url),
    await eventually(async () => {
      const last = await reported(shape);
      expect(last.rules.map(({ name }) => name).sort()).toEqual(['one', 'two']);
      expect(last.rules.map(({ cidr_blocks }) => cidr_blocks[0])).not.toContain('0.0.0.0/0');
      return last;
    }),
  ];
  await stop();
  await putBack();
  const again = await start();
  await region.apply(shape, 1, { report_above: 1, access: kept });
  await eventually(async () => expect(await list(again.url)).toEqual(newest));
  const restored = { data: { access_rules_deleted: 0, access_rules_restored: 2 } };
  await eventually(async () => expect(await eventsOf(shape)).toMatchObject([restored]));
}, 60_000);
