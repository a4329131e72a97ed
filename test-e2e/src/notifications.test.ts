import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  client,
  eventually,
  httpsReceiver,
  startReplicas,
  type Answer,
  type Client,
  type HttpsReceiver,
  type Replica,
  type ReplicatedStack,
} from '@sluice/testing';

/** Channels from the API of main-api to their destinations, with all services as processes and with their NATS users. */

/** how often a notifier is killed while it delivers */
const kills = Number(process.env['NOTIFIER_KILLS'] ?? 1);

let stack: ReplicatedStack;
let receiver: HttpsReceiver;
let folder: string;
let admin: Client;
let tenant: string;
let division: string;

beforeAll(async () => {
  receiver = await httpsReceiver();
  folder = await mkdtemp(join(tmpdir(), 'sluice-notifications-'));
  const authority = join(folder, 'authority.pem');
  await writeFile(authority, receiver.authority);
  stack = await startReplicas(1, {
    layers: ['main-api', 'audit', 'notifier'],
    environment: {
      NOTIFICATIONS_ALLOWED: '127.0.0.0/8',
      NOTIFICATIONS_CA_FILE: authority,
      NOTIFICATION_RETRY_SECONDS: '0.1',
      // each change of one division is notified
      NOTIFICATION_THROTTLE_SECONDS: '0.001',
      VALIDATE_RESPONSES: 'true',
    },
  });
  admin = clientOf('main-api');
  tenant = `/tenants/${stack.tenant_id}`;
  division = `${tenant}/divisions/${stack.division_id}`;
  expect((await admin.put(`${tenant}/subscription`, { plan: 'enterprise' })).status).toBe(204);
}, 120_000);
afterAll(async () => {
  await stack.remove();
  await receiver.stop();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer = () => undefined;
});

function clientOf(layer: 'main-api' | 'audit', key = stack.api_key): Client {
  return client(stack.of(layer)[0]?.url ?? '', key);
}

const locationOf = ({ headers }: Answer) => headers.get('location') ?? '';
const itemsOf = ({ body }: Answer) => body['items'] as Record<string, unknown>[];
const codeOf = ({ status, body }: Answer) => [status, body['code']];

async function create(owner: string, input: object): Promise<Answer> {
  const answer = await admin.post(`${owner}/channels`, { channel: 'webhook', ...input });
  expect(answer).toMatchObject({ status: 201 });
  return answer;
}

