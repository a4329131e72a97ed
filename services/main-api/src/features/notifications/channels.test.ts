import { randomUUID } from 'node:crypto';
import {
  channelMessages,
  channelSecretsSchema,
  notifierRequests,
  type ChannelInventory,
  type ChannelMessage,
  type ChannelMessageType,
} from '@sluice/contracts';
import { answerRequests } from '@sluice/messaging';
import { createLog, fieldProblem } from '@sluice/service';
import { secretBox, secretKeysSchema } from '@sluice/system/secrets';
import { eventually, say, type Answer } from '@sluice/testing';
import { fieldIssues, itemsOf, mainApi, refusal } from '#test/main-api.ts';
import { mailKeys } from '#test/settings.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi({ environment: { DATABASE_POOL_SIZE: '10' } });
const region = on.region();
const a = on.tenants();
const box = secretBox(secretKeysSchema.parse(mailKeys));
/** hosts that the notifier is asked about; `private` in a name is refused */
const asked: string[] = [];

beforeAll(() => {
  const end = answerRequests({
    ...{ nats: on.nats, subject: on.topology.subjects.notifierRequests, queue: 'notifier', most: 100 },
    ...{ box, log: createLog('notifier', 'error') },
    requests: { check_host: notifierRequests.check_host },
    handlers: {
      async check_host({ host }) {
        asked.push(host);
        if (host.includes('private'))
          throw fieldProblem('destination', 'destination_not_allowed', 'is private');
        return {};
      },
    },
  });
  on.onClose(end);
});

/** A tenant on a plan with room for `limit` channels. */
const tenantWith = (limit = 20, more: object = {}) =>
  a.tenant({
    overrides: {
      notification_channels_limit: limit,
      notification_subscriptions_limit: 2,
      advanced_notification_channels_enabled: true,
      ...more,
    },
  });

const webhook = {
  channel: 'webhook',
  name: 'Ops',
  destination: 'https://hooks.example.com/in',
  settings: { webhook: { headers: { 'x-login': 't0p-s3cret' } } },
};
const create = ({ admin, path }: TestTenant, input: object = {}, owner = path) =>
  admin.post(`${owner}/channels`, { ...webhook, ...input });
const pathOf = ({ headers }: Answer) => headers.get('location') ?? '';
const idOfChannel = ({ headers }: Answer) => Number(headers.get('svc-channel'));

/** What the notifier was sent of a channel, in order. */
async function sentOf(id: number) {
  const rows = await on.sql(
    `SELECT payload FROM (SELECT id, subject, payload FROM outbox UNION ALL SELECT id, subject, payload FROM outbox_sent) AS o
     WHERE subject LIKE '%.commands.notifier.%' ORDER BY id`,
  );
  const messages = rows.map(
    ({ payload }) =>
      JSON.parse(String(payload)) as { type: ChannelMessageType; data: ChannelMessage<'channel_state'> },
  );
  return messages.filter(({ data }) => data.channel_id === id).map(({ type, data }) => ({ type, ...data }));
}

async function lastState(id: number) {
  const { type, ...data } = (await sentOf(id)).at(-1) ?? {};
  expect(type).toBe('channel_state');
  const { state, version } = channelMessages.channel_state.parse(data);
  const secrets = state && channelSecretsSchema.parse(JSON.parse(await box.open(state.sealed)));
  return { version, state, secrets };
}

const eventsOf = ({ id }: TestTenant) =>
  region.events
    .filter(({ tenant_id, type }) => tenant_id === id && type.startsWith('channel_'))
    .map(({ type, data }) => [type, data]);

