import { grantKey, newApiToken, type Grant } from '@sluice/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import { client, eventually, ownNats, publishGrant } from '@sluice/testing';
import { grantOf, widgetService, type WidgetService } from '../../test/widget-service.ts';
import { GrantLeases } from './leases.ts';

const leaseSeconds = 1;
const on = widgetService({ per: 'test', environment: { GRANT_LEASE_SECONDS: String(leaseSeconds) } });

const start = () => on.widgets();

async function leasesOf({ runtime: { nats, topology } }: WidgetService): Promise<GrantLeases> {
  const leases = new GrantLeases(nats, topology, leaseSeconds);
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
  for (let trial = 0; trial < 50; trial++) {
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

  const { openGrantBuckets } = await import('./cache.ts');
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
  const { openGrantBuckets } = await import('./cache.ts');
  await eventually(async () => {
    await openGrantBuckets(nats, topology);
    expect(await ask(widgets, token)).toBe(401);
  });
  const another = newApiToken();
  await publishGrant(widgets.runtime, grantOf(), another);
  await eventually(async () => expect(await ask(widgets, another)).toBe(200));
  expect(grantKey(token)).not.toBe(grantKey(another));
});
