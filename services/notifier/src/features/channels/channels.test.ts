import { randomBytes } from 'node:crypto';
import { idOf, type ChannelId, type ChannelMessage } from '@sluice/contracts';
import { Problem, resealColumn, sqlOf } from '@sluice/service';
import { secretBox, secretKeysSchema } from '@sluice/system/secrets';
import { eventually } from '@sluice/testing';
import pg from 'pg';
import { division, makesChannels, scopes, tenant } from '#test/channels.ts';
import { notifier } from '#test/notifier-service.ts';
import { channelVault } from './channel-vault.ts';
import { sealedColumns } from '../../sealed-columns.ts';

const on = notifier({ replicas: 2 });
const { create, send, remove } = makesChannels(on);
let tenants = 100;
/** a tenant of this test alone */
const someTenant = () => tenant(++tenants);

const rowsOf = (id: ChannelId) =>
  on.sql<{ name: string; version: number }>('SELECT name, version::int FROM channels WHERE id = $1', [id]);

const refusal = (request: Promise<unknown>) =>
  request.then(
    () => undefined,
    (error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      const [issue] = error.extras.fieldIssues ?? [];
      return issue ? `${issue.path} ${issue.code}` : error.code;
    },
  );

test('a channel has its destination in the database in no form that can be read', async () => {
  await create({
    destination: 'https://hooks.example.com/t0p-s3cret',
    settings: { webhook: { headers: { 'x-a': 't0p-s3cret' } } },
  });
  const rows = await on.sql('SELECT c::text FROM channels c');
  expect(JSON.stringify(rows)).not.toContain('t0p-s3cret');
  expect(await on.everythingStored()).not.toContain('t0p-s3cret');
});

test('the highest version of a channel counts, in whatever order states come, and however often', async () => {
  const owner = someTenant();
  const { tenant_id } = owner;
  const sealed = await on.seal(
    JSON.stringify({ destination: 'https://hooks.example.com/x', settings: {}, signing_secret: null }),
  );
  const state = { tenant_id, division_id: null, channel: 'chat' as const, enabled: true, sealed };
  const created_at = new Date().toISOString();
  const messageOf = (id: number, version: number): ChannelMessage<'channel_state'> => ({
    channel_id: idOf<ChannelId>(id),
    version,
    // one channel ends deleted, the other one does not
    state:
      version === (id === 900_001 ? 12 : 7)
        ? null
        : { ...state, name: `v${version}`, created_at, subscriptions: [] },
  });
  const messages = [900_001, 900_002].flatMap((id) =>
    Array.from({ length: 12 }, (_, index) => messageOf(id, index + 1)),
  );
  const shuffled = [...messages, ...messages].sort(() => Math.random() - 0.5);
  await Promise.all(shuffled.map((message) => on.channel('channel_state', message)));
  const { commands } = on.topology.streams;
  await on.allTaken(commands.name);
  expect(await rowsOf(idOf(900_001))).toEqual([]);
  expect(await rowsOf(idOf(900_002))).toEqual([{ name: 'v12', version: 12 }]);
  // a state from before the deletion that comes late
  await on.channel('channel_state', messageOf(900_001, 11));
  await on.allTaken(commands.name);
  expect(await rowsOf(idOf(900_001))).toEqual([]);
  await remove((await create({}, { owner })).id);
});

test('a state that no key opens waits, and holds up no other', async () => {
  const { id } = await create({}, { owner: someTenant() });
  const { tenant_id } = someTenant();
  const created_at = new Date().toISOString();
  const state = { tenant_id, division_id: null, channel: 'chat' as const, name: 'x', enabled: true };
  const lost = { ...state, sealed: 'no key opens this', created_at, subscriptions: [] };
  await on.channel('channel_state', { channel_id: idOf(900_003), version: 1, state: lost });
  await send(id, { name: 'goes on' });
  expect(await rowsOf(id)).toMatchObject([{ name: 'goes on' }]);
  expect(await rowsOf(idOf(900_003))).toEqual([]);
  // a later one takes its place
  const sealed = await on.seal(
    JSON.stringify({ destination: 'https://hooks.example.com/x', settings: {}, signing_secret: null }),
  );
  await on.channel('channel_state', { channel_id: idOf(900_003), version: 2, state: { ...lost, sealed } });
  await eventually(async () => expect(await rowsOf(idOf(900_003))).toEqual([{ name: 'x', version: 2 }]));
});

