import { setTimeout as delay } from 'node:timers/promises';
import {
  client,
  eventually,
  revocableRights,
  startReplicas,
  tryRevocations,
  type Client,
  type GivenRight,
  type Layer,
  type Replica,
  type ReplicatedStack,
} from '@sluice/testing';

/** Changes of rights with two replicas of each layer. `npm run bench:revocation` does ten thousand of them. */

const leaseSeconds = 2;
/** milliseconds that a machine at load may add; a change that is not let through at all waits longer */
const patience = 8_000;
/** as many as there are pairs of replicas, of which one gives the right and one takes it away */
const trials = 4;
/** between the requests of a client, which are many: what matters is that some are on their way at each moment */
const pauseMs = 20;
let stack: ReplicatedStack;
beforeAll(async () => {
  stack = await startReplicas(2);
}, 120_000);
afterAll(() => stack?.remove());

const status = async ({ url, probe }: Replica, token: string) =>
  (await fetch(url + probe, { headers: { 'svc-api-key': token } })).status;

let given = 0;
function newKey(admin: Client): Promise<GivenRight> {
  const right = revocableRights(stack)['key deleted'];
  if (!right) throw new Error('there is no such right');
  return right(admin, ++given);
}

function replicaOf(layer: Layer, position: number): Replica {
  const replica = stack.of(layer)[position];
  if (!replica) throw new Error(`there is no replica ${position} of ${layer}`);
  return replica;
}
const secondOf = (layer: Layer) => replicaOf(layer, 1);
const someAdmin = () => client(replicaOf('main-api', 0).url, stack.api_key);

test.each([
  'key deleted',
  'key rotated',
  'addresses limited',
  'member deactivated',
  'role changed',
  'override added',
  'session ended',
])(
  '%s: no request that begins after the answer gets through on any layer, and no change is made on the old right',
  async (name) => {
    const right = revocableRights(stack)[name];
    const outcome = await tryRevocations(stack, right ? [right] : [], trials, pauseMs);
    expect(outcome.stale).toEqual([]);
    // a right that is overridden elsewhere still lets the tenant be changed
    if (name !== 'override added') expect(outcome.lateEffects).toEqual([]);
    expect(outcome.changes).toBeGreaterThan(outcome.trials);
    expect(outcome.allowed).toBeGreaterThan(outcome.trials);
    // no lease has to run out for it; what takes longer has waited for the machine
    expect(Math.min(...outcome.waits)).toBeLessThan(leaseSeconds * 1_000);
  },
  60_000,
);

describe.each(['main-api', 'supervisor', 'audit'] as const)('a frozen replica of %s', (layer) => {
  test('delays a change by one lease at most, and lets nothing through on the old right when it thaws', async () => {
    const admin = someAdmin();
    const frozen = secondOf(layer);
    const { token, takeAway } = await newKey(admin);
    expect(await status(frozen, token)).toBe(200);

    frozen.process.kill('SIGSTOP');
    const begun = performance.now();
    await takeAway(admin);
    expect(performance.now() - begun).toBeLessThan(leaseSeconds * 1_000 + patience);
    // sent while it is frozen, and answered when it thaws
    const waiting = Array.from({ length: 20 }, () => status(frozen, token));
    frozen.process.kill('SIGCONT');
    for (const answer of await Promise.all(waiting)) expect([401, 503]).toContain(answer);
    await eventually(async () => expect(await status(frozen, token)).toBe(401));
    await eventually(async () => expect(await status(frozen, stack.api_key)).toBe(200));
  });
});

test.each(['main-api', 'supervisor', 'audit'] as const)(
  'a replica of %s that is cut off from NATS delays a change by one lease at most, and lets nothing through afterwards',
  async (layer) => {
    const admin = someAdmin();
    const alone = secondOf(layer);
    const { token, takeAway } = await newKey(admin);
    expect(await status(alone, token)).toBe(200);

    alone.nats.disconnect();
    const begun = performance.now();
    await takeAway(admin);
    expect(performance.now() - begun).toBeLessThan(leaseSeconds * 1_000 + patience);
    // it cannot know of the change, but its lease has ended
    for (let i = 0; i < 20; i++) expect(await status(alone, token)).toBe(503);
    alone.nats.restore();
    await eventually(async () => expect(await status(alone, token)).toBe(401), { timeoutMs: 20_000 });
    await eventually(async () => expect(await status(alone, stack.api_key)).toBe(200));
  },
  40_000,
);

