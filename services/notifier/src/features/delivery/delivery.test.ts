import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NotificationView } from '@sluice/contracts';
import { eventually, httpsReceiver, testFolder, type HttpsReceiver } from '@sluice/testing';
import { makesChannels, scopes, settled, tenant } from '#test/channels.ts';
import { mailServer, type MailServer } from '#test/mail-server.ts';
import { notifier } from '#test/notifier-service.ts';

const on = notifier({
  environment: { NOTIFICATION_RETRY_SECONDS: '0.02', NOTIFICATION_MAILS_PER_ADDRESS: '3' },
});
const { create, send, remove, test: sendTest, history } = makesChannels(on);
const patience = { timeoutMs: 30_000 };
let receiver: HttpsReceiver;
let mails: MailServer;
let tenants = 0;
const someTenant = () => tenant(++tenants);

beforeAll(async () => {
  receiver = await httpsReceiver();
  mails = await mailServer();
  const authority = join(await testFolder(), 'authority.pem');
  await writeFile(authority, receiver.authority);
  on.environment['NOTIFICATIONS_CA_FILE'] = authority;
  on.environment['MAIL_TRANSPORT'] = 'smtp';
  on.environment['SMTP_URL'] = `smtp://127.0.0.1:${mails.port}?ignoreTLS=true`;
  await on.start();
  await on.start();
});
afterAll(async () => {
  await receiver.stop();
  await mails.stop();
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer = () => undefined;
});

const division = (id: number) => ({
  division: { id, name: `division ${id}` },
  data: { name: `division ${id}` },
});
const receivedAt = (path: string) => receiver.received.filter((request) => request.path === path);
const outcome = ({ status, attempts, reason }: NotificationView) => [status, attempts, reason];

