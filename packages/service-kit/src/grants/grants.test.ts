import { setTimeout as delay } from 'node:timers/promises';
import { grantKey, newApiToken, type Grant } from '@sluice/contracts';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { client, eventually, ownNats, publishGrant } from '@sluice/testing';
import { grantOf, widgetService, type WidgetService } from '../../test/widget-service.ts';
import { GrantCache, openGrantBuckets } from './cache.ts';
import { GrantLeases } from './leases.ts';

const leaseSeconds = 1;
const on = widgetService({ per: 'test', environment: { GRANT_LEASE_SECONDS: String(leaseSeconds) } });

const start = () => on.widgets();

async function leasesOf(
  { runtime: { nats, topology } }: WidgetService,
  seconds = leaseSeconds,
): Promise<GrantLeases> {
  const leases = new GrantLeases(nats, topology, seconds);
  await leases.open();
  on.onClose(() => leases.close());
  return leases;
}

/** Publishes a change of rights and waits until it is in force, as main-api does before it answers. */
async function inForce(
  widgets: WidgetService,
  leases: GrantLeases,
  grant: Grant | null,
  token: string,
): Promise<number> {
  const begun = performance.now();
  await publishGrant(widgets.runtime, grant, token);
  await leases.waitUntilApplied();
  return performance.now() - begun;
}

const ask = async ({ url }: WidgetService, token: string) =>
  (await client(url, token).get('/tenants/1/widgets')).status;

test('a grant works on every replica once it is in force, and nowhere once its removal is', async () => {
  const replicas = [await start(), await start()] as const;
  const leases = await leasesOf(replicas[0]);
  for (let trial = 0; trial < 20; trial++) {
    const token = newApiToken();
    await inForce(replicas[0], leases, grantOf(), token);
    expect(await Promise.all(replicas.map((widgets) => ask(widgets, token)))).toEqual([200, 200]);
    await inForce(replicas[0], leases, null, token);
    expect(await Promise.all(replicas.map((widgets) => ask(widgets, token)))).toEqual([401, 401]);
  }
});

test('a replica that starts later knows all grants', async () => {
  const first = await start();
  const token = await publishGrant(first.runtime, grantOf());
  expect(await ask(await start(), token)).toBe(200);
});

test('a malformed grant grants nothing', async () => {
  const widgets = await start();
  const leases = await leasesOf(widgets);
  const token = newApiToken();
  await inForce(widgets, leases, grantOf(), token);
  await inForce(widgets, leases, { ...grantOf(), permissions: null } as unknown as Grant, token);
  expect(await ask(widgets, token)).toBe(401);
});

test('a stopped instance is not waited for; a silent one delays a change by one lease at most', async () => {
  const widgets = await start();
  const leases = await leasesOf(widgets);
  const { nats, topology } = widgets.runtime;
  const stopped = await on.widgets();
  await stopped.stop();
  expect(await inForce(widgets, leases, grantOf(), newApiToken())).toBeLessThan(leaseSeconds * 1000);

  const { acks } = await openGrantBuckets(nats, topology);
  await acks.put('killed-instance', '0');
  const waited = await inForce(widgets, leases, grantOf(), newApiToken());
  expect(waited).toBeGreaterThan(leaseSeconds * 500);
  expect(waited).toBeLessThan(leaseSeconds * 3_000);
});

test('an instance without NATS answers 503 after its lease, and works again when NATS is back', async () => {
  const own = await ownNats();
  const widgets = await on.widgets({ NATS_URL: own.url });
  try {
    const token = newApiToken();
    await publishGrant(widgets.runtime, grantOf(), token);
    await eventually(async () => expect(await ask(widgets, token)).toBe(200));
    await own.stop();
    await eventually(async () => expect(await ask(widgets, token)).toBe(503));
    await own.start();
    await eventually(async () => expect(await ask(widgets, token)).toBe(200), { timeoutMs: 20_000 });
  } finally {
    await widgets.stop();
    await own.remove();
  }
});

test('grants of a bucket that was lost are forgotten', async () => {
  const widgets = await start();
  const { nats, topology } = widgets.runtime;
  const token = newApiToken();
  await publishGrant(widgets.runtime, grantOf(), token);
  await eventually(async () => expect(await ask(widgets, token)).toBe(200));
  await (await jetstreamManager(nats)).streams.delete(`KV_${topology.buckets.grants}`);
  await eventually(async () => {
    await openGrantBuckets(nats, topology);
    expect(await ask(widgets, token)).toBe(401);
  });
  const another = newApiToken();
  await publishGrant(widgets.runtime, grantOf(), another);
  await eventually(async () => expect(await ask(widgets, another)).toBe(200));
  expect(grantKey(token)).not.toBe(grantKey(another));
});

test('what is no JSON grants nothing', async () => {
  const widgets = await start();
  const leases = await leasesOf(widgets);
  const token = newApiToken();
  await inForce(widgets, leases, grantOf(), token);
  const { nats, topology } = widgets.runtime;
  await jetstream(nats).publish(`$KV.${topology.buckets.grants}.${grantKey(token)}`, 'nonsense');
  await leases.waitUntilApplied();
  expect(await ask(widgets, token)).toBe(401);
});

test('a change waits neither for the heartbeat of an instance nor for an instance that has stopped', async () => {
  const [running, stopped] = [
    await on.widgets({ GRANT_LEASE_SECONDS: '60' }),
    await on.widgets({ GRANT_LEASE_SECONDS: '60' }),
  ];
  const leases = await leasesOf(running, 60);
  await stopped.stop();
  for (let trial = 0; trial < 5; trial++)
    expect(await inForce(running, leases, grantOf(), newApiToken())).toBeLessThan(5_000);
});

test('an announcement counts that NATS has and that was not seen here yet', async () => {
  const widgets = await start();
  const leases = await leasesOf(widgets, 3);
  const { acks } = await openGrantBuckets(widgets.runtime.nats, widgets.runtime.topology);
  await publishGrant(widgets.runtime, grantOf());
  await acks.put('killed-instance', '0');
  const begun = performance.now();
  await leases.waitUntilApplied();
  expect(performance.now() - begun).toBeGreaterThan(2_000);
});

test('a change is unavailable while NATS does not tell whether it is in force', async () => {
  const own = await ownNats();
  const widgets = await on.widgets({ NATS_URL: own.url });
  try {
    const leases = await leasesOf(widgets);
    await leases.waitUntilApplied();
    await own.stop();
    await expect(leases.waitUntilApplied(300)).rejects.toMatchObject({ code: 'unavailable' });
    await own.start();
    await eventually(() => leases.waitUntilApplied(1_000), { timeoutMs: 20_000 });
  } finally {
    await widgets.stop();
    await own.remove();
  }
});

test('an instance authorizes nobody before it has opened its cache and after it has closed it', async () => {
  const { runtime } = await start();
  const token = await publishGrant(runtime, grantOf());
  const { nats, topology, log } = runtime;
  const cache = new GrantCache({ nats, topology, instance: 'another', leaseSeconds, log });
  const find = () => cache.find(grantKey(token));
  expect(find).toThrow('cannot be checked');
  await cache.open();
  expect(find()).toMatchObject({ tenant_id: 1 });
  await cache.close();
  expect(find).toThrow('cannot be checked');
  // and stays so: the heartbeat has ended
  await delay(leaseSeconds * 1_000);
  expect(find).toThrow('cannot be checked');
});