// what becomes of rights when NATS loses what it had comes last: leases begin anew

const ready = async ({ url }: Replica) => (await fetch(`${url}/readyz`)).status;

async function onAll(token: string, expected: number): Promise<void> {
  for (const replica of stack.replicas)
    await eventually(async () => expect(await status(replica, token)).toBe(expected), { timeoutMs: 30_000 });
}

/** Waits until every replica has answered for longer than a lease lasts: what it holds is of the server as it is now. */
async function calm(): Promise<void> {
  await eventually(
    async () => {
      for (let i = 0; i < 12; i++) {
        for (const replica of stack.replicas) expect(await status(replica, stack.api_key)).toBe(200);
        await delay(250);
      }
    },
    { timeoutMs: 40_000 },
  );
}

/** Asks every replica all the time with each token, and collects what they say. */
function watch(tokens: readonly string[]) {
  const seen = new Map<string, Set<number>>(tokens.map((token) => [token, new Set()]));
  let stopped = false;
  const asking = stack.replicas.map(async (replica) => {
    while (!stopped)
      for (const token of tokens) {
        seen.get(token)?.add(await status(replica, token).catch(() => 0));
        await delay(20);
      }
  });
  return {
    /** The deleted key has worked nowhere, and the one that is there was never called unknown. */
    async stop(gone: string, kept: string): Promise<void> {
      stopped = true;
      await Promise.all(asking);
      expect([...(seen.get(gone) ?? [])].filter((code) => code === 200)).toEqual([]);
      expect([...(seen.get(kept) ?? [])].filter((code) => ![0, 200, 503].includes(code))).toEqual([]);
    },
  };
}

/** Removes a right, which then works nowhere. */
async function removed({ takeAway, token }: GivenRight, admin: Client): Promise<void> {
  await takeAway(admin);
  for (const replica of stack.replicas) expect(await status(replica, token)).toBe(401);
}

test('NATS comes back with data from before a deletion: the deleted key works nowhere at any time, all others do', async () => {
  const admin = someAdmin();
  const [gone, kept] = [await newKey(admin), await newKey(admin)];
  await stack.nats.backUp();
  await calm();
  await gone.takeAway(admin);
  const late = await newKey(admin);
  const watching = watch([gone.token, kept.token]);
  await stack.nats.restore('backup');
  await onAll(kept.token, 200);
  await onAll(late.token, 200);
  await onAll(gone.token, 401);
  await calm();
  await watching.stop(gone.token, kept.token);
  // and changes go on as before
  await removed(kept, admin);
}, 120_000);

test('NATS loses everything: no deleted key works, no valid key is called unknown, and all recovers by itself', async () => {
  const admin = someAdmin();
  const [gone, kept] = [await newKey(admin), await newKey(admin)];
  await gone.takeAway(admin);
  const watching = watch([gone.token, kept.token]);
  await stack.nats.restore('nothing');
  await onAll(kept.token, 200);
  await onAll(gone.token, 401);
  for (const replica of stack.replicas)
    await eventually(async () => expect(await ready(replica)).toBe(200), { timeoutMs: 30_000 });
  await calm();
  await watching.stop(gone.token, kept.token);
  await removed(kept, admin);
}, 120_000);

test('NATS is frozen: a deletion is not said to be in force before it is, and readiness tells', async () => {
  const admin = someAdmin();
  const key = await newKey(admin);
  await onAll(key.token, 200);
  process.kill(stack.nats.process(), 'SIGSTOP');
  try {
    for (const replica of stack.replicas)
      await eventually(async () => expect(await status(replica, key.token)).toBe(503));
    for (const replica of stack.replicas) expect(await ready(replica)).toBe(503);
  } finally {
    process.kill(stack.nats.process(), 'SIGCONT');
  }
  await calm();
  await removed(key, admin);
}, 90_000);
