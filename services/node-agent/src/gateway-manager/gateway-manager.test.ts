import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { wsconnect } from '@nats-io/nats-core';
import { idOf, type AccessRuleId } from '@sluice/contracts';
import { identify, sendSignal } from '@sluice/system';
import { eventually, freePorts, newerAgent } from '@sluice/testing';
import {
  client,
  createNode,
  endpointOf,
  readAll,
  removeNodes,
  running,
  runningNode,
  streams,
} from '#test/node.ts';
import { credentials, everybody } from '#test/supervisor.ts';

afterEach(removeNodes);

/** A running node that lets everybody in and has the stream `orders`. */
async function openNode() {
  const node = await runningNode();
  await node.supervisor.desire({ access_rules: everybody });
  const connection = await client(node.tcp);
  await (await streams(connection)).streams.add({ name: 'orders', subjects: ['orders.*'] });
  return { ...node, connection };
}

/** Nobody listens there any more. */
async function refused(endpoint: string): Promise<void> {
  const { hostname, port } = new URL(`tcp://${endpoint}`);
  const socket = connect(Number(port), hostname);
  try {
    await expect(once(socket, 'connect')).rejects.toThrow('ECONNREFUSED');
  } finally {
    socket.destroy();
  }
}

/** Publishes without pause, each message acknowledged, until it is told to stop; answers how many there were. */
function publishing(connection: NatsConnection) {
  let stopped = false;
  const publisher = jetstream(connection);
  const published = (async () => {
    for (let count = 0; ; count++) {
      if (stopped) return count;
      await publisher.publish('orders.new', String(count));
    }
  })();
  return async () => {
    stopped = true;
    return await published;
  };
}

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'a client publishes through the end of the agent by %s and the start of the next one, on one connection',
  async (signal) => {
    const { connection, agent, startAgent, supervisor, gatewayPids, tcp } = await openNode();
    const before = await gatewayPids();
    const stop = publishing(connection);
    agent.child.kill(signal);
    await agent.ended;
    await (await client(tcp)).close();
    startAgent();
    await supervisor.hears(running);
    await (await client(tcp)).close();
    const published = await stop();
    expect(await readAll(connection)).toHaveLength(published);
    expect(await gatewayPids()).toEqual(before);
    await connection.close();
  },
);

test('agents and gateways that are killed at any time of a replacement leave one gateway, on the same port', async () => {
  const { connection, agent, startAgent, supervisor, gatewayPids, tcp } = await openNode();
  await connection.close();
  const programs = [await newerAgent('gateway'), undefined];
  agent.child.kill('SIGKILL');
  await agent.ended;
  for (let round = 0; round < 8; round++) {
    const { child, ended } = startAgent({}, programs[round % 2]);
    // somewhere between its first instruction and a gateway that is replaced
    await sleep(Math.random() * 500);
    child.kill('SIGKILL');
    if (round % 3 === 0)
      for (const pid of await gatewayPids()) if (Math.random() < 0.5) sendSignal(pid, 'SIGKILL');
    await ended;
  }
  startAgent();
  const { ports } = await supervisor.hears(running);
  expect(endpointOf(ports.broker_tcp)).toBe(tcp);
  await (await client(tcp)).close();
  await eventually(async () => expect(await gatewayPids()).toHaveLength(1));
});

test('a newer gateway takes over on the same port: nobody is cut, nobody is refused, and rules hold for both', async () => {
  const { connection, agent, startAgent, supervisor, gatewayPids, tcp } = await openNode();
  const program = await newerAgent('gateway');
  const [before] = await gatewayPids();
  const stop = publishing(connection);
  let connected = 0;
  let replaced = false;
  // so many that some come in the moment in which the sockets change hands
  const newcomers = Promise.all(
    Array.from({ length: 6 }, async () => {
      for (; !replaced; connected++) await (await client(tcp)).close();
    }),
  );
  agent.child.kill('SIGTERM');
  await agent.ended;
  startAgent({}, program);
  await eventually(async () => expect(await gatewayPids()).toHaveLength(2));
  await supervisor.hears(running);
  replaced = true;
  await newcomers;
  expect(connected).toBeGreaterThan(0);
  const published = await stop();
  const late = await client(tcp);
  expect(await readAll(late)).toHaveLength(published);
  await supervisor.desire({ access_rules: [] });
  await Promise.all([connection.closed(), late.closed()]);
  // the former one had nothing left to do
  await eventually(async () => {
    const pids = await gatewayPids();
    expect(pids).toHaveLength(1);
    expect(pids).not.toContain(before);
  });
});

