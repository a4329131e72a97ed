import { randomBytes } from 'node:crypto';
import type { ChannelId } from '@sluice/contracts';
import { openKysely, Problem } from '@sluice/service';
import { secretBox, secretKeysSchema } from '@sluice/system/secrets';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { eventually } from '@sluice/testing';
import pg from 'pg';
import { aChannel, change, division, makesChannels, scopes, tenant } from '#test/channels.ts';
import { notifier } from '#test/notifier-service.ts';
import type { Tables } from '../../database/tables.ts';
import { channelVault } from './channel-secrets.ts';
import { resealChannels } from './reseal.ts';

const on = notifier({ replicas: 2 });
const { create, subscribe } = makesChannels(on);
let tenants = 100;
/** a tenant that nobody else has */
const someTenant = () => tenant(++tenants);

/** The code that a request is refused with, and the field where it names one; undefined when it is not refused. */
async function refusal(request: Promise<unknown>): Promise<string | undefined> {
  try {
    await request;
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const [issue] = error.extras.fieldIssues ?? [];
    return issue ? `${issue.path} ${issue.code}` : error.code;
  }
}

async function eventsOf(tenantId: number): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const { name } = on.topology.streams.events;
  const { state } = await (await jetstreamManager(on.nats)).streams.info(name);
  const stream = await jetstream(on.nats).streams.get(name);
  const found = [];
  for (let seq = Math.max(state.first_seq, 1); seq <= state.last_seq; seq++) {
    const message = await stream.getMessage({ seq });
    const event = message?.json<{ type: string; tenant_id: number; data: Record<string, unknown> }>();
    if (event?.tenant_id === tenantId) found.push(event);
  }
  return found;
}

describe('a channel', () => {
  test('is created, read, changed and deleted, each with its event, which tells nothing secret', async () => {
    const owner = someTenant();
    const secret = 'https://hooks.example.com/services/T0/B0/very-secret';
    const settings = { chat: { channel: '#ops', icon_emoji: ':bell:' } };
    const channel = await create(
      { channel: 'chat', name: 'On call', destination: secret, settings },
      { owner },
    );
    const asked = { ...owner, channel_id: channel.id };
    expect(channel).toMatchObject({ destination: secret, settings, enabled: true, signing_secret: null });
    expect(await on.request('get_channel', asked)).toEqual(channel);
    const changes = { name: 'Nobody', destination: `${secret}-2`, enabled: false };
    const changing = { ...change(owner), channel_id: channel.id };
    await on.request('update_channel', { ...changing, changes, may_customize: false });
    // once more: nothing changes any more
    await on.request('update_channel', { ...changing, changes, may_customize: false });
    expect(await on.request('get_channel', asked)).toMatchObject(changes);
    await on.request('delete_channel', changing);
    expect(await refusal(on.request('get_channel', asked))).toBe('not_found');
    const told = { channel_id: channel.id, channel: 'chat', name: 'On call' };
    await eventually(async () =>
      expect((await eventsOf(owner.tenant_id)).map(({ type, data }) => [type, data])).toEqual([
        ['channel_created', told],
        [
          'channel_updated',
          {
            ...{ ...told, name: 'Nobody' },
            changes: { name: 'Nobody', enabled: false, destination: '***' },
            former: { name: 'On call', enabled: true, destination: '***' },
          },
        ],
        ['channel_deleted', { ...told, name: 'Nobody' }],
      ]),
    );
    expect(JSON.stringify(await eventsOf(owner.tenant_id))).not.toContain('very-secret');
  });

  test('has its destination in the database in no form that can be read', async () => {
    await create({
      destination: 'https://hooks.example.com/t0p-s3cret',
      settings: { webhook: { headers: { 'x-a': 't0p-s3cret' } } },
    });
    const rows = await on.sql('SELECT c::text FROM channels c');
    expect(JSON.stringify(rows)).not.toContain('t0p-s3cret');
    expect(await on.everythingStored()).not.toContain('t0p-s3cret');
  });

  test('keeps the headers of a webhook for its destination alone', async () => {
    const owner = someTenant();
    const webhook = { headers: { 'x-login': 't0p-s3cret' } };
    const { id } = await create(
      { channel: 'webhook', name: 'Ops', destination: 'https://example.com/in', settings: { webhook } },
      { owner },
    );
    const asked = { ...change(owner), channel_id: id };
    const update = (changes: object) =>
      on.request('update_channel', { ...asked, changes, may_customize: true });
    const masked = { settings: { webhook: { headers: { 'x-login': '***' } } } };
    const nothing = '/body/settings/webhook/headers/x-login nothing_stored';
    // left out they would be kept as well
    expect(await refusal(update({ destination: 'https://example.com/mine' }))).toBe(nothing);
    expect(await refusal(update({ destination: 'https://example.com/mine', ...masked }))).toBe(nothing);
    expect(
      await refusal(
        create(
          { channel: 'webhook', name: 'New', destination: 'https://example.com/in', ...masked },
          { owner },
        ),
      ),
    ).toBe(nothing);
    await update({ destination: 'https://EXAMPLE.com/in', ...masked });
    expect(await on.request('get_channel', { ...owner, channel_id: id })).toMatchObject({
      settings: { webhook },
    });
    await update({ destination: 'https://example.com/mine', settings: {} });
    expect(await on.request('get_channel', { ...owner, channel_id: id })).toMatchObject({ settings: {} });
  });

  test('is its owner’s alone', async () => {
    const mine = division(7, someTenant().tenant_id);
    const { id } = await create({}, { owner: mine });
    const others = [tenant(mine.tenant_id), division(8, mine.tenant_id), division(7, mine.tenant_id + 1)];
    for (const other of others)
      expect(await refusal(on.request('get_channel', { ...other, channel_id: id }))).toBe('not_found');
    const listed = async (owner: typeof mine) =>
      (await on.request('list_channels', { ...owner, offset: 0, results: 10 })).total;
    expect([await listed(mine), await listed(tenant(mine.tenant_id))]).toEqual([1, 0]);
  });

  test('goes with its tenant or its division, with what it was subscribed to and told', async () => {
    const owner = someTenant();
    const { tenant_id } = owner;
    const own = await create({}, { owner });
    const inner = await create({}, { owner: division(31, tenant_id) });
    await subscribe(own.id, { message_types: ['division_created'], scopes: scopes() }, owner);
    await on.event('division_deleted', {
      tenant_id,
      division: { id: 31, name: 'gone' },
      data: { name: 'gone' },
    });
    const exists = async (id: ChannelId) =>
      (await on.sql('SELECT 1 FROM channels WHERE id = $1', [id])).length;
    await eventually(async () => expect([await exists(own.id), await exists(inner.id)]).toEqual([1, 0]));
    await on.event('tenant_deleted', { tenant_id, data: { name: 'gone' } });
    await eventually(async () => expect(await exists(own.id)).toBe(0));
    expect(await on.sql('SELECT 1 FROM routes WHERE tenant_id = $1', [tenant_id])).toEqual([]);
  });
});

