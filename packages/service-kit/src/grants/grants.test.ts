import { grantKey, newApiToken, type Grant } from '@sluice/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import { eventually, ownNats } from '@sluice/testing';
import {
  grantOf,
  publishGrant,
  startThings,
  surroundings,
  type Surroundings,
  type ThingService,
} from '../../test/thing-service.ts';
import { GrantLeases } from './leases.ts';

const leaseSeconds = 1;
const started: ThingService[] = [];
const opened: GrantLeases[] = [];
let around: Surroundings;

beforeEach(async () => {
  around = await surroundings();
});
afterEach(async () => {
  opened.splice(0).forEach((leases) => leases.close());
  await Promise.all(started.splice(0).map(({ service }) => service.stop()));
  await around.end();
});

async function start(): Promise<ThingService> {
  const things = await startThings(around, { GRANT_LEASE_SECONDS: String(leaseSeconds) });
  started.push(things);
  return things;
}

async function leasesOf({ foundation: { nats, topology } }: ThingService): Promise<GrantLeases> {
  const leases = new GrantLeases(nats, topology, leaseSeconds);
  await leases.open();
  opened.push(leases);
  return leases;
}

/** Publishes a change of rights and waits until it is in force, as main-api does before it answers. */
async function inForce(
  things: ThingService,
  leases: GrantLeases,
  grant: Grant | null,
  token: string,
): Promise<number> {
  const begun = performance.now();
  await publishGrant(things.foundation, grant, token);
  await leases.settled();
  return performance.now() - begun;
}

const ask = async ({ url }: ThingService, token: string) =>
  (await fetch(`${url}/tenants/1/things`, { headers: { 'svc-api-key': token } })).status;

test('a grant works on every replica once it is settled, and nowhere once its removal is', async () => {
  const replicas = [await start(), await start()] as const;
  const leases = await leasesOf(replicas[0]);
  for (let trial = 0; trial < 50; trial++) {
    const token = newApiToken();
    await inForce(replicas[0], leases, grantOf(), token);
    expect(await Promise.all(replicas.map((things) => ask(things, token)))).toEqual([200, 200]);
    await inForce(replicas[0], leases, null, token);
    expect(await Promise.all(replicas.map((things) => ask(things, token)))).toEqual([401, 401]);
  }
});

test('a replica that starts later knows all grants', async () => {
  const first = await start();
  const token = await publishGrant(first.foundation, grantOf());
  expect(await ask(await start(), token)).toBe(200);
});

test('a malformed grant grants nothing', async () => {
  const things = await start();
  const leases = await leasesOf(things);
  const token = newApiToken();
  await inForce(things, leases, grantOf(), token);
  await inForce(things, leases, { ...grantOf(), permissions: null } as unknown as Grant, token);
  expect(await ask(things, token)).toBe(401);
});

test('a stopped instance is not waited for; a silent one delays a change by one lease at most', async () => {
  const things = await start();
  const leases = await leasesOf(things);
  const { nats, topology } = things.foundation;
  const stopped = await startThings(around);
  await stopped.service.stop();
  expect(await inForce(things, leases, grantOf(), newApiToken())).toBeLessThan(leaseSeconds * 1000);

  const { openGrantBuckets } = await import('./book.ts');
  const { acks } = await openGrantBuckets(nats, topology);
  await acks.put('killed-instance', '0');
  const waited = await inForce(things, leases, grantOf(), newApiToken());
  expect(waited).toBeGreaterThan(leaseSeconds * 500);
  expect(waited).toBeLessThan(leaseSeconds * 3_000);
});

test('an instance without NATS answers 503 after its lease, and works again when NATS is back', async () => {
  const own = await ownNats();
  const things = await startThings(
    { ...around, natsUrl: own.url },
    { GRANT_LEASE_SECONDS: String(leaseSeconds) },
  );
  try {
    const token = newApiToken();
    await publishGrant(things.foundation, grantOf(), token);
    await eventually(async () => expect(await ask(things, token)).toBe(200));
    await own.stop();
    await eventually(async () => expect(await ask(things, token)).toBe(503));
    await own.start();
    await eventually(async () => expect(await ask(things, token)).toBe(200), { timeoutMs: 20_000 });
  } finally {
    await things.service.stop();
    await own.remove();
  }
});

test('grants of a bucket that was lost are forgotten', async () => {
  const things = await start();
  const { nats, topology } = things.foundation;
  const token = newApiToken();
  await publishGrant(things.foundation, grantOf(), token);
  await eventually(async () => expect(await ask(things, token)).toBe(200));
  await (await jetstreamManager(nats)).streams.delete(`KV_${topology.buckets.grants}`);
  const { openGrantBuckets } = await import('./book.ts');
  await eventually(async () => {
    await openGrantBuckets(nats, topology);
    expect(await ask(things, token)).toBe(401);
  });
  const another = newApiToken();
  await publishGrant(things.foundation, grantOf(), another);
  await eventually(async () => expect(await ask(things, another)).toBe(200));
  expect(grantKey(token)).not.toBe(grantKey(another));
});