test('a channel is created, read, changed and deleted, each with its event and the state for the notifier; nothing secret is told', async () => {
  const acme = await tenantWith();
  const destination = 'https://hooks.example.com/services/very-secret';
  const settings = { chat: { channel: '#ops', icon_emoji: ':bell:' } };
  const created = await create(acme, { channel: 'chat', name: 'On call', destination, settings });
  const [path, id] = [pathOf(created), idOfChannel(created)];
  expect(created).toMatchObject({
    status: 201,
    body: { destination, settings, enabled: true, signing_secret: null, unsubscribed_at: null },
  });
  expect((await acme.admin.get(path)).body).toEqual(created.body);
  const first = await lastState(id);
  expect(first).toMatchObject({
    state: { tenant_id: acme.id, division_id: null, name: 'On call', enabled: true, subscriptions: [] },
    secrets: { destination, settings },
  });

  const changes = { name: 'Nobody', destination: `${destination}-2`, enabled: false };
  expect((await acme.admin.put(path, changes)).status).toBe(204);
  // once more: nothing changes any more
  expect((await acme.admin.put(path, changes)).status).toBe(204);
  expect((await acme.admin.get(path)).body).toMatchObject(changes);
  const second = await lastState(id);
  expect(second).toMatchObject({ state: { enabled: false }, secrets: { destination: changes.destination } });
  expect(second.version).toBeGreaterThan(first.version);

  expect((await acme.admin.delete(path)).status).toBe(204);
  expect(refusal(await acme.admin.get(path))).toBe('404 not_found');
  const third = await lastState(id);
  expect(third.state).toBeNull();
  expect(third.version).toBeGreaterThan(second.version);
  expect(await sentOf(id)).toHaveLength(3);

  const named = { channel_id: id, channel: 'chat', name: 'On call' };
  await eventually(() =>
    expect(eventsOf(acme)).toEqual([
      ['channel_created', named],
      [
        'channel_updated',
        {
          ...{ ...named, name: 'Nobody' },
          changes: { name: 'Nobody', enabled: false, destination: '***' },
          former: { name: 'On call', enabled: true, destination: '***' },
        },
      ],
      ['channel_deleted', { ...named, name: 'Nobody' }],
    ]),
  );
  expect(JSON.stringify(eventsOf(acme))).not.toContain('very-secret');
  expect(await a.everythingStored()).not.toContain('very-secret');
});

test('headers of a webhook are kept for its destination alone', async () => {
  const acme = await tenantWith();
  const created = await create(acme);
  const path = pathOf(created);
  expect(created.body['signing_secret']).toMatch(/^whsec_/);
  const update = (changes: object) => acme.admin.put(path, changes);
  const masked = { settings: { webhook: { headers: { 'x-login': '***' } } } };
  const nothing = ['/body/settings/webhook/headers/x-login nothing_stored'];
  // left out they would be kept as well
  expect(fieldIssues(await update({ destination: 'https://example.com/mine' }))).toEqual(nothing);
  expect(fieldIssues(await update({ destination: 'https://example.com/mine', ...masked }))).toEqual(nothing);
  expect(fieldIssues(await create(acme, { name: 'New', ...masked }))).toEqual(nothing);
  expect((await update({ destination: 'https://HOOKS.example.com/in', ...masked })).status).toBe(204);
  expect((await acme.admin.get(path)).body).toMatchObject({ settings: webhook.settings });
  expect((await update({ destination: 'https://example.com/mine', settings: {} })).status).toBe(204);
  expect((await acme.admin.get(path)).body).toMatchObject({ settings: {} });
});

test('a channel is its owner’s alone, and goes with it', async () => {
  const [acme, other] = [await tenantWith(), await tenantWith()];
  const division = `${acme.path}/divisions/${acme.division}`;
  const [inner, own] = [await create(acme, {}, division), await create(acme)];
  const id = idOfChannel(inner);
  for (const [{ admin }, path] of [
    [acme, acme.path],
    [other, other.path],
    [other, `${other.path}/divisions/${other.division}`],
  ] as const)
    expect(refusal(await admin.get(`${path}/channels/${id}`))).toBe('404 not_found');
  expect((await acme.admin.get(`${acme.path}/channels`)).body['total_results']).toBe(1);
  expect((await acme.admin.get(`${division}/channels?channel=webhook`)).body['total_results']).toBe(1);
  expect((await acme.admin.get(`${division}/channels?channel=chat`)).body['total_results']).toBe(0);
  expect((await acme.admin.delete(division)).status).toBe(204);
  expect((await lastState(id)).state).toBeNull();
  expect((await lastState(idOfChannel(own))).state).not.toBeNull();
  expect((await acme.admin.delete(acme.path)).status).toBe(204);
  expect((await lastState(idOfChannel(own))).state).toBeNull();
});

