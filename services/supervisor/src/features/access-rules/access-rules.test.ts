import type { Event } from '@sluice/contracts';
import { aDeployment, client, eventually } from '@sluice/testing';
import { call, untilStatus } from '#test/client.ts';
import { messagesAbout } from '#test/messages.ts';
import { supervisor } from '#test/region.ts';

const off = { broker_http: false, broker_tcp: false, broker_websocket: false, broker_udp: false };
const office = { name: 'office', cidr_blocks: ['192.0.2.0/24'], rules: { ...off, broker_tcp: true } };

describe('access rules', () => {
  const region = supervisor({ replicas: 2 });
  const replicas = [region.replica(0), region.replica(1)];
  let key: string;
  let id: number;

  beforeAll(async () => {
    key = await region.key();
    const shape = aDeployment({ tier: 'small', limits: { access_rules: 4 } });
    ({ id } = shape);
    await region.apply(shape);
    await untilStatus(replicas[0]!.url, key, id, 'initialized');
  });
  afterEach(() => region.sql('DELETE FROM access_rules'));

  const rules = (suffix = '', replica = 0) =>
    `${replicas[replica]!.url}/deployments/${id}/access_rules${suffix}`;
  const create = (body: unknown, replica = 0) => call(rules('', replica), key, { method: 'POST', body });

  test('are none for a tier other than free', async () => {
    expect((await call(rules(), key)).body).toEqual([]);
  });

  test('answer a creation with the rule, its address and its id, and show it afterwards', async () => {
    const validTo = new Date(Date.now() + 60_000).toISOString();
    const reply = await create({ ...office, remarks: 'front door', valid_to: validTo });
    expect(reply.status).toBe(201);
    const rule = reply.body as { id: number };
    expect(rule).toEqual({
      id: expect.any(Number) as number,
      name: 'office',
      remarks: 'front door',
      rules: { broker_http: false, broker_tcp: true, broker_websocket: false, broker_udp: false },
      cidr_blocks: ['192.0.2.0/24'],
      valid_to: validTo,
      created_at: expect.any(String) as string,
    });
    expect(reply.headers.get('svc-access-rule')).toBe(String(rule.id));
    expect(reply.headers.get('location')).toBe(`/deployments/${id}/access_rules/${rule.id}`);
    expect((await call(rules(`/${rule.id}`), key)).body).toEqual(rule);
    expect((await call(rules(), key)).body).toEqual([rule]);
    const network = await call(`${replicas[0]!.url}/deployments/${id}/network/info`, key);
    expect(network.body).toMatchObject({ access_rules: [rule] });
    const told = await messagesAbout<Event>(region, 'events', id);
    expect(told.find(({ type }) => type === 'access_rule_added')?.data).toMatchObject({
      description: 'front door',
    });
  });

  test('are listed newest first', async () => {
    for (const name of ['a', 'b', 'c']) await create({ ...office, name });
    expect((await call(rules(), key)).body).toMatchObject([{ name: 'c' }, { name: 'b' }, { name: 'a' }]);
  });

  test('are gone once deleted, and a second deletion finds nothing', async () => {
    const { id: rule } = (await create(office)).body as { id: number };
    const remove = () => call(rules(`/${rule}`), key, { method: 'DELETE' });
    const answers = await Promise.all([remove(), remove()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect((await call(rules(`/${rule}`), key)).status).toBe(404);
  });

  test('have a name of their own in the deployment, also when two are created at once', async () => {
    const answers = await Promise.all([create(office, 0), create(office, 1)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'name_taken' });
  });

  test('stay within the limit of the plan, also when many are created at once on two replicas', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, number) => create({ ...office, name: `rule ${number}` }, number % 2)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(4);
    for (const { status, body } of answers.filter(({ status }) => status !== 201)) {
      expect({ status, body }).toMatchObject({
        status: 409,
        body: { code: 'limit_reached', limit: { name: 'deployment_access_rules_limit', value: 4 } },
      });
    }
  });

  test.each<[string, Record<string, unknown>, string, string]>([
    ['no block', { cidr_blocks: [] }, '/body/cidr_blocks', 'too_few'],
    ['an address', { cidr_blocks: ['10.0.0.0/8', '10.0.0.1'] }, '/body/cidr_blocks/1', 'wrong_format'],
    ['a block twice', { cidr_blocks: ['10.0.0.0/8', '10.0.0.0/8'] }, '/body/cidr_blocks', 'duplicate'],
    ['bits below the prefix', { cidr_blocks: ['10.0.0.1/8'] }, '/body/cidr_blocks/0', 'wrong_format'],
    ['a leading zero', { cidr_blocks: ['10.0.0.0/08'] }, '/body/cidr_blocks/0', 'wrong_format'],
    ['no word of a protocol', { rules: { broker_tcp: true } }, '/body/rules/broker_udp', 'required'],
    [
      'a protocol that is null',
      { rules: { ...off, broker_udp: null } },
      '/body/rules/broker_udp',
      'wrong_type',
    ],
    ['no protocol that is on', { rules: off }, '/body/rules', 'too_few'],
    ['an unknown protocol', { rules: { ...off, smtp: true } }, '/body/rules/smtp', 'unknown_field'],
    ['a past end', { valid_to: '2020-01-01T00:00:00Z' }, '/body/valid_to', 'not_in_future'],
    ['an end that is no time', { valid_to: 'tomorrow' }, '/body/valid_to', 'wrong_format'],
    ['an empty name', { name: '' }, '/body/name', 'too_short'],
    ['an unknown field', { colour: 'red' }, '/body/colour', 'unknown_field'],
  ])('with %s are refused', async (_what, fields, path, code) => {
    const { status, body } = await create({ ...office, ...fields });
    expect(status).toBe(400);
    expect((body as { field_issues: unknown[] }).field_issues).toContainEqual(
      expect.objectContaining({ path, code }),
    );
    expect((await call(rules(), key)).body).toEqual([]);
  });

  test('are told the right form of a block', async () => {
    const { body } = await create({ ...office, cidr_blocks: ['192.0.2.7/24', '10.0.0.0/08', '10.0.0.0/8'] });
    const { field_issues } = body as { field_issues: { message: string }[] };
    expect(field_issues.map(({ message }) => message.split(': ')[1])).toEqual([
      'write 192.0.2.0/24',
      'write 10.0.0.0/8',
    ]);
  });

  describe('that are changed', () => {
    let rule: { id: number; created_at: string };
    const put = (body: unknown, headers: Record<string, string> = {}, replica = 0) =>
      client(rules(`/${rule.id}`, replica), key).request<{ code?: string }>('PUT', '', body, headers);
    const etagOf = async () => String((await call(rules(`/${rule.id}`), key)).headers.get('etag'));
    const updates = async () =>
      (await messagesAbout<Event>(region, 'events', id)).filter(
        ({ type, data }) => type === 'access_rule_updated' && (data as { name: string }).name !== 'raced',
      );

    beforeEach(async () => {
      rule = (await create({ ...office, remarks: 'front door' })).body as typeof rule;
    });

    test('become what the body says, keep their id, and are recorded once with what has changed', async () => {
      const before = (await updates()).length;
      const wanted = { name: 'home', cidr_blocks: ['198.51.100.0/24'], rules: { ...off, broker_http: true } };
      const changed = { ...wanted, id: rule.id, remarks: null, valid_to: null, created_at: rule.created_at };
      expect(await put(wanted)).toMatchObject({ status: 200, body: changed });
      // the same again, on the other replica
      expect(await put(wanted, {}, 1)).toMatchObject({ status: 200, body: changed });
      expect((await call(rules(), key)).body).toEqual([changed]);
      const recorded = await eventually(async () => {
        const found = (await updates()).slice(before);
        expect(found).not.toEqual([]);
        return found;
      });
      expect(recorded.map(({ data }) => data)).toEqual([
        {
          name: 'home',
          changes: { ...wanted, remarks: null },
          former: { ...office, remarks: 'front door' },
        },
      ]);
    });

    test('are checked as new ones are, but may keep an end that has passed', async () => {
      const past = '2020-01-01T00:00:00.000Z';
      const refused = await put({ ...office, valid_to: past, cidr_blocks: ['192.0.2.7/24'] });
      expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      expect(await put({ ...office, valid_to: past })).toMatchObject({ status: 400 });
      await region.sql('UPDATE access_rules SET valid_to = $1', [past]);
      const answer = await put({ ...office, valid_to: past, remarks: 'over' });
      expect(answer).toMatchObject({ status: 200, body: { valid_to: past, remarks: 'over' } });
    });

    test('do not get the name of another', async () => {
      await create({ ...office, name: 'other' });
      expect(await put({ ...office, name: 'other' })).toMatchObject({
        status: 409,
        body: { code: 'name_taken' },
      });
    });

    test('of two that mean the same state one is changed, and a deletion wins or loses whole', async () => {
      const etag = await etagOf();
      const race = [0, 1].map((replica) =>
        put({ ...office, name: 'raced', remarks: `by ${replica}` }, { 'if-match': etag }, replica),
      );
      const answers = (await Promise.all(race)).map(({ status, body }) => [status, body.code]);
      expect(answers.sort()).toEqual([
        [200, undefined],
        [412, 'changed_meanwhile'],
      ]);
      const remove = (headers: Record<string, string>) =>
        client(rules(`/${rule.id}`, 1), key).request('DELETE', '', undefined, headers);
      expect((await remove({ 'if-match': etag })).status).toBe(412);
      const [deleted, changed] = await Promise.all([remove({}), put({ ...office, name: 'raced' })]);
      expect(deleted.status).toBe(204);
      expect([200, 404]).toContain(changed.status);
      expect((await call(rules(), key)).body).toEqual([]);
      expect((await put(office)).status).toBe(404);
    });
  });

  test('of a deployment that is being deleted cannot be changed', async () => {
    await region.sql(`UPDATE deployments SET deleted_by = '{"correlation_id": null}', status = 'stopped'`);
    try {
      expect(await create(office)).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
    } finally {
      await region.sql("UPDATE deployments SET deleted_by = NULL, status = 'initialized'");
    }
  });
});
