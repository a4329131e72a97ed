import { setTimeout as delay } from 'node:timers/promises';
import {
  client,
  eventually,
  revocableRights,
  startReplicas,
  type Client,
  type GivenRight,
  type Replica,
  type ReplicatedStack,
} from '@sluice/testing';

/** What becomes of rights when NATS loses what it had, with two replicas of each layer and keys being deleted. */

let stack: ReplicatedStack;
beforeAll(async () => {
  stack = await startReplicas(2);
}, 60_000);
afterAll(() => stack.remove());

const status = async ({ url, probe }: Replica, token: string) =>
  (await fetch(url + probe, { headers: { 'svc-api-key': token } })).status;

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

let trials = 0;
function newKey(admin: Client): Promise<GivenRight> {
  const right = revocableRights(stack)['key deleted'];
  if (!right) throw new Error('there is no such right');
  return right(admin, ++trials);
}

function someAdmin(): Client {
  const [main] = stack.of('main-api');
  if (!main) throw new Error('there is no main-api');
  return client(main.url, stack.api_key);
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
    async stop(): Promise<Map<string, Set<number>>> {
      stopped = true;
      await Promise.all(asking);
      return seen;
    },
  };
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
  const seen = await watching.stop();
  expect([...(seen.get(gone.token) ?? [])].filter((code) => code === 200)).toEqual([]);
  // a key that is there is never called unknown
  expect([...(seen.get(kept.token) ?? [])].filter((code) => ![0, 200, 503].includes(code))).toEqual([]);
  // and changes go on as before
  await kept.takeAway(admin);
  for (const replica of stack.replicas) expect(await status(replica, kept.token)).toBe(401);
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
  const seen = await watching.stop();
  expect([...(seen.get(gone.token) ?? [])].filter((code) => code === 200)).toEqual([]);
  expect([...(seen.get(kept.token) ?? [])].filter((code) => ![0, 200, 503].includes(code))).toEqual([]);
  await kept.takeAway(admin);
  for (const replica of stack.replicas) expect(await status(replica, kept.token)).toBe(401);
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
  await key.takeAway(admin);
  for (const replica of stack.replicas) expect(await status(replica, key.token)).toBe(401);
}, 90_000);
