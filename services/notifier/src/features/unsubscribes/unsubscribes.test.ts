import { randomBytes } from 'node:crypto';
import { idOf, type ChannelId, type ChannelOwner } from '@sluice/contracts';
import { Problem } from '@sluice/service';
import { secretKeysSchema } from '@sluice/system/secrets';
import { eventually } from '@sluice/testing';
import { change, division, makesChannels, settled, tenant } from '#test/channels.ts';
import { mailServer, type MailServer, type Received } from '#test/mail-server.ts';
import { notifier } from '#test/notifier-service.ts';
import { unsubscribeLinks } from './unsubscribe-links.ts';

const on = notifier();
const { create, history } = makesChannels(on);
let mails: MailServer;
let tenants = 0;
const someTenant = () => tenant(++tenants);

beforeAll(async () => {
  mails = await mailServer();
  on.environment['SMTP_URL'] = `smtp://127.0.0.1:${mails.port}?ignoreTLS=true`;
  await on.start();
  await on.start();
});
afterAll(() => mails.stop());

let happened = 0;
/** Sends an event to a channel, and waits for the end of its delivery; the channel gets other events meanwhile. */
async function tell(owner: ChannelOwner, channel: ChannelId) {
  const id = ++happened;
  const name = `division ${id}.`;
  await on.event('division_created', { ...owner, division: { id, name }, data: { name } });
  return await eventually(async () => {
    const sent = (await history(channel, owner)).find(({ content }) => content.includes(name));
    if (!sent || sent.status === 'pending') throw new Error(`${name} has not been delivered`);
    return [sent.status, sent.reason];
  });
}
const unsubscribed = ['failed', 'the address has unsubscribed'];
const delivered = ['delivered', null];

const mailsTo = (address: string) => mails.received.filter(({ to }) => to.includes(address));
const headerOf = ({ email }: Received, name: string) =>
  email.headers.find(({ key }) => key === name.toLowerCase())?.value;
const tokenOf = (mail: Received | undefined) =>
  /^<https:\/\/api\.sluice\.example\/unsubscribe\?token=([\w-]{32})>$/.exec(
    (mail && headerOf(mail, 'List-Unsubscribe')) ?? '',
  )?.[1] ?? '';
const set = (owner: ChannelOwner, token: string, to = true) =>
  on.request('set_unsubscribe', { ...change(owner), token, unsubscribed: to });
const detail = (owner: ChannelOwner, channel_id: ChannelId) =>
  on.request('get_channel', { ...owner, channel_id });
const refusal = (request: Promise<unknown>) =>
  request.then(
    () => undefined,
    (error: unknown) => (error instanceof Problem ? error.code : error),
  );
const eventsOf = async ({ tenant_id }: ChannelOwner) =>
  (
    await on.sql<{ type: string }>(
      `SELECT payload::jsonb->>'type' AS type
       FROM (SELECT id, payload FROM outbox UNION ALL SELECT id, payload FROM outbox_sent) o
       WHERE payload::jsonb->>'tenant_id' = $1 AND payload::jsonb->>'type' ~ 'subscribed$' ORDER BY id`,
      [String(tenant_id)],
    )
  ).map(({ type }) => type);

/** An email channel that has sent a mail, and the token of the mail's link. */
async function mailed(address: string, owner = someTenant()) {
  const { id } = await create({ channel: 'email', destination: address }, { owner });
  expect(await tell(owner, id)).toEqual(delivered);
  return { owner, id, token: tokenOf(mailsTo(address).at(-1)) };
}

