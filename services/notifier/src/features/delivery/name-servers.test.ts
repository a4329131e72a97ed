import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, httpsReceiver, testFolder, testNameServer, type NameAnswer } from '@sluice/testing';
import { makesChannels, settled, tenant } from '#test/channels.ts';
import { notifier } from '#test/notifier-service.ts';

const on = notifier({ environment: { NOTIFICATION_RETRY_SECONDS: '60' } });
const { create, history } = makesChannels(on);

/** What name servers of tenants do, to 200 names in turn. */
const failures: NameAnswer[] = [
  'hang',
  { addresses: ['127.0.0.1'], afterMilliseconds: 10_000 },
  'wrong id',
  'garbage',
  'unknown',
  'failure',
  { addresses: ['10.0.0.1', '169.254.169.254', '::1'] },
  { addresses: [], alias: 'loop.example' },
  { addresses: Array.from({ length: 3_000 }, (_, i) => `10.1.${i >> 8}.${i & 255}`) },
  { addresses: ['10.0.0.1'], truncated: true },
];
const broken = 200;
let isBroken = false;

test('name servers of tenants that hang, are slow or lie keep no delivery of others waiting', async () => {
  const receiver = await httpsReceiver({ name: 'hooks.example' });
  const names = await testNameServer(({ name }) => {
    if (name === 'hooks.example') return { addresses: ['127.0.0.1'] };
    // while channels are made they are known nowhere
    return isBroken ? (failures[Number(/\d+/.exec(name)?.[0]) % failures.length] ?? 'hang') : 'unknown';
  });
  const authority = join(await testFolder(), 'authority.pem');
  await writeFile(authority, receiver.authority);
  on.environment['NOTIFICATIONS_CA_FILE'] = authority;
  on.environment['NAME_SERVERS'] = names.address;
  await on.start();
  const bad = Array.from({ length: broken }, (_, i) => ({
    owner: tenant(1_000 + (i % 50)),
    destination: `https://bad-${i}.example/`,
  }));
  // no more than the notifier answers at a time
  for (let i = 0; i < broken; i += 50)
    await Promise.all(
      bad.slice(i, i + 50).map(({ owner, destination }) => create({ destination }, { owner })),
    );
  const good = Array.from({ length: 10 }, (_, i) => tenant(1 + i));
  const channels = await Promise.all(
    good.map((owner) => create({ destination: `${receiver.url}/${owner.tenant_id}` }, { owner })),
  );
  isBroken = true;
  names.asked.length = 0;

  for (let i = 0; i < 50; i++)
    await on.event('division_created', { ...tenant(1_000 + i), division: { id: 1, name: 'one' }, data: {} });
  await eventually(() => expect(new Set(names.asked.map(({ name }) => name)).size).toBeGreaterThan(100));
  for (const owner of good)
    await on.event('division_created', { ...owner, division: { id: 1, name: 'one' }, data: {} });
  await Promise.all(
    channels.map(async ({ id }) => {
      const [item] = await settled(() => history(id));
      expect(item).toMatchObject({ status: 'delivered', attempts: 1 });
    }),
  );
  // names that stand for private addresses are refused for good; all others are tried again
  const outcomes = () =>
    on.sql<{ status: string; reason: string | null }>(
      'SELECT status, reason FROM notifications WHERE tenant_id >= 1000 AND reason IS NOT NULL',
    );
  await eventually(async () => expect(await outcomes()).toHaveLength(broken), { timeoutMs: 30_000 });
  const reasons = (await outcomes()).map(({ status, reason }) => `${status}: ${reason}`);
  expect(new Set(reasons)).toEqual(
    new Set([
      'pending: its name cannot be looked up',
      'pending: its name is not known',
      'failed: its address is a private or internal one',
    ]),
  );
  expect(receiver.received).toHaveLength(good.length);
  await receiver.stop();
  await names.stop();
}, 120_000);
