import {
  client,
  eventually,
  revocableRights,
  startReplicas,
  tryRevocations,
  type Replica,
  type ReplicatedStack,
} from '@sluice/testing';

/** Changes of rights with two replicas of each layer. `npm run bench:revocation` does ten thousand of them. */

const leaseSeconds = 2;
/** milliseconds that a machine at load may add; a change that is not let through at all waits longer */
const patience = 8_000;
/** as many as there are pairs of replicas, of which one gives the right and one takes it away */
const trials = 4;
let stack: ReplicatedStack;
beforeAll(async () => {
  stack = await startReplicas(2);
}, 120_000);
afterAll(() => stack?.remove());

const status = async ({ url, probe }: Replica, token: string) =>
  (await fetch(url + probe, { headers: { 'svc-api-key': token } })).status;

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
    const outcome = await tryRevocations(stack, right ? [right] : [], trials);
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
    const [healthy] = stack.of('main-api');
    const frozen = stack.of(layer)[1];
    const right = revocableRights(stack)['key deleted'];
    if (!healthy || !frozen || !right) throw new Error('there is no such replica');
    const admin = client(healthy.url, stack.api_key);
    const { token, takeAway } = await right(admin, layer.length);
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
    const [healthy] = stack.of('main-api');
    const alone = stack.of(layer)[1];
    const right = revocableRights(stack)['key deleted'];
    if (!healthy || !alone || !right) throw new Error('there is no such replica');
    const admin = client(healthy.url, stack.api_key);
    const { token, takeAway } = await right(admin, 0);
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
