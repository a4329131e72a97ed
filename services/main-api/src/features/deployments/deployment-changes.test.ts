import { client, eventually, type Answer, type Client } from '@sluice/testing';
import { deploymentsOf, idOf, small } from '#test/deployments.ts';
import { fieldIssues, mainApi, refusal } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi({ replicas: 1 });
const region = on.region();
const a = on.tenants();

let acme: TestTenant;
let path: string;
let id: number;
beforeAll(async () => {
  acme = await a.tenant({ plan: 'enterprise' });
  const created = await acme.admin.post(`${await deploymentsOf(acme)}/managed`, small);
  path = String(created.headers.get('location'));
  id = idOf(created);
});

const detail = async () => (await acme.admin.get(path)).body;
/** How many events of a type precede that of a change that is made now. */
async function countOf(type: string): Promise<number> {
  const last = await acme.admin.put(path, { description: `${type} ${Math.random()}` });
  await region.event('deployment_updated', last.headers);
  return region.eventsOf(type, { deployment: id }).length;
}

describe('a deployment is changed', () => {
  test('in its description, which null clears, and its protection', async () => {
    const answer = await acme.admin.put(path, { description: 'takes orders', protected: true });
    expect([answer.status, answer.body]).toEqual([204, {}]);
    expect(await detail()).toMatchObject({ description: 'takes orders', protected: true });
    const event = await region.event('deployment_updated', answer.headers);
    expect(event).toMatchObject({
      deployment: { id, name: 'orders' },
      data: {
        changes: { description: 'takes orders', protected: true },
        former: { description: null, protected: false },
      },
    });
    await acme.admin.put(path, { description: null, protected: null });
    expect(await detail()).toMatchObject({ description: null, protected: true });
  });

  test('in its protection, which a deletion needs a code for, and back by the owner alone', async () => {
    await acme.admin.put(path, { protected: true });
    const member = await acme.member({ environment: ['deployment:manage'] });
    expect(refusal(await member.put(path, { protected: false }))).toBe('403 owner_only');
    expect((await acme.admin.put(path, { protected: false })).status).toBe(204);
    expect((await member.put(path, { protected: true })).status).toBe(204);
    expect(refusal(await acme.admin.delete(path))).toBe('400 protection_code_required');
    await acme.admin.put(path, { protected: false });
  });

  test('without a word when nothing is different', async () => {
    await acme.admin.put(path, { description: 'same' });
    const before = await countOf('deployment_updated');
    await acme.admin.put(path, {});
    const { description } = await detail();
    await acme.admin.put(path, { description });
    expect(await countOf('deployment_updated')).toBe(before + 1);
  });
});

describe('a spend limit', () => {
  const set = (body: object, by: Client = acme.admin) => by.put(`${path}/spend_limit`, body);

  test('is set, sent to the region, and cleared by null', async () => {
    const { generation } = await region.shape(id);
    const answer = await set({ spend_limit: 99.99 });
    expect([answer.status, answer.body]).toEqual([200, { spend_limit: 99.99 }]);
    expect(await detail()).toMatchObject({ spend_limit: 99.99 });
    const event = await region.event('deployment_spend_limit_updated', answer.headers);
    expect(event.data).toEqual({ changes: { spend_limit: 99.99 }, former: { spend_limit: null } });
    const cleared = await set({ spend_limit: null });
    await region.event('deployment_spend_limit_updated', cleared.headers);
    expect(await detail()).toMatchObject({ spend_limit: null });
    await eventually(async () => {
      const { generation: now, deployment } = await region.shape(id);
      expect([now, deployment.spend_limit]).toEqual([generation + 2, null]);
    });
  });

  test('that is the same already sends nothing', async () => {
    await set({ spend_limit: 5 });
    const before = await countOf('deployment_spend_limit_updated');
    expect((await set({ spend_limit: 5 })).status).toBe(200);
    expect(await countOf('deployment_spend_limit_updated')).toBe(before);
  });

  test.each([
    [{}, '/body/spend_limit required'],
    [{ spend_limit: -0.01 }, '/body/spend_limit too_small'],
    [{ spend_limit: 1e9 }, '/body/spend_limit too_large'],
    [{ spend_limit: 0.001 }, '/body/spend_limit not_a_multiple'],
    [{ spend_limit: '5' }, '/body/spend_limit wrong_type'],
  ])('is refused as %j', async (body, issue) => {
    const answer = await set(body);
    expect(fieldIssues(answer)).toEqual([issue]);
  });

  test('needs the right to manage deployments in the environment', async () => {
    const reader = await acme.with({ environment: ['deployment:read'] });
    expect(refusal(await set({ spend_limit: 1 }, reader))).toBe('403 forbidden');
  });

  test('is set once by requests with one idempotency key', async () => {
    const send = () =>
      client(on.replica(0).url, acme.key).request(
        'PUT',
        `${path}/spend_limit`,
        { spend_limit: 7 },
        {
          'idempotency-key': 'limit-7',
        },
      );
    const first = await send();
    await set({ spend_limit: 8 });
    const again = await send();
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
    expect(await detail()).toMatchObject({ spend_limit: 8 });
  });
});

describe('a retention', () => {
  const set = (telemetry_days: unknown) =>
    acme.admin.put(`${path}/retention`, { retention: { telemetry_days } });

  test('is set and sent to the region', async () => {
    const answer = await set(30);
    expect([answer.status, answer.body]).toEqual([200, { retention: { telemetry_days: 30 } }]);
    expect(await detail()).toMatchObject({ retention: { telemetry_days: 30 } });
    const event = await region.event('deployment_retention_updated', answer.headers);
    expect(event.data).toEqual({
      changes: { retention: { telemetry_days: 30 } },
      former: { retention: { telemetry_days: 7 } },
    });
    await eventually(async () =>
      expect((await region.shape(id)).deployment.retention).toEqual({ telemetry_days: 30 }),
    );
  });

  test.each([
    [0, 'too_small'],
    [366, 'too_large'],
    [null, 'wrong_type'],
  ])('of %s days is refused', async (days, code) => {
    const answer = await set(days);
    expect(fieldIssues(answer)).toEqual([`/body/retention/telemetry_days ${code}`]);
  });
});

test('nothing is changed of a deployment that is being deleted, or that is elsewhere', async () => {
  const other = await a.tenant();
  const created = await other.admin.post(`${await deploymentsOf(other)}/managed`, small);
  const theirs = String(created.headers.get('location'));
  await other.admin.delete(theirs);
  const changes = (at: string): Promise<Answer>[] => [
    other.admin.put(at, { description: 'x' }),
    other.admin.put(`${at}/spend_limit`, { spend_limit: 1 }),
    other.admin.put(`${at}/retention`, { retention: { telemetry_days: 1 } }),
  ];
  for (const answer of await Promise.all(changes(theirs))) expect(refusal(answer)).toBe('409 state_conflict');
  const elsewhere = `${await deploymentsOf(other, 'staging')}/${idOf(created)}`;
  for (const answer of await Promise.all(changes(elsewhere))) expect(refusal(answer)).toBe('404 not_found');
});