test('all that is stored can be encrypted under a new key, so that the former one can go', async () => {
  const { id } = await create({ destination: 'https://hooks.example.com/rotated' }, { owner: someTenant() });
  const former = on.environment['SECRETS_KEYS'] ?? '';
  const newest = `newest:${randomBytes(32).toString('base64')}`;
  const pool = new pg.Pool({ connectionString: on.databaseUrl, max: 1 });
  const database = openKysely<Tables>(pool);
  const vaultOf = (keys: string) => channelVault(secretBox(secretKeysSchema.parse(keys)));
  const sealed = async () =>
    (await on.sql<{ sealed: string }>('SELECT sealed FROM channels WHERE id = $1', [id]))[0]?.sealed ?? '';
  const before = await sealed();
  const rotating = vaultOf(`${newest},${former}`);
  expect(await resealChannels(database, rotating)).toBeGreaterThan(0);
  expect(await resealChannels(database, rotating)).toBe(0);
  expect(await vaultOf(newest).open(await sealed())).toMatchObject({
    destination: 'https://hooks.example.com/rotated',
  });
  await on.sql('UPDATE channels SET sealed = $2 WHERE id = $1', [id, before]);
  await pool.end();
});

describe('of many requests at the same time, at two replicas,', () => {
  test('no more are created than the plan has', async () => {
    const owner = someTenant();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => refusal(create({}, { owner, limit: 3 }))),
    );
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === 'limit_reached')).toHaveLength(17);
  });

  test('one has a name, whatever its case', async () => {
    const owner = someTenant();
    const outcomes = await Promise.all(
      ['On call', 'on call', 'ON CALL', 'On Call'].map((name) => refusal(create({ name }, { owner }))),
    );
    expect(outcomes.sort()).toEqual(['name_taken', 'name_taken', 'name_taken', undefined]);
  });

  test('those of one request have its effect once, and its answer', async () => {
    const owner = someTenant();
    const input = aChannel();
    const made = await Promise.all(
      Array.from({ length: 8 }, () => create(input, { owner, once: `one ${owner.tenant_id}` })),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    await eventually(async () => expect(await eventsOf(owner.tenant_id)).toHaveLength(1));
  });
});