test('a mail of a channel has a link to unsubscribe, in its headers and in what is read', async () => {
  const { token } = await mailed('link@example.com');
  const [mail] = mailsTo('link@example.com');
  expect(mail && headerOf(mail, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
  expect(mail?.email.text).toContain(`Unsubscribe:\nhttps://api.sluice.example/unsubscribe?token=${token}`);
  expect(mail?.email.html).toContain(`href="https://api.sluice.example/unsubscribe?token=${token}"`);
  // programs that read headers line by line find it whole
  expect(mail?.raw).toMatch(/^List-Unsubscribe:\s+<https:\S+>\r?$/im);
});

test('a mail of another kind has none', async () => {
  await on.ask('join_requested', 'owner@example.com', {
    tenant: 'Acme',
    name: 'Ada',
    email: 'ada@acme.example',
  });
  await on.allSent();
  const [mail] = mailsTo('owner@example.com');
  expect(mail?.raw).toBeDefined();
  expect(mail?.raw).not.toMatch(/unsubscribe/i);
});

test('an address that has unsubscribed gets nothing more, once and for all replicas, and the channel says why', async () => {
  const { owner, id, token } = await mailed('ada@example.com');
  expect(await on.request('find_unsubscribe', { token })).toEqual({
    ...{ tenant_id: owner.tenant_id, division_id: null, unsubscribed: false },
  });
  expect(await tell(owner, id)).toEqual(delivered);
  expect((await detail(owner, id)).unsubscribed_at).toBeNull();

  await Promise.all([set(owner, token), set(owner, token)]);
  await set(owner, token);
  expect(await eventsOf(owner)).toEqual(['channel_unsubscribed']);
  expect(await on.request('find_unsubscribe', { token })).toMatchObject({ unsubscribed: true });
  expect((await detail(owner, id)).unsubscribed_at).toEqual(expect.any(String));
  expect(await tell(owner, id)).toEqual(unsubscribed);

  // nor by a channel that is switched on or made after that, nor by a test
  const changing = { ...change(owner), channel_id: id, may_customize: false };
  for (const enabled of [false, true])
    await on.request('update_channel', { ...changing, changes: { enabled } });
  const second = await create({ channel: 'email', destination: 'Ada@Example.com' }, { owner });
  expect(second.unsubscribed_at).toEqual(expect.any(String));
  for (const channel of [id, second.id]) expect(await tell(owner, channel)).toEqual(unsubscribed);
  await on.request('test_channel', { ...change(owner), channel_id: id });
  await eventually(async () =>
    expect(
      (await history(id, owner)).find(({ message_type }) => message_type === 'channel_test'),
    ).toMatchObject({
      status: 'failed',
      reason: unsubscribed[1],
    }),
  );
  expect(mailsTo('ada@example.com')).toHaveLength(2);
  expect(mailsTo('Ada@Example.com')).toEqual([]);
  expect(JSON.stringify(await on.sql('SELECT * FROM unsubscribes'))).not.toMatch(/ada/i);
});

test('others of the tenant, and other tenants, are sent to as before; another address ends it for the channel', async () => {
  const { owner, id, token } = await mailed('grace@example.com');
  const other = await mailed('grace@example.com');
  await set(owner, token);
  expect(await tell(other.owner, other.id)).toEqual(delivered);
  const changes = { destination: 'hopper@example.com' };
  await on.request('update_channel', { ...change(owner), channel_id: id, changes, may_customize: false });
  expect((await detail(owner, id)).unsubscribed_at).toBeNull();
  expect(await tell(owner, id)).toEqual(delivered);
  // the link was for the address that it was sent to
  expect(await refusal(set(owner, token, false))).toBe('link_invalid');
});

test('other channels of the tenant are told that an address has unsubscribed', async () => {
  const { owner, token } = await mailed('away@example.com');
  const watching = await create({ channel: 'email', destination: 'watching@example.com' }, { owner });
  await set(owner, token);
  await eventually(async () =>
    expect(
      (await history(watching.id, owner)).map(({ message_type, status }) => [message_type, status]),
    ).toEqual([['channel_unsubscribed', 'delivered']]),
  );
});

test('the same link takes it back', async () => {
  const { owner, id, token } = await mailed('back@example.com');
  await set(owner, token, false);
  await set(owner, token);
  await Promise.all([set(owner, token, false), set(owner, token, false)]);
  expect(await eventsOf(owner)).toEqual(['channel_unsubscribed', 'channel_resubscribed']);
  expect(await tell(owner, id)).toEqual(delivered);
});

test('a link that was not made here, for another channel or address, or for a channel that is gone is refused', async () => {
  const { owner, id, token } = await mailed('eve@example.com');
  const other = await mailed('mallory@example.com');
  const bytes = Buffer.from(token, 'base64url');
  const moved = Buffer.concat([Buffer.from(other.token, 'base64url').subarray(0, 8), bytes.subarray(8)]);
  const changed = Buffer.from(bytes.with(-1, bytes.at(-1)! ^ 1));
  const keys = secretKeysSchema.parse(`test:${randomBytes(32).toString('base64')}`);
  const foreign = unsubscribeLinks({ keys, apiUrl: 'https://api.sluice.example' }).of(id, 'eve@example.com');
  const none = Buffer.concat([Buffer.alloc(8, 0xff), bytes.subarray(8)]);
  const bad = [
    ...[moved, changed, none].map((token) => token.toString('base64url')),
    foreign.slice(-32),
    '',
    'x',
  ];
  for (const each of bad) {
    expect(await refusal(on.request('find_unsubscribe', { token: each }))).toBe('link_invalid');
    expect(await refusal(set(owner, each))).toBe('link_invalid');
  }
  // what main-api has found out about a token has to be true for the change as well
  expect(await refusal(set(other.owner, token))).toBe('link_invalid');
  await on.request('delete_channel', { ...change(owner), channel_id: id });
  expect(await refusal(set(owner, token))).toBe('link_invalid');
});

test('a link holds after its key was replaced, as long as the notifier has the former one', () => {
  const apiUrl = 'https://api.sluice.example/v1/';
  const [former, next] = ['a', 'b'].map((id) => `${id}:${randomBytes(32).toString('base64')}`) as [
    string,
    string,
  ];
  const linksOf = (...keys: string[]) =>
    unsubscribeLinks({ keys: secretKeysSchema.parse(keys.join(',')), apiUrl });
  const channel = idOf<ChannelId>(7);
  const url = linksOf(former).of(channel, 'Ada@example.com');
  expect(url).toMatch(/^https:\/\/api\.sluice\.example\/v1\/unsubscribe\?token=/);
  const token = url.slice(-32);
  expect(linksOf(next, former).channelOf(token)).toBe(channel);
  expect(linksOf(next, former).holds(token, channel, 'ada@example.com')).toBe(true);
  expect(linksOf(next).holds(token, channel, 'ada@example.com')).toBe(false);
});

test('what a tenant’s addresses have said goes with the tenant', async () => {
  const { owner, token } = await mailed('gone@example.com');
  await set(owner, token);
  await on.event('tenant_deleted', { ...owner, data: { name: 'Acme' } });
  await eventually(async () =>
    expect(await on.sql('SELECT 1 FROM unsubscribes WHERE tenant_id = $1', [owner.tenant_id])).toEqual([]),
  );
});

test('a channel of a division says which', async () => {
  const owner = division(3, ++tenants);
  const { id } = await create({ channel: 'email', destination: 'sales@example.com' }, { owner });
  await on.request('test_channel', { ...change(owner), channel_id: id });
  await settled(() => history(id, owner));
  const token = tokenOf(mailsTo('sales@example.com').at(-1));
  expect(await on.request('find_unsubscribe', { token })).toMatchObject({ division_id: 3 });
});