test('a channel goes with its tenant or its division, with its subscriptions', async () => {
  const owner = someTenant();
  const { tenant_id } = owner;
  const subscriptions = [{ message_types: ['division_created'], scopes: scopes() }];
  const own = await create({ subscriptions }, { owner });
  const inner = await create({}, { owner: division(31, tenant_id) });
  await on.event('division_deleted', {
    tenant_id,
    division: { id: 31, name: 'gone' },
    data: { name: 'gone' },
  });
  const exists = async (id: ChannelId) => (await rowsOf(id)).length;
  await eventually(async () => expect([await exists(own.id), await exists(inner.id)]).toEqual([1, 0]));
  await on.event('tenant_deleted', { tenant_id, data: { name: 'gone' } });
  await eventually(async () => expect(await exists(own.id)).toBe(0));
  expect(await on.sql('SELECT 1 FROM routes WHERE tenant_id = $1', [tenant_id])).toEqual([]);
});

test('a notifier reports at its start which channels it has, in which versions', async () => {
  const { id } = await create({}, { owner: someTenant() });
  await send(id, { name: 'renamed' });
  const gone = await create({}, { owner: someTenant() });
  await remove(gone.id);
  await on.replica().stop();
  await on.start();
  const named = async () =>
    (await on.reports('channel_inventory')).find(({ channels }) =>
      channels.some((channel) => channel.id === id && channel.version === 2),
    );
  const inventory = await eventually(async () => {
    const found = await named();
    if (!found) throw new Error('it has not been reported yet');
    return found;
  });
  expect(inventory).toMatchObject({ after: 0, upto: null });
  expect(inventory.channels.map((channel) => channel.id)).not.toContain(gone.id);
});

test('all that is stored can be encrypted under a new key, so that the former one can go', async () => {
  const { id } = await create({ destination: 'https://hooks.example.com/rotated' }, { owner: someTenant() });
  const former = on.environment['SECRETS_KEYS'] ?? '';
  const newest = `newest:${randomBytes(32).toString('base64')}`;
  const pool = new pg.Pool({ connectionString: on.databaseUrl, max: 1 });
  const boxOf = (keys: string) => secretBox(secretKeysSchema.parse(keys));
  const vaultOf = (keys: string) => channelVault(boxOf(keys));
  const sealed = async () =>
    (await on.sql<{ sealed: string }>('SELECT sealed FROM channels WHERE id = $1', [id]))[0]?.sealed ?? '';
  const before = await sealed();
  const reseal = () => resealColumn(sqlOf(pool), boxOf(`${newest},${former}`), sealedColumns[0]!);
  expect((await reseal()).resealed).toBeGreaterThan(0);
  expect(await reseal()).toEqual({ resealed: 0, unreadable: [] });
  expect(await vaultOf(newest).open(await sealed())).toMatchObject({
    destination: 'https://hooks.example.com/rotated',
  });
  await on.sql('UPDATE channels SET sealed = $2 WHERE id = $1', [id, before]);
  await pool.end();
});

test.each([
  ['169.254.169.254', '/body/destination destination_not_allowed'],
  ['[::ffff:10.0.0.1]', '/body/destination destination_not_allowed'],
  ['hooks.example.com', undefined],
])('asked about the host %s it says whether messages may go there', async (host, expected) => {
  const { tenant_id } = someTenant();
  expect(await refusal(on.request('check_host', { tenant_id, host }))).toBe(expected);
});

test('what cannot be opened with the key that main-api and the notifier have is not answered', async () => {
  const reply = on.nats.request(on.topology.subjects.notifierRequests, '{"name":"check_host"}', {
    timeout: 300,
  });
  await expect(reply).rejects.toThrow(/timeout/i);
});