test('a channel is made, subscribed, tested, notified and deleted by the API', async () => {
  const destination = `${receiver.url}/story`;
  const input = {
    name: 'Story',
    destination,
    settings: { webhook: { headers: { 'x-a': 'b' } } },
    remarks: 'Ask Ada',
  };
  const created = await create(tenant, input);
  const path = locationOf(created);
  expect(created.headers.get('svc-channel')).toBe(String(created.body['id']));
  expect(created.body).toMatchObject({
    ...input,
    ...{ channel: 'webhook', owner_kind: 'tenant', owner_id: stack.tenant_id, enabled: true },
    signing_secret: expect.stringMatching(/^whsec_/) as string,
  });
  expect((await admin.get(path)).body).toEqual(created.body);
  const [listed] = itemsOf(await admin.get(`${tenant}/channels?channel=webhook`));
  expect(listed).toMatchObject({ name: 'Story' });
  expect(listed).not.toHaveProperty('destination');
  for (const name of [' ', ' Story', 'Story '])
    expect((await admin.post(`${tenant}/channels`, { ...input, channel: 'webhook', name })).status).toBe(400);

  const scope = { scope_division_ids: [stack.division_id] };
  const subscribed = await admin.post(`${path}/subscriptions`, {
    message_types: ['division_updated'],
    ...scope,
  });
  expect(subscribed).toMatchObject({
    status: 201,
    body: {
      message_types: ['division_updated'],
      ...{ scope_tenants: [], scope_environments: [], scope_deployments: [] },
      scope_divisions: [{ id: stack.division_id, name: expect.any(String) as string }],
    },
  });
  expect((await admin.get(locationOf(subscribed))).body).toEqual(subscribed.body);
  for (const level of ['tenant', 'division', 'environment', 'deployment']) {
    const body = { message_types: ['division_updated'], [`scope_${level}_ids`]: [999_999] };
    expect((await admin.post(`${path}/subscriptions`, body)).body['field_issues']).toMatchObject([
      { path: `/body/scope_${level}_ids/0`, code: 'not_found' },
    ]);
  }
  for (const [id, code] of [
    [1e30, 'too_large'],
    [-1, 'too_small'],
  ] as const) {
    const body = { message_types: ['division_updated'], scope_deployment_ids: [id] };
    expect((await admin.post(`${path}/subscriptions`, body)).body['field_issues']).toMatchObject([
      { path: '/body/scope_deployment_ids/0', code },
    ]);
  }

  expect((await admin.post(`${path}/test`)).status).toBe(204);
  const again = await admin.post(`${path}/test`);
  expect([...codeOf(again), Number(again.headers.get('retry-after')) > 0]).toEqual([
    429,
    'channel_test_throttled',
    true,
  ]);
  expect((await admin.put(division, { description: 'changed' })).status).toBe(204);
  await eventually(
    async () => {
      const statuses = itemsOf(await admin.get(`${path}/notifications`)).map((item) => [
        item['message_type'],
        item['status'],
      ]);
      expect(statuses).toEqual([
        ['division_updated', 'delivered'],
        ['channel_test', 'delivered'],
      ]);
    },
    { timeoutMs: 30_000 },
  );
  expect(receiver.received.map(({ path: at, headers }) => [at, headers['x-a']])).toEqual([
    ['/story', 'b'],
    ['/story', 'b'],
  ]);

  const moved = {
    ...{ name: 'Story 2', remarks: 'Ask Grace', destination: `${receiver.url}/moved` },
    settings: { webhook: { headers: { 'x-a': 'c' }, method: 'PUT' } },
  };
  expect((await admin.put(path, moved)).status).toBe(204);
  expect(itemsOf(await admin.get(`${tenant}/channels?channel=webhook`))).toMatchObject([
    { name: moved.name },
  ]);
  receiver.received.length = 0;
  const witness = locationOf(
    await create(tenant, { name: 'Witness', destination: `${receiver.url}/witness` }),
  );
  const pathsReceived = () => receiver.received.map(({ path: at }) => at);
  expect((await admin.put(path, { enabled: false })).status).toBe(204);
  expect((await admin.put(division, { description: 'told to the other' })).status).toBe(204);
  await eventually(() => expect(pathsReceived()).toEqual(['/witness']), { timeoutMs: 30_000 });
  expect((await admin.delete(witness)).status).toBe(204);
  expect((await admin.put(path, { enabled: true })).status).toBe(204);
  expect((await admin.put(division, { description: 'told' })).status).toBe(204);
  await eventually(() => expect(pathsReceived()).toEqual(['/witness', '/moved']), { timeoutMs: 30_000 });
  const sent = receiver.received.at(-1);
  expect([sent?.method, sent?.headers['x-a']]).toEqual(['PUT', 'c']);
  expect(JSON.parse(sent?.body ?? '')).toMatchObject({ data: { changes: { description: 'told' } } });

  const replacement = {
    subscriptions: [{ message_types: ['division_deleted'] }, { message_types: ['member_joined'] }],
  };
  expect((await admin.put(`${path}/subscriptions`, replacement)).status).toBe(204);
  const subscriptions = await admin.get(`${path}/subscriptions?message_type=member_joined`);
  expect([subscriptions.body['total_results'], itemsOf(subscriptions)[0]]).toEqual([
    1,
    expect.not.objectContaining({ scope_divisions: expect.anything() as unknown }),
  ]);
  // what a scope names has the name that it has now
  const [named] = subscribed.body['scope_divisions'] as { id: number; name: string }[];
  const scoped = { subscriptions: [{ message_types: ['division_deleted'], ...scope }] };
  expect((await admin.put(`${path}/subscriptions`, scoped)).status).toBe(204);
  for (const name of ['Renamed', named?.name]) {
    expect((await admin.put(division, { name })).status).toBe(204);
    const [item] = itemsOf(await admin.get(`${path}/subscriptions`));
    const detail = (await admin.get(`${path}/subscriptions/${String(item?.['id'])}`)).body;
    for (const shown of [item, detail])
      expect(shown).toMatchObject({ scope_divisions: [{ id: stack.division_id, name }] });
  }
  expect((await admin.delete(path)).status).toBe(204);
  expect(codeOf(await admin.get(path))).toEqual([404, 'not_found']);

  const audit = clientOf('audit');
  await eventually(async () => {
    const log = itemsOf(await audit.get(`/audit/tenants/${stack.tenant_id}?results=100`));
    const types = log.map(({ type }) => type).filter((type) => String(type).startsWith('channel_'));
    expect(types).toEqual([
      ...['channel_deleted', 'channel_subscriptions_replaced', 'channel_subscriptions_replaced'],
      ...['channel_updated', 'channel_deleted', 'channel_updated', 'channel_created', 'channel_updated'],
      'channel_tested',
      ...['channel_subscription_created', 'channel_created'],
    ]);
    const updates = log.filter(({ type }) => type === 'channel_updated');
    expect(updates.at(-1)?.['data']).toMatchObject({
      changes: { name: moved.name, remarks: moved.remarks, destination: '***', settings: '***' },
      former: { name: 'Story', remarks: 'Ask Ada' },
    });
  });
});