describe('of many requests at the same time, at two replicas,', () => {
  test('no more are created than the plan has', async () => {
    const acme = await tenantWith(3);
    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => create(acme, { name: `n${i}` })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect((await acme.admin.get(`${acme.path}/channels`)).body['total_results']).toBe(3);
    expect(refusal(await create(acme, { name: 'more' }))).toBe('409 limit_reached');
  });

  test('one has a name, whatever its case', async () => {
    const acme = await tenantWith();
    const names = ['On call', 'on call', 'ON CALL', 'On Call'];
    const answers = await Promise.all(names.map((name) => create(acme, { name })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(refusal(await create(acme, { name: 'oN cALL' }))).toBe('409 name_taken');
  });
});

describe('is refused', () => {
  let acme: TestTenant;
  beforeAll(async () => {
    acme = await tenantWith();
  });

  test.each([
    ['http', { destination: 'http://hooks.example.com' }, 'destination invalid_format'],
    ['no address', { destination: 'hooks.example.com' }, 'destination invalid_format'],
    ['no host', { destination: 'https:///x' }, 'destination invalid_format'],
    ['port 0', { destination: 'https://hooks.example.com:0/x' }, 'destination invalid_format'],
    [
      'no host of a chat',
      { channel: 'chat', destination: 'https:\\\\x', settings: {} },
      'destination invalid_format',
    ],
    [
      'port 0 of a chat',
      { channel: 'chat', destination: 'https://hooks.example.com:0', settings: {} },
      'destination invalid_format',
    ],
    ['a login', { destination: 'https://a:b@hooks.example.com' }, 'destination invalid_format'],
    ['a private host', { destination: 'https://private.example.com' }, 'destination destination_not_allowed'],
    ['no mail address', { channel: 'email', destination: 'ada', settings: {} }, 'destination invalid_format'],
    ['settings of another kind', { settings: { chat: {} } }, 'settings/chat not_applicable'],
    [
      'a header of ours',
      { settings: { webhook: { headers: { 'Webhook-Signature': 'x' } } } },
      'settings/webhook/headers invalid_header',
    ],
    [
      'a header with a line break',
      { settings: { webhook: { headers: { 'x-a': 'b\r\nc: d' } } } },
      'settings/webhook/headers invalid_header',
    ],
    [
      'a header in two cases',
      { settings: { webhook: { headers: { 'X-A': 'b', 'x-b': 'b', 'x-a': 'c' } } } },
      'settings/webhook/headers invalid_header',
    ],
  ])('%s', async (_, input, expected) => {
    expect(fieldIssues(await create(acme, input))).toEqual([`/body/${expected}`]);
  });

  test('a webhook with headers or a method where the plan has none', async () => {
    const plain = await tenantWith(3, { advanced_notification_channels_enabled: false });
    const settings = (method: string) => ({ settings: { webhook: { method } } });
    expect(refusal(await create(plain, settings('PUT')))).toBe('403 feature_not_available');
    expect((await create(plain, settings('POST'))).status).toBe(201);
  });

  test('a second test within ten seconds', async () => {
    const created = await create(acme, { name: 'tested' });
    const ask = () => acme.admin.post(`${pathOf(created)}/test`);
    const answers = await Promise.all(Array.from({ length: 4 }, ask));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    const again = await ask();
    expect(refusal(again)).toBe('429 channel_test_throttled');
    expect(again.headers.get('retry-after')).toMatch(/^([1-9]|10)$/);
    await on.sql(`UPDATE channels SET tested_at = tested_at - interval '10 seconds'`);
    expect((await ask()).status).toBe(204);
    const types = (await sentOf(idOfChannel(created))).map(({ type }) => type);
    expect(types).toEqual(['channel_state', 'channel_test', 'channel_test']);
  });
});

test('subscriptions are replaced all at once, or not at all', async () => {
  const acme = await tenantWith();
  const created = await create(acme);
  const [path, id] = [`${pathOf(created)}/subscriptions`, idOfChannel(created)];
  const before = await acme.admin.post(path, { message_types: ['division_created'] });
  expect(before.status).toBe(201);
  expect((await lastState(id)).state?.subscriptions).toMatchObject([
    { id: before.body['id'], message_types: ['division_created'], scopes: { divisions: [] } },
  ]);
  const input = { message_types: ['division_deleted'], scope_division_ids: [acme.division] };
  const replace = (...subscriptions: object[]) => acme.admin.put(path, { subscriptions });
  const list = async (query = '') => itemsOf(await acme.admin.get(`${path}${query}`));
  const wrong = { message_types: ['division_deleted'], scope_division_ids: [999_999] };
  expect(refusal(await replace(input, input, input))).toBe('409 limit_reached');
  expect(fieldIssues(await replace(input, wrong))).toEqual([
    '/body/subscriptions/1/scope_division_ids/0 not_found',
  ]);
  expect((await list()).map((item) => item['id'])).toEqual([before.body['id']]);
  expect((await replace(input, input)).status).toBe(204);
  expect(await list()).toMatchObject([{ scope_divisions: [{ id: acme.division }] }, {}]);
  expect(await list('?message_type=division_created')).toEqual([]);
  expect((await lastState(id)).state?.subscriptions).toMatchObject([
    { scopes: { divisions: [acme.division] } },
    { scopes: { divisions: [acme.division] } },
  ]);
  const [first] = await list();
  const one = `${path}/${String(first?.['id'])}`;
  expect((await acme.admin.delete(one)).status).toBe(204);
  expect(refusal(await acme.admin.delete(one))).toBe('404 not_found');
  expect((await lastState(id)).state?.subscriptions).toHaveLength(1);
});

test('a subscription to alerts of consumers names from how many messages on', async () => {
  const acme = await tenantWith();
  const created = await create(acme);
  const [path, id] = [`${pathOf(created)}/subscriptions`, idOfChannel(created)];
  const about = { message_types: ['consumer_lag_high', 'consumer_lag_high_resolved'] };
  const made = await acme.admin.post(path, { ...about, consumer_lag_threshold: 1_000 });
  expect([made.status, made.body]).toMatchObject([201, { consumer_lag_threshold: 1_000 }]);
  const usual = await acme.admin.post(path, about);
  expect([usual.status, usual.body]).toMatchObject([201, { consumer_lag_threshold: null }]);
  const [first, second] = (await lastState(id)).state?.subscriptions ?? [];
  expect(first).toMatchObject({ consumer_lag_threshold: 1_000 });
  expect(second).not.toHaveProperty('consumer_lag_threshold');
  expect(itemsOf(await acme.admin.get(path))).toMatchObject([
    { consumer_lag_threshold: null },
    { consumer_lag_threshold: 1_000 },
  ]);
  const refused = async (input: object) => fieldIssues(await acme.admin.post(path, input));
  expect(await refused({ ...about, consumer_lag_threshold: 999 })).toEqual([
    expect.stringContaining('/body/consumer_lag_threshold'),
  ]);
  expect(await refused({ message_types: ['division_created'], consumer_lag_threshold: 1_000 })).toEqual([
    '/body/consumer_lag_threshold not_applicable',
  ]);
});

describe('when the notifier reports what it has', () => {
  const report = async (data: ChannelInventory) => {
    const type = 'channel_inventory';
    const message = {
      id: randomUUID(),
      type,
      occurred_at: new Date().toISOString(),
      correlation_id: null,
      data,
    };
    await say(on, 'notifier', on.topology.subjects.report('notifier', type), message);
    await region.reportsTaken();
  };
  const partOf = (id: number, channels: { version: number; unsubscribed_at?: string | null }[]) =>
    report({
      after: id - 1,
      upto: id as ChannelInventory['upto'],
      channels: channels.map((channel) => ({
        id: id as ChannelInventory['channels'][number]['id'],
        unsubscribed_at: null,
        ...channel,
      })),
    });

  test('it is sent what it lacks or has in another version, also in a later one, and nothing else', async () => {
    const acme = await tenantWith();
    const id = idOfChannel(await create(acme));
    const { version } = await lastState(id);
    await partOf(id, [{ version }]);
    expect(await sentOf(id)).toHaveLength(1);
    await partOf(id, []);
    const again = await lastState(id);
    expect(again.version).toBeGreaterThan(version);
    await partOf(id, [{ version }]);
    expect((await lastState(id)).version).toBeGreaterThan(again.version);
    // main-api was restored to before a change
    await partOf(id, [{ version: 1e9 }]);
    expect(await lastState(id)).toMatchObject({ version: 1e9 + 1, state: { name: 'Ops' } });
    expect(await sentOf(id)).toHaveLength(4);
  });

  test('a channel that there is not is deleted there', async () => {
    await partOf(5e8, [{ version: 77 }]);
    const { state, version } = await lastState(5e8);
    expect([state, version >= 78]).toEqual([null, true]);
  });

  test('a channel shows since when its address is unsubscribed', async () => {
    const acme = await tenantWith();
    const created = await create(acme, { channel: 'email', destination: 'ada@example.com', settings: {} });
    const { version } = await lastState(idOfChannel(created));
    const shown = async () => (await acme.admin.get(pathOf(created))).body['unsubscribed_at'];
    const unsubscribed_at = '2026-03-01T12:00:00.000Z';
    await partOf(idOfChannel(created), [{ version, unsubscribed_at }]);
    expect(await shown()).toBe(unsubscribed_at);
    await partOf(idOfChannel(created), [{ version }]);
    expect(await shown()).toBeNull();
  });

  test('another sender is not believed', async () => {
    const acme = await tenantWith();
    const created = await create(acme);
    const data = { after: 0, upto: null, channels: [] };
    await region.report('channel_inventory', data);
    await region.reportsTaken();
    expect(await sentOf(idOfChannel(created))).toHaveLength(1);
  });
});