test.each(['SIGKILL', 'SIGSTOP'] as const)(
  'a gateway that gets %s is replaced, and rules hold again',
  async (signal) => {
    const { supervisor, gatewayPids, tcp } = await openNode();
    const [pid = 0] = await gatewayPids();
    sendSignal(pid, signal);
    await supervisor.desire({ access_rules: [] });
    await expect(client(tcp)).rejects.toThrow();
    await supervisor.desire({ access_rules: everybody });
    await eventually(async () => (await client(tcp)).close());
    expect(await identify(pid)).toBeNull();
  },
);

test('a rule that ends while there is no agent lets nobody in any more', async () => {
  const { agent, supervisor, connection, tcp } = await openNode();
  const valid_to = new Date(Date.now() + 1_500).toISOString();
  await supervisor.desire({ access_rules: everybody.map((rule) => ({ ...rule, valid_to })) });
  agent.child.kill('SIGKILL');
  await agent.ended;
  await connection.closed();
  await expect(client(tcp)).rejects.toThrow();
});

test('a rule that ends while the supervisor is away cuts whom it has let in, by its clock, and nobody else', async () => {
  const node = await openNode();
  const { agent, startAgent, supervisor, connection, tcp } = node;
  const end = Date.now() + 1_500;
  const ended = connection.closed().then(() => Date.now());
  const [rule] = everybody;
  await supervisor.desire({
    access_rules: [
      { ...rule!, valid_to: new Date(end).toISOString() },
      { ...rule!, id: idOf<AccessRuleId>(2), protocols: ['broker_websocket'] },
    ],
  });
  const { username: user, password: pass } = credentials;
  const web = await wsconnect({ servers: `ws://${node.websocket}`, user, pass, reconnect: false });
  await supervisor.goAway();
  expect(await ended).toBeGreaterThanOrEqual(end);
  await expect(client(tcp)).rejects.toThrow();

  // nor does an agent that finds nobody to ask open it again
  agent.child.kill('SIGKILL');
  await agent.ended;
  const next = startAgent();
  await eventually(() => expect(next.messages).toContain('applied'));
  await expect(client(tcp)).rejects.toThrow();
  await web.flush();
  await web.close();
});

test('the ports stay when agent and gateway are killed, unless one is taken meanwhile', async () => {
  const { home, agent, startAgent, supervisor, gatewayPids, tcp, websocket } = await runningNode();
  const killAll = async ({ child, ended }: typeof agent) => {
    child.kill('SIGKILL');
    await ended;
    for (const pid of await gatewayPids()) sendSignal(pid, 'SIGKILL');
    await eventually(async () => expect(await gatewayPids()).toEqual([]));
    // a process that is killed loses its command line before its sockets are closed
    for (const endpoint of [tcp, websocket]) await eventually(() => refused(endpoint));
  };
  await killAll(agent);
  const second = startAgent();
  const { ports } = await supervisor.hears(running);
  expect([ports.broker_tcp, ports.broker_websocket].map(endpointOf)).toEqual([tcp, websocket]);
  await killAll(second);
  const squatter = createServer();
  squatter.listen(ports.broker_tcp ?? 0, '127.0.0.1');
  // somebody else who has taken it meanwhile will do as well
  await Promise.race([
    once(squatter, 'listening'),
    new Promise((resolve) => squatter.once('error', resolve)),
  ]);
  const third = startAgent();
  const moved = await supervisor.hears(running);
  squatter.close();
  expect(moved.ports.broker_tcp).not.toBe(ports.broker_tcp);
  expect(moved.ports.broker_websocket).toBe(ports.broker_websocket);
  await killAll(third);
  await writeFile(join(home, 'gateway-ports.json'), '{"broker_tcp": 99');
  startAgent();
  const { ports: anew } = await supervisor.hears(running);
  const kept: unknown = JSON.parse(await readFile(join(home, 'gateway-ports.json'), 'utf8'));
  expect(kept).toEqual({ broker_tcp: anew.broker_tcp, broker_websocket: anew.broker_websocket });
});

test('nodes share a range of ports: one for which none is left says so, and serves once there is one', async () => {
  const first = await freePorts();
  const environment = { AGENT_GATEWAY_PORTS: `${first}-${first + 1}` };
  const { agent, gatewayPids, tcp, websocket } = await runningNode({ environment });
  expect([tcp, websocket].sort()).toEqual([first, first + 1].map(endpointOf));
  const late = await createNode({ environment });
  const { lines } = late.startAgent();
  await eventually(() =>
    expect(lines.join('\n')).toContain(`no port from ${first} to ${first + 1} is free for broker_tcp`),
  );
  agent.child.kill('SIGKILL');
  await agent.ended;
  for (const pid of await gatewayPids()) sendSignal(pid, 'SIGKILL');
  const { ports } = await late.supervisor.heard(running);
  expect([ports.broker_tcp, ports.broker_websocket].sort()).toEqual([first, first + 1]);
});