test('the reader of a mail unsubscribes with one click, which is recorded once', async () => {
  const address = 'reader@example.com';
  const created = await create(tenant, { name: 'Mails', channel: 'email', destination: address });
  const path = locationOf(created);
  expect((await admin.post(`${path}/test`)).status).toBe(204);
  const token = await eventually(async () => await mailedToken(address), { timeoutMs: 30_000 });
  const url = `${stack.of('main-api')[0]?.url}/unsubscribe?token=${token}`;
  const post = (body?: string | FormData, query = '') =>
    fetch(`${url}${query}`, { method: 'POST', body: body ?? null });
  const isUnsubscribed = async () => (await admin.get(path)).body['unsubscribed_at'] !== null;

  // a program that follows links changes nothing
  for (const method of ['GET', 'HEAD', 'GET']) {
    const page = await fetch(url, { method });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    if (method === 'GET')
      expect(await page.text()).toContain(`<form method="post" action="?token=${token}">`);
  }
  expect(await isUnsubscribed()).toBe(false);

  const form = new FormData();
  form.set('List-Unsubscribe', 'One-Click');
  const typed = (type: string) =>
    fetch(url, { method: 'POST', body: 'x', headers: { 'content-type': type } });
  const answers = [
    await post('List-Unsubscribe=One-Click'),
    await post(form),
    await post(),
    await typed('application/x-www-form-urlencoded'),
    await typed('/'),
  ];
  for (const answer of answers) {
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain(`action="?token=${token}&amp;undo=true"`);
  }
  expect(await isUnsubscribed()).toBe(true);
  expect(await (await fetch(url)).text()).toContain('You are unsubscribed');
  expect((await post('x'.repeat(17 * 1024))).status).toBe(413);
  for (const bad of ['A'.repeat(32), `${token.slice(0, -1)}${token.endsWith('A') ? 'Q' : 'A'}`])
    for (const method of ['GET', 'POST']) {
      const answer = await fetch(url.replace(token, bad), { method });
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
        403,
        'link_invalid',
      ]);
    }
  expect((await post('', '&undo=true')).status).toBe(200);
  expect(await isUnsubscribed()).toBe(false);

  const audit = clientOf('audit');
  await eventually(async () => {
    const log = itemsOf(
      await audit.get(`/audit/tenants/${stack.tenant_id}?types=channel_unsubscribed,channel_resubscribed`),
    );
    expect(log.map(({ type, author, api_key }) => [type, author, api_key])).toEqual([
      ['channel_resubscribed', null, null],
      ['channel_unsubscribed', null, null],
    ]);
    const [first] = answers;
    expect(String(log[1]?.['correlation_id']).replaceAll('-', '')).toBe(first?.headers.get('svc-request'));
  });
  expect((await admin.delete(path)).status).toBe(204);
  // the notifier learns of it by an event
  await eventually(async () => expect((await post()).status).toBe(403));
});

/** The token of the link to unsubscribe in a mail to this address. */
async function mailedToken(address: string): Promise<string> {
  const files = await readdir(stack.mails);
  const mails = await Promise.all(files.map((file) => readFile(join(stack.mails, file), 'utf8')));
  const mail = mails.find((text) => text.includes(`To: ${address}`));
  const [, token] = /^List-Unsubscribe:\s+<http\S+token=([\w-]+)>/m.exec(mail ?? '') ?? [];
  if (token === undefined) throw new Error('the mail has not come yet');
  return token;
}

test('a division has channels of its own, which only it shows', async () => {
  const path = locationOf(await create(division, { name: 'Own', destination: `${receiver.url}/own` }));
  expect(path).toMatch(new RegExp(`^${division}/channels/\\d+$`));
  const id = path.split('/').at(-1);
  expect(codeOf(await admin.get(`${tenant}/channels/${id}`))).toEqual([404, 'not_found']);
  expect((await admin.get(`${tenant}/channels`)).body['total_results']).toBe(0);
  const elsewhere = { message_types: ['division_updated'], scope_division_ids: [stack.division_id + 1_000] };
  expect((await admin.post(`${path}/subscriptions`, elsewhere)).status).toBe(400);
  expect((await admin.delete(path)).status).toBe(204);
});

