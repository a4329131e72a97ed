import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NetConnectOpts } from 'node:net';
import { wsconnect, type NatsConnection } from '@nats-io/nats-core';
import { eventually } from '@sluice/testing';
import { fuzzRuns, fuzzSeed } from '@sluice/testing/fuzz';
import fc from 'fast-check';
import {
  attack,
  controlAttacks,
  natsAttacks,
  tlsAttacks,
  upgrade,
  webSocketAttacks,
  type Attack,
} from '#test/attacks.ts';
import { testAuthority } from '#test/certificates.ts';
import { client, removeNodes, running, runningNode, type TestNode } from '#test/node.ts';
import { credentials, everybody } from '#test/supervisor.ts';

/**
 * Whoever reaches a port of a deployment can neither end its broker or gateway nor disturb the clients beside.
 * `FUZZ_RUNS` attacks on each port; `FUZZ_SEED` repeats a run.
 */
const runs = fuzzRuns(150);
const seed = fuzzSeed();
const parallel = 24;
/** What broker and gateway may grow by, in bytes. */
const mostGrowth = 192 * 2 ** 20;
const patience = 60_000 + runs * 100;

const { username: user, password: pass } = credentials;

afterEach(removeNodes);

function addressOf(endpoint: string): NetConnectOpts {
  const { hostname: host, port } = new URL(`tcp://${endpoint}`);
  return { host, port: Number(port) };
}

/** A node that lets everybody in, with TLS where asked for. */
async function openNode(withTls = false) {
  const authority = await testAuthority();
  const node = await runningNode(withTls ? { broker: { tls: await authority.issue() } } : {});
  await node.supervisor.desire({ access_rules: everybody });
  const secure = withTls ? { tls: { ca: authority.authority } } : {};
  return { ...node, ca: authority.authority, connectClient: () => client(node.tcp, secure) };
}

async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
}

/** A client that publishes to itself until it is told to end, and waits for each message. */
function publishes(connection: NatsConnection) {
  let count = 0;
  let ended = false;
  const subscription = connection.subscribe('beside');
  const publishing = (async () => {
    const received = subscription[Symbol.asyncIterator]();
    do {
      connection.publish('beside', String(count));
      const { value } = (await received.next()) as { value?: { string(): string } };
      expect(value?.string()).toBe(String(count++));
    } while (!ended);
  })();
  publishing.catch(() => undefined);
  return async () => {
    ended = true;
    await publishing;
    await connection.close();
    return count;
  };
}

/** Carries out as many attacks as are asked for; the processes are the same then, and the client beside has seen nothing of it. */
async function withstands(
  node: Pick<TestNode, 'brokerPid' | 'gatewayPids'> & { connectClient: () => Promise<NatsConnection> },
  to: NetConnectOpts,
  attacks: fc.Arbitrary<Attack>,
  tls?: { ca: string },
): Promise<void> {
  const pids = async () => [await node.brokerPid(), ...(await node.gatewayPids())];
  const before = await pids();
  const memory = await Promise.all(before.map(memoryOf));
  const endClient = publishes(await node.connectClient());
  const all = fc.sample(attacks, { numRuns: runs, seed });
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (let next = all.pop(); next !== undefined; next = all.pop()) await attack(to, next, tls);
    }),
  );
  expect(await endClient()).toBeGreaterThan(0);
  expect(await pids()).toEqual(before);
  for (const [index, pid] of before.entries())
    expect((await memoryOf(pid)) - (memory[index] ?? 0)).toBeLessThan(mostGrowth);
  await (await node.connectClient()).close();
}

test('a WebSocket frame of 2^64-1 bytes ends no broker', async () => {
  const { brokerPid, websocket, supervisor } = await openNode();
  const before = await brokerPid();
  const frame = Buffer.from('82ffffffffffffffffff0102030400000000', 'hex');
  await attack(addressOf(websocket), { parts: [upgrade(), frame], breaksOff: false });
  const web = await wsconnect({ servers: `ws://${websocket}`, user, pass, reconnect: false });
  await web.close();
  expect(await brokerPid()).toBe(before);
  await supervisor.hears(running);
});

test(
  `${runs} attacks by each protocol are withstood (seed ${seed})`,
  async () => {
    const node = await openNode();
    await withstands(node, addressOf(node.tcp), natsAttacks({ user, pass }));
    await withstands(node, addressOf(node.websocket), webSocketAttacks());
  },
  2 * patience,
);

test(
  `${runs} attacks on TLS, and by WebSocket over TLS, are withstood (seed ${seed})`,
  async () => {
    const node = await openNode(true);
    await withstands(node, addressOf(node.tcp), await tlsAttacks());
    await withstands(node, addressOf(node.websocket), await tlsAttacks());
    await withstands(node, addressOf(node.websocket), webSocketAttacks(), { ca: node.ca });
  },
  3 * patience,
);

test(
  `${runs} attacks on the control channel are withstood, and the agent steers the gateway as before (seed ${seed})`,
  async () => {
    const node = await openNode();
    const [gateway = 0] = await node.gatewayPids();
    const channel = { path: join(node.home, 'gateway', `${gateway}.sock`) };
    await attack(channel, { parts: [Buffer.from('null\n')], breaksOff: false });
    await withstands(node, channel, controlAttacks());
    await node.supervisor.desire({ access_rules: [] });
    await eventually(() => expect(node.connectClient()).rejects.toThrow());
    expect(await node.gatewayPids()).toEqual([gateway]);
  },
  patience,
);
