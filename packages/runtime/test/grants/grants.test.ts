import { setTimeout as delay } from 'node:timers/promises';
import {
  keyGrantKey,
  newApiToken,
  tokenHash,
  idOf,
  verifier,
  trustedKeysSchema,
  type Grant,
  type TenantId,
} from '@sluice/contracts';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import {
  client,
  eventually,
  newestGrant,
  ownNats,
  type OwnServer,
  PlayedMainApi,
  publishGrant,
  putGrant,
  signAs,
  testKeys,
} from '@sluice/testing';
import { grantOf, widgetService, type WidgetService } from '../widget-service.ts';
import { announcementSubject, grantSubject, GrantCache, GrantLeases } from '@sluice/grants';
import { RightChanged } from '@sluice/service';

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
  await leases.waitUntilApplied(await newestGrant(widgets.runtime));
  return performance.now() - begun;
}

/** Announces a revision as another instance does. */
async function announce({ runtime: { nats, topology } }: WidgetService, instance: string, revision: number) {
  await jetstream(nats).publish(announcementSubject(topology, instance), String(revision));
}

/** A NATS server of its own with the buckets of main-api, for `use`; both connections are closed after it. */
async function withOwnNats(use: (own: OwnServer, played: NatsConnection) => Promise<void>): Promise<void> {
  const own = await ownNats();
  const played = await connect({ servers: own.url, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
  try {
    await new PlayedMainApi({ nats: played, topology: on.topology }).makeBuckets();
    await use(own, played);
  } finally {
    own.resume();
    await played.close();
    await own.remove();
  }
}

const ask = async ({ url }: WidgetService, token: string) =>
  (await client(url, token).get('/tenants/1/widgets')).status;

test('a grant works on every replica once it is in force, and nowhere once its removal is', async () => {
  const replicas = [await start(), await start()] as const;
  const leases = await leasesOf(replicas[0]);
  // on a busy machine a lease ends before it is renewed: then a replica says that it does not know
  const known = (widgets: WidgetService, token: string) =>
    eventually(async () => {
      const status = await ask(widgets, token);
      if (status === 503) throw new Error('no lease');
      return status;
    });
  const onAll = (token: string) => Promise.all(replicas.map((widgets) => known(widgets, token)));
  for (let trial = 0; trial < 20; trial++) {
    const token = newApiToken();
    await inForce(replicas[0], leases, grantOf(), token);
    expect(await onAll(token)).toEqual([200, 200]);
    await inForce(replicas[0], leases, null, token);
    expect(await onAll(token)).toEqual([401, 401]);
  }
});

describe('no word of others grants anything:', () => {
  const key = (token: string, tenant = grantOf().tenant_id) => keyGrantKey(tenant, tokenHash(token));
  const put = ({ runtime: { nats, topology } }: WidgetService, at: string, word: string) =>
    jetstream(nats).publish(grantSubject(topology, at), word);

  test.each<[string, (widgets: WidgetService, token: string) => Promise<unknown>, number?]>([
    ['what is no word at all', (widgets, token) => put(widgets, key(token), 'nonsense')],
    ['what nobody has signed', (widgets, token) => put(widgets, key(token), JSON.stringify(grantOf()))],
    [
      "another signer's",
      (widgets, token) =>
        putGrant(widgets.runtime, key(token), grantOf(), signAs('supervisor/cloud_a/us-east-1')),
    ],
    [
      'what was said of another key',
      (widgets, token) =>
        putGrant(widgets.runtime, key(token), grantOf(), (_, text) =>
          signAs('main-api')(key(newApiToken()), text),
        ),
    ],
    [
      'a grant in another tenant than its own',
      (widgets, token) => putGrant(widgets.runtime, key(token, idOf<TenantId>(2)), grantOf()),
    ],
    [
      'what is signed and no grant',
      (widgets, token) => putGrant(widgets.runtime, key(token), grantOf({ expires_at: 'never' })),
    ],
    // these are passed over
    ['what stands under no key of a grant', (widgets) => put(widgets, 'strange.key', 'nonsense'), 200],
    [
      "another tenant's removal",
      (widgets, token) => putGrant(widgets.runtime, key(token, idOf<TenantId>(2)), null),
      200,
    ],
  ])('%s', async (_what, forge, status = 401) => {
    const widgets = await start();
    const leases = await leasesOf(widgets);
    const token = newApiToken();
    await inForce(widgets, leases, grantOf(), token);
    expect(await ask(widgets, token)).toBe(200);
    await forge(widgets, token);
    await leases.waitUntilApplied(await newestGrant(widgets.runtime));
    expect(await ask(widgets, token)).toBe(status);
  });
});

test('a stopped instance is not waited for; a silent one delays a change by one lease at most', async () => {
  const widgets = await start();
  const leases = await leasesOf(widgets);
  const stopped = await on.widgets();
  await stopped.stop();
  expect(await inForce(widgets, leases, grantOf(), newApiToken())).toBeLessThan(leaseSeconds * 1000);

  await announce(widgets, 'killed-instance', 0);
  const waited = await inForce(widgets, leases, grantOf(), newApiToken());
  expect(waited).toBeGreaterThan(leaseSeconds * 500);
  expect(waited).toBeLessThan(leaseSeconds * 3_000);
});

test('an instance without NATS answers 503 after its lease, and works again when NATS is back', () =>
  withOwnNats(async (own) => {
    const widgets = await on.widgets({ NATS_URL: own.url });
    const token = newApiToken();
    await publishGrant(widgets.runtime, grantOf(), token);
    await eventually(async () => expect(await ask(widgets, token)).toBe(200));
    await own.stop();
    await eventually(async () => expect(await ask(widgets, token)).toBe(503));
    await own.start();
    await eventually(async () => expect(await ask(widgets, token)).toBe(200), { timeoutMs: 20_000 });
    await widgets.stop();
  }));

test('a moment without NATS refuses nobody, and a longer one keeps nobody waiting', () =>
  withOwnNats(async (own) => {
    const widgets = await on.widgets({ NATS_URL: own.url, GRANT_LEASE_SECONDS: '2' });
    const { grants } = widgets.runtime;
    const token = newApiToken();
    await publishGrant(widgets.runtime, grantOf(), token);
    await eventually(async () => expect(await ask(widgets, token)).toBe(200));
    let asking = true;
    const answers = new Set<number>();
    const askAllTheTime = async () => {
      while (asking) {
        answers.add(await ask(widgets, token));
        await delay(100);
      }
    };
    const asked = Promise.all(Array.from({ length: 10 }, askAllTheTime));
    own.pause();
    await eventually(() => expect(grants.leased).toBe(false));
    own.resume();
    await eventually(() => expect(grants.leased).toBe(true));
    asking = false;
    await asked;
    expect([...answers]).toEqual([200]);

    own.pause();
    await eventually(async () => expect(await ask(widgets, token)).toBe(503), { timeoutMs: 20_000 });
    const begun = performance.now();
    expect(await ask(widgets, token)).toBe(503);
    expect(performance.now() - begun).toBeLessThan(1_000);
    await widgets.stop();
  }));

describe('a bucket that is not what it was', () => {
  const deleteBucket = async ({ runtime: { nats, topology } }: WidgetService) =>
    void (await (await jetstreamManager(nats)).streams.delete(`KV_${topology.buckets.grants}`));

  test('a lost one lets nobody through, and refuses no key as unknown, until main-api has said all again', async () => {
    const widgets = await start();
    const token = await publishGrant(widgets.runtime, grantOf());
    await eventually(async () => expect(await ask(widgets, token)).toBe(200));
    on.mainApi.judgement = { current: false, epoch: 2 };
    await deleteBucket(widgets);
    await eventually(async () => expect(await ask(widgets, token)).toBe(503));
    await on.mainApi.makeBuckets();
    await delay(leaseSeconds * 1_500);
    expect(await ask(widgets, token)).toBe(503);
    await publishGrant(widgets.runtime, grantOf(), token);
    on.mainApi.judgement = { current: true, epoch: 2 };
    await eventually(async () => expect(await ask(widgets, token)).toBe(200));
    expect(await ask(widgets, newApiToken())).toBe(401);
  });

  test('what an epoch has lost is forgotten', async () => {
    const widgets = await start();
    const token = await publishGrant(widgets.runtime, grantOf());
    await eventually(async () => expect(await ask(widgets, token)).toBe(200));
    on.mainApi.judgement = { current: true, epoch: 2 };
    await deleteBucket(widgets);
    await on.mainApi.makeBuckets();
    const another = await publishGrant(widgets.runtime, grantOf());
    await eventually(async () => expect(await ask(widgets, another)).toBe(200));
    expect(await ask(widgets, token)).toBe(401);
  });

  test('an instance that starts waits for the word of main-api, and says so', async () => {
    const widgets = await start();
    const token = await publishGrant(widgets.runtime, grantOf());
    on.mainApi.judgement = { current: false, epoch: 1 };
    const late = await start();
    expect(await ask(late, token)).toBe(503);
    expect((await client(late.url).get('/readyz')).body).toMatchObject({
      status: 'unavailable',
      checks: { grants: 'unavailable' },
      reasons: { grants: expect.stringContaining('grants') as string },
    });
    // whoever had it before is not disturbed
    expect(await ask(widgets, token)).toBe(200);
    on.mainApi.judgement = { current: true, epoch: 1 };
    await eventually(async () => expect(await ask(late, token)).toBe(200));
    await eventually(async () => expect((await client(late.url).get('/readyz')).status).toBe(200));
  });

  test('a word about it counts only from main-api, and for the question asked', async () => {
    const { nats, topology } = on;
    on.mainApi.close();
    const said = JSON.stringify({ current: true, epoch: 1 });
    const subject = topology.subjects.grantsConfirmation;
    let word = said;
    nats.subscribe(subject, { callback: (_, message) => void message.respond(word) });
    const widgets = await start();
    for (const forged of [
      said,
      `x..y ${said}`,
      `${await signAs('main-api')(`${subject} another question`, said)} ${said}`,
    ]) {
      word = forged;
      await delay(leaseSeconds * 300);
      expect(await ask(widgets, newApiToken())).toBe(503);
    }
  });
});

describe('an effect', () => {
  /** A cache that holds a lease, and the right of a new key. */
  async function rightOf(widgets: WidgetService) {
    const token = await publishGrant(widgets.runtime, grantOf());
    const name = tokenHash(token);
    const { grants } = widgets.runtime;
    await eventually(async () => expect(await grants.find(name)).toBeDefined());
    const held = await grants.find(name);
    return { token, grants, right: { name, revision: held?.revision ?? 0 } };
  }

  test('is not committed under a right that is gone, or is another', async () => {
    const widgets = await start();
    const leases = await leasesOf(widgets);
    const { token, grants, right } = await rightOf(widgets);
    grants.beginCommit(right)();
    await inForce(widgets, leases, grantOf({ owner: true }), token);
    expect(() => grants.beginCommit(right)).toThrow(RightChanged);
    await inForce(widgets, leases, null, token);
    expect(() => grants.beginCommit(right)).toThrow(RightChanged);
  });

  test('that is being committed holds the acknowledgement of a revocation back', async () => {
    const widgets = await start();
    const leases = await leasesOf(widgets, 60);
    const { token, grants, right } = await rightOf(widgets);
    const end = grants.beginCommit(right);
    let acknowledged = false;
    const revoked = inForce(widgets, leases, null, token).then(() => (acknowledged = true));
    await eventually(async () => expect(await ask(widgets, token)).toBe(401));
    await delay(leaseSeconds * 1_000);
    expect(acknowledged).toBe(false);
    end();
    await revoked;
  });

  test('is not begun where the lease could end before it is committed', () =>
    withOwnNats(async (own) => {
      const widgets = await on.widgets({ NATS_URL: own.url });
      const { grants, right } = await rightOf(widgets);
      await own.stop();
      await eventually(() => expect(() => grants.beginCommit(right)).toThrow(RightChanged));
      await widgets.stop();
    }));
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
  await publishGrant(widgets.runtime, grantOf());
  await announce(widgets, 'killed-instance', 0);
  const begun = performance.now();
  await leases.waitUntilApplied(await newestGrant(widgets.runtime));
  expect(performance.now() - begun).toBeGreaterThan(2_000);
});

test('a change is unavailable while NATS does not tell whether it is in force', () =>
  withOwnNats(async (own, played) => {
    const leases = new GrantLeases(played, on.topology, leaseSeconds);
    on.onClose(() => leases.close());
    await leases.open();
    await leases.waitUntilApplied(0);
    await own.stop();
    await expect(leases.waitUntilApplied(0, 300)).rejects.toMatchObject({ code: 'unavailable' });
    await own.start();
    await eventually(() => leases.waitUntilApplied(0, 1_000), { timeoutMs: 20_000 });
  }));

test('after a server was started anew a change waits for leases that it may have forgotten', () =>
  withOwnNats(async (own, played) => {
    const leases = new GrantLeases(played, on.topology, 3);
    on.onClose(() => leases.close());
    await leases.open();
    await leases.waitUntilApplied(0);
    await own.stop();
    const begun = performance.now();
    await own.start();
    await leases.waitUntilApplied(0, 10_000);
    expect(performance.now() - begun).toBeGreaterThan(3_000);
  }));

test('an instance authorizes nobody before it has opened its cache and after it has closed it', async () => {
  const { runtime } = await start();
  const token = await publishGrant(runtime, grantOf());
  const { nats, topology, log } = runtime;
  const verify = verifier(trustedKeysSchema.parse(testKeys.trusted));
  const cache = new GrantCache({ nats, topology, instance: 'another', leaseSeconds, verify, log });
  const find = () => cache.find(tokenHash(token));
  await expect(find()).rejects.toThrow('cannot be checked');
  await cache.open();
  await cache.settled();
  expect(await find()).toMatchObject({ grant: { tenant_id: 1 } });
  await cache.close();
  await expect(find()).rejects.toThrow('cannot be checked');
  // and stays so: the heartbeat has ended
  await delay(leaseSeconds * 1_000);
  await expect(find()).rejects.toThrow('cannot be checked');
});