test('what is sent again after a restore of the database has the webhook-id that it had before', async () => {
  const owner = someTenant();
  const channel = await create({ destination: `${receiver.url}/restored` }, { owner });
  const id = await on.event('division_created', { ...owner, ...division(3) });
  await settled(() => history(channel.id));
  // as the database was before the event
  await on.sql(
    `WITH inboxes AS (DELETE FROM inbox WHERE message_id = $1), notified AS (DELETE FROM notifications WHERE message_id = $1),
       throttled AS (DELETE FROM throttles WHERE channel_id = $2)
     UPDATE consumer_progress SET sequence = 0 WHERE consumer = 'notifier-events'`,
    [id, channel.id],
  );
  await eventually(() => expect(receivedAt('/restored')).toHaveLength(2), patience);
  expect(receivedAt('/restored').map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
});

test('a webhook gets text for people and what happened for programs as JSON, signed as Standard Webhooks says', async () => {
  const owner = someTenant();
  const settings = { webhook: { headers: { 'X-Team': 'platform' }, method: 'PUT' as const } };
  const channel = await create({ destination: `${receiver.url}/signed?a=b`, settings }, { owner });
  const occurred_at = new Date().toISOString();
  const id = await on.event('division_created', { ...owner, ...division(3), occurred_at });
  const [item] = await settled(() => history(channel.id));
  expect(item && outcome(item)).toEqual(['delivered', 1, null]);
  const [request] = receivedAt('/signed?a=b');
  expect(request).toMatchObject({ method: 'PUT', headers: { 'x-team': 'platform', 'webhook-id': id } });
  expect(JSON.parse(request?.body ?? '')).toEqual({
    ...{ id, type: 'division_created', occurred_at },
    ...{ tenant_id: owner.tenant_id, division_id: 3, environment_id: null, deployment_id: null },
    subject: expect.stringContaining('division 3') as string,
    body: expect.any(String) as string,
    data: { name: 'division 3' },
  });
  const key = Buffer.from(channel.signing_secret?.slice('whsec_'.length) ?? '', 'base64');
  const signed = `${id}.${String(request?.headers['webhook-timestamp'])}.${request?.body}`;
  expect(request?.headers['webhook-signature']).toBe(
    `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
  );
});

test('a chat gets a formatted message, in which names are nothing but text', async () => {
  const owner = someTenant();
  const settings = { chat: { channel: '#ops', username: 'Sluice', icon_emoji: ':bell:' } };
  const channel = await create({ channel: 'chat', destination: `${receiver.url}/chat`, settings }, { owner });
  const named = { division: { id: 3, name: '<!channel> & <https://evil.example|here>' } };
  await on.event('division_created', { ...owner, ...named, data: { name: named.division.name } });
  await settled(() => history(channel.id));
  const content = JSON.parse(receivedAt('/chat')[0]?.body ?? '') as { text: string; blocks: object[] };
  expect(content).toMatchObject(settings.chat);
  expect(content.text).toContain('&lt;!channel&gt; &amp; &lt;https://evil.example|here&gt;');
  expect(content.blocks[0]).toMatchObject({ type: 'header', text: { type: 'plain_text' } });
  expect(JSON.stringify(content.blocks.slice(1))).not.toContain('<!channel>');
});

test('a mail address gets a mail, and one that refuses it is not tried again', async () => {
  const owner = someTenant();
  mails.refused.set('nobody@example.com', '550 5.1.1 no such mailbox');
  const good = await create({ channel: 'email', destination: 'ada@example.com' }, { owner });
  const bad = await create({ channel: 'email', destination: 'nobody@example.com' }, { owner });
  await on.event('division_created', { ...owner, ...division(4) });
  await settled(() => history(good.id));
  const [refused] = await settled(() => history(bad.id));
  expect(refused && outcome(refused)).toEqual(['failed', 1, expect.stringContaining('no such mailbox')]);
  expect(mails.received.map(({ to, email }) => [to, email.subject])).toEqual([
    [['ada@example.com'], expect.stringContaining('division 4')],
  ]);
});

test('an address gets so many mails a day, whichever channels send to it', async () => {
  const owners = [someTenant(), someTenant()];
  const made = ['grace@example.com', 'Grace+oncall@Example.com'].map((destination, index) =>
    create({ channel: 'email', destination }, { owner: owners[index]! }),
  );
  const channels = await Promise.all(made);
  for (const owner of owners)
    for (const id of [1, 2]) await on.event('division_created', { ...owner, ...division(id) });
  const items = await Promise.all(channels.map(({ id }) => settled(() => history(id), 2)));
  expect(items.flat().map(outcome).sort()).toEqual([
    ...(Array(3).fill(['delivered', 1, null]) as unknown[]),
    ['failed', 0, 'the address has had as many mails today as one gets (3)'],
  ]);
  expect(JSON.stringify(await on.sql('SELECT subject FROM mail_allowances'))).not.toMatch(/grace/i);
});

test('what fails is attempted six times, and the history says why', async () => {
  const owner = someTenant();
  const failing = await create({ destination: `${receiver.url}/failing` }, { owner });
  const flaky = await create({ destination: `${receiver.url}/flaky` }, { owner });
  receiver.answer = ({ path }) => {
    if (path === '/failing') return { status: 503, body: 'closed\r\nfor  today' };
    return receivedAt('/flaky').length < 3 ? { status: 500 } : { status: 200, body: 'thanks' };
  };
  await on.event('division_created', { ...owner, ...division(5) });
  const [failed] = await settled(() => history(failing.id));
  const [delivered] = await settled(() => history(flaky.id));
  expect(failed && outcome(failed)).toEqual(['failed', 6, 'it answers 503: closed for today']);
  expect(delivered && outcome(delivered)).toEqual(['delivered', 3, null]);
  const ids = receivedAt('/failing').map(({ headers }) => headers['webhook-id']);
  expect([ids.length, new Set(ids).size]).toEqual([6, 1]);
});

test('of a fault of ours the history says no more than that', async () => {
  const owner = someTenant();
  const channel = await create({ destination: `${receiver.url}/sealed` }, { owner });
  await on.sql(`UPDATE channels SET sealed = 'no key opens this' WHERE id = $1`, [channel.id]);
  await on.event('division_created', { ...owner, ...division(6) });
  const [failed] = await settled(() => history(channel.id));
  expect(failed && outcome(failed)).toEqual(['failed', 6, 'it could not be sent by a fault of ours']);
});

test('a destination that hangs, or never answers, delays no other', async () => {
  const owner = someTenant();
  let [open, mostOpen] = [0, 0];
  receiver.answer = async ({ path }) => {
    if (path.startsWith('/hanging')) return 'hang' as const;
    mostOpen = Math.max(mostOpen, ++open);
    await new Promise((resolve) => setTimeout(resolve, 5));
    open--;
    return undefined;
  };
  for (let i = 0; i < 20; i++) await create({ destination: `${receiver.url}/hanging-${i}` }, { owner });
  const other = await create({ destination: `${receiver.url}/other` }, { owner });
  for (let i = 10; i < 20; i++) await on.event('division_created', { ...owner, ...division(i) });
  await settled(() => history(other.id), 10);
  expect(receivedAt('/other')).toHaveLength(10);
  // it gets one at a time
  expect(mostOpen).toBe(1);
  await on.event('tenant_deleted', { ...owner, data: { name: 'gone' } });
});

test('of a type of event about one resource a channel is notified once a minute, by one of the replicas', async () => {
  const owner = someTenant();
  const channel = await create({ destination: `${receiver.url}/throttled` }, { owner });
  const about = (id: number) =>
    on.event('division_updated', { ...owner, ...division(id), data: { changes: {} } });
  await Promise.all([...Array.from({ length: 12 }, () => about(1)), about(2)]);
  const items = await settled(() => history(channel.id), 13);
  const statuses = (divisionId: number) =>
    items
      .filter(({ division_id }) => division_id === divisionId)
      .map(({ status }) => status)
      .sort();
  expect(statuses(1)).toEqual(['delivered', ...(Array(11).fill('throttled') as string[])]);
  expect(statuses(2)).toEqual(['delivered']);
  await on.sql(`UPDATE throttles SET notified_at = notified_at - interval '60 seconds'`);
  await about(1);
  const later = await settled(() => history(channel.id), 14);
  expect(later[0]?.status).toBe('delivered');
});

test('a channel hears of what it is subscribed to, unless it is not enabled', async () => {
  const owner = someTenant();
  const subscriptions = [{ message_types: ['division_deleted'], scopes: scopes({ divisions: [1] }) }];
  const channel = await create({ destination: `${receiver.url}/some`, subscriptions }, { owner });
  const off = await create({ destination: `${receiver.url}/off`, enabled: false }, { owner });
  await on.event('division_created', { ...owner, ...division(1) });
  await on.event('division_deleted', { ...owner, ...division(2) });
  await on.event('division_deleted', { ...owner, ...division(1) });
  // what is for the audit log alone notifies no channel
  await on.event('role_created', { ...owner, data: { name: 'a' } });
  const items = await settled(() => history(channel.id));
  expect(items.map(({ message_type, division_id }) => [message_type, division_id])).toEqual([
    ['division_deleted', 1],
  ]);
  expect(await history(off.id)).toEqual([]);
});

test('what waits goes nowhere once its channel is deleted or switched off, and elsewhere once that leads elsewhere', async () => {
  const owner = someTenant();
  const paths = ['/deleted', '/switched-off', '/former'];
  receiver.answer = async ({ path }) => {
    if (paths.includes(path)) await new Promise((resolve) => setTimeout(resolve, 400));
    return undefined;
  };
  const made = paths.map((path) => create({ destination: `${receiver.url}${path}` }, { owner }));
  const [deleted, off, moved] = (await Promise.all(made)).map(({ id }) => id);
  if (!deleted || !off || !moved) throw new Error('there are three channels');
  for (let i = 1; i <= 25; i++) await on.event('division_created', { ...owner, ...division(i) });
  await eventually(async () => {
    for (const id of [deleted, off, moved]) expect(await history(id)).toHaveLength(25);
    for (const path of paths) expect(receivedAt(path).length).toBeGreaterThan(0);
  }, patience);
  await remove(deleted);
  await send(off, { enabled: false });
  await send(moved, { destination: `${receiver.url}/newer` });
  // by then the replica that delivers has noticed
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const counts = () => paths.map((path) => receivedAt(path).length);
  const before = counts();
  await eventually(() => expect(receivedAt('/newer').length).toBeGreaterThan(0), patience);
  expect(counts()).toEqual(before);
  const [last] = await settled(() => history(off), 25);
  expect(last && outcome(last)).toEqual(['failed', 0, 'the channel is switched off']);
});

test('a test message is sent at once, also where the channel is not enabled, and once however often it is asked for', async () => {
  const owner = someTenant();
  const { id } = await create({ destination: `${receiver.url}/tested`, enabled: false }, { owner });
  const message = { channel_id: id, message_id: crypto.randomUUID() };
  await on.channel('channel_test', message);
  const [item] = await settled(() => history(id));
  expect(item).toMatchObject({ message_type: 'channel_test', status: 'delivered' });
  await sendTest(id);
  await eventually(() => expect(receivedAt('/tested')).toHaveLength(2), patience);
});