describe('is refused', () => {
  const cases: [string, Parameters<typeof aChannel>[0], string][] = [
    ['http', { destination: 'http://hooks.example.com' }, '/body/destination invalid_format'],
    ['no address', { destination: 'hooks.example.com' }, '/body/destination invalid_format'],
    ['no host', { destination: 'https:///x' }, '/body/destination invalid_format'],
    ['port 0', { destination: 'https://hooks.example.com:0/x' }, '/body/destination invalid_format'],
    [
      'no host of a chat',
      { channel: 'chat', destination: 'https:\\\\x' },
      '/body/destination invalid_format',
    ],
    [
      'port 0 of a chat',
      { channel: 'chat', destination: 'https://hooks.example.com:0' },
      '/body/destination invalid_format',
    ],
    ['a login', { destination: 'https://a:b@hooks.example.com' }, '/body/destination invalid_format'],
    [
      'the cloud’s metadata',
      { destination: 'https://169.254.169.254/x' },
      '/body/destination destination_not_allowed',
    ],
    [
      'a private address',
      { destination: 'https://[::ffff:10.0.0.1]/' },
      '/body/destination destination_not_allowed',
    ],
    ['no mail address', { channel: 'email', destination: 'ada' }, '/body/destination invalid_format'],
    ['settings of another kind', { settings: { chat: {} } }, '/body/settings/chat not_applicable'],
    [
      'a header of ours',
      { settings: { webhook: { headers: { 'Webhook-Signature': 'x' } } } },
      '/body/settings/webhook/headers invalid_header',
    ],
    [
      'a header with a line break',
      { settings: { webhook: { headers: { 'x-a': 'b\r\nc: d' } } } },
      '/body/settings/webhook/headers invalid_header',
    ],
    [
      'a header in two cases',
      { settings: { webhook: { headers: { 'X-A': 'b', 'x-b': 'b', 'x-a': 'c' } } } },
      '/body/settings/webhook/headers invalid_header',
    ],
  ];
  test.each(cases)('%s', async (_name, input, expected) => {
    expect(await refusal(create(input, { owner: someTenant() }))).toBe(expected);
  });

  test('a webhook with headers or a method where the plan has none', async () => {
    const input = aChannel({ settings: { webhook: { method: 'PUT' } } });
    const asked = { ...change(someTenant()), limit: 3, may_customize: false };
    expect(await refusal(on.request('create_channel', { ...asked, input }))).toBe('feature_not_available');
    const plain = aChannel({ settings: { webhook: { method: 'POST' } } });
    expect(await refusal(on.request('create_channel', { ...asked, input: plain }))).toBeUndefined();
  });
});

describe('subscriptions', () => {
  test('are replaced all at once, or not at all', async () => {
    const owner = someTenant();
    const { id: channel_id } = await create({}, { owner });
    const before = await subscribe(
      channel_id,
      { message_types: ['division_created'], scopes: scopes() },
      owner,
    );
    const input = { message_types: ['division_deleted'], scopes: scopes({ divisions: [3] }) };
    const replace = (count: number) =>
      on.request('replace_channel_subscriptions', {
        ...change(owner),
        ...{ channel_id, limit: 2, inputs: Array.from({ length: count }, () => input) },
      });
    const list = async () =>
      (await on.request('list_channel_subscriptions', { ...owner, channel_id, offset: 0, results: 10 }))
        .items;
    expect(await refusal(replace(3))).toBe('limit_reached');
    expect(await list()).toEqual([before]);
    await replace(2);
    expect(
      (await list()).map(({ message_types, scopes: named }) => [message_types, named.divisions]),
    ).toEqual(Array(2).fill([['division_deleted'], [{ id: 3, name: 'named 3' }]]));
    const [first] = await list();
    const named = { ...owner, channel_id, message_type: 'division_created', offset: 0, results: 10 };
    expect((await on.request('list_channel_subscriptions', named)).total).toBe(0);
    const gone = { ...change(owner), channel_id, subscription_id: first?.id ?? before.id };
    await on.request('delete_channel_subscription', gone);
    expect(await refusal(on.request('delete_channel_subscription', gone))).toBe('not_found');
    expect(await list()).toHaveLength(1);
  });
});

test('what cannot be opened with the key that main-api and the notifier have is not answered', async () => {
  const reply = on.nats.request(on.topology.subjects.notifierRequests, '{"name":"list_channels"}', {
    timeout: 300,
  });
  await expect(reply).rejects.toThrow(/timeout/i);
});