test('who may only read sees neither where a channel leads nor its secrets', async () => {
  const settings = { webhook: { headers: { authorization: 'Bearer s3cret' } } };
  const path = locationOf(
    await create(tenant, { name: 'Secret', destination: `${receiver.url}/s3cret`, settings }),
  );
  const roles = itemsOf(await admin.get(`${tenant}/roles?results=100`));
  const developer = roles.find(({ name }) => name === 'developer')?.['id'];
  const expiry_at = new Date(Date.now() + 3_600_000).toISOString();
  const key = await admin.post(`${tenant}/api_keys`, { name: 'Reader', role_id: developer, expiry_at });
  const reader = clientOf('main-api', String(key.body['token']));
  const seen = await reader.get(path);
  expect(seen.body).toMatchObject({
    destination: `${receiver.url}/***`,
    settings: { webhook: { headers: { authorization: '***' } } },
    signing_secret: null,
  });
  expect(codeOf(await reader.put(path, { enabled: false }))).toEqual([403, 'forbidden']);
  expect((await admin.delete(path)).status).toBe(204);
});

test(`of notifiers one is killed ${kills} times while it delivers: nothing is lost, and little comes twice`, async () => {
  const count = 6;
  for (let i = 0; i < count; i++)
    await create(tenant, { name: `Kill ${i}`, destination: `${receiver.url}/${i}` });
  await stack.another('notifier');
  receiver.answer = async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return undefined;
  };
  let changes = 0;
  let isOver = false;
  const changing = (async () => {
    while (!isOver) {
      const answer = await admin.put(division, { description: `change ${changes}` });
      if (answer.status === 204) changes++;
    }
  })();
  for (let i = 0; i < kills; i++) {
    const before = receiver.received.length;
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(before + 20), {
      timeoutMs: 60_000,
    });
    const [victim] = stack.of('notifier') as [Replica];
    stack.replicas.splice(stack.replicas.indexOf(victim), 1);
    victim.process.kill('SIGKILL');
    await once(victim.process, 'exit');
    victim.nats.close();
    await stack.another('notifier');
  }
  isOver = true;
  await changing;
  // what a killed one had leased is free again after its lease
  await eventually(
    async () => {
      const [left] = await stack.query<{ told: number; pending: number }>(
        `SELECT count(*)::int AS told, count(*) FILTER (WHERE status = 'pending')::int AS pending FROM notifications
         WHERE message_type = 'division_updated'`,
        [],
        'notifier',
      );
      expect(left).toEqual({ told: changes * count, pending: 0 });
    },
    { timeoutMs: 120_000, everyMs: 200 },
  );
  for (let i = 0; i < count; i++) {
    const ids = receiver.received
      .filter(({ path }) => path === `/${i}`)
      .map(({ headers }) => String(headers['webhook-id']));
    const delivered = await stack.query<{ message_id: string }>(
      `SELECT message_id FROM notifications n JOIN channels c ON c.id = n.channel_id
       WHERE c.name = $1 AND status = 'delivered'`,
      [`Kill ${i}`],
      'notifier',
    );
    expect(new Set(ids)).toEqual(new Set(delivered.map(({ message_id }) => message_id)));
    expect(ids.length - delivered.length).toBeLessThanOrEqual(kills);
  }
}, 1_500_000);

test('while no notifier runs, what only it can answer is answered 503, and all else goes on; then nothing is lost', async () => {
  const late = locationOf(await create(tenant, { name: 'Late', destination: `${receiver.url}/late` }));
  expect((await admin.put(late, { enabled: false })).status).toBe(204);
  await eventually(async () =>
    expect(
      await stack.query('SELECT enabled FROM channels WHERE id = $1', [late.split('/').at(-1)], 'notifier'),
    ).toEqual([{ enabled: false }]),
  );
  for (const replica of [...stack.of('notifier')]) await stack.end(replica);
  const input = { channel: 'email', name: 'Without a notifier', destination: 'ada@example.com' };
  const path = locationOf(await create(tenant, input));
  expect((await admin.put(path, { enabled: false })).status).toBe(204);
  const answer = await admin.get(`${path}/notifications`);
  expect([...codeOf(answer), answer.headers.get('retry-after')]).toEqual([503, 'unavailable', '2']);
  expect((await admin.get('/notifications/types')).status).toBe(200);
  expect((await admin.get(tenant)).status).toBe(200);

  // a notifier that comes back takes in a channel before the events that came after it, behind many changes of another one
  for (let n = 0; n < 100; n++) expect((await admin.put(path, { enabled: n % 2 === 0 })).status).toBe(204);
  expect((await admin.put(late, { enabled: true })).status).toBe(204);
  receiver.received.length = 0;
  expect((await admin.put(division, { description: 'after a channel' })).status).toBe(204);
  await stack.another('notifier');
  await eventually(() => expect(receiver.received.some(({ path: at }) => at === '/late')).toBe(true), {
    timeoutMs: 30_000,
  });
});
