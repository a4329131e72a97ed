import { readFile, writeFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProcesses, identify, withArguments } from '@sluice/system';
import { eventually } from '@sluice/testing';
import { client, createNode, failed, publish, readAll, endpointOf } from '#test/node.ts';
import { removeNodes, running, runningNode, streams } from '#test/node.ts';
import { credentials, everybody } from '#test/supervisor.ts';
import { sealingWith } from './sealing.ts';

afterEach(removeNodes);

/** A running node whose stream `orders` holds ten messages. */
async function nodeWithMessages() {
  const node = await runningNode();
  await node.supervisor.desire({ access_rules: everybody });
  const connection = await client(node.tcp);
  await (await streams(connection)).streams.add({ name: 'orders', subjects: ['orders.*'] });
  await publish(connection, 10);
  await connection.close();
  return node;
}

const brokersOf = (home: string) => findProcesses(withArguments('-c', join(home, 'broker.conf')));

test('an agent that is killed leaves its broker running, and the next one takes it over on the same ports', async () => {
  const { home, supervisor, agent, tcp, startAgent, brokerPid } = await nodeWithMessages();
  const lasting = await client(tcp);
  const before = await brokerPid();
  agent.child.kill('SIGKILL');
  await agent.ended;
  expect(await identify(before)).not.toBeNull();
  startAgent();
  const { ports } = await supervisor.hears(running);
  expect(endpointOf(ports.broker_tcp)).toBe(tcp);
  expect(await brokerPid()).toBe(before);
  expect(await brokersOf(home)).toEqual([before]);
  expect(await readAll(lasting)).toHaveLength(10);
  await lasting.close();
});

test('a broker without a pid file is found and replaced, never joined by a second one', async () => {
  const { home, supervisor, agent, tcp, startAgent, brokerPid } = await nodeWithMessages();
  const before = await brokerPid();
  agent.child.kill('SIGKILL');
  await agent.ended;
  await rm(join(home, 'broker.pid'));
  startAgent();
  await supervisor.hears(running);
  expect(await identify(before)).toBeNull();
  expect(await brokersOf(home)).toEqual([await brokerPid()]);
  const connection = await client(tcp);
  expect(await readAll(connection)).toHaveLength(10);
  await connection.close();
});

test.each([
  ['that began at another time', { process_start: '1' }],
  ['that runs something else', {}],
])('a pid file that names a process %s harms nobody', async (_, record) => {
  const { home, supervisor, agent, startAgent, brokerPid } = await nodeWithMessages();
  agent.child.kill('SIGKILL');
  await agent.ended;
  process.kill(await brokerPid(), 'SIGKILL');
  await writeFile(
    join(home, 'broker.pid'),
    JSON.stringify({
      ...(await identify(process.pid)),
      ...record,
      runtime: 'nats',
      arguments: ['-c', join(home, 'broker.conf')],
      configuration: null,
    }),
  );
  startAgent();
  await supervisor.hears(running);
  expect(await brokerPid()).not.toBe(process.pid);
});

test('a broker that is killed comes back with its data', async () => {
  const { supervisor, tcp, brokerPid } = await nodeWithMessages();
  const before = await brokerPid();
  process.kill(before, 'SIGKILL');
  await eventually(async () => expect(await brokerPid()).not.toBe(before));
  await supervisor.hears(running);
  const connection = await client(tcp);
  expect(await readAll(connection)).toHaveLength(10);
  await connection.close();
});

test('a taken-over broker that is killed comes back too', async () => {
  const { supervisor, agent, startAgent, brokerPid } = await nodeWithMessages();
  agent.child.kill('SIGKILL');
  await agent.ended;
  startAgent();
  await supervisor.hears(running);
  const before = await brokerPid();
  process.kill(before, 'SIGKILL');
  await eventually(async () => expect(await brokerPid()).not.toBe(before));
  await supervisor.hears(running);
});

test('an agent killed between keeping a state and applying it applies it before it lets anybody in', async () => {
  const { home, keyFile, supervisor, agent, tcp, startAgent, brokerPid } = await nodeWithMessages();
  const before = await brokerPid();
  await supervisor.goAway();
  agent.child.kill('SIGKILL');
  await agent.ended;
  const path = join(home, 'desired-state.json');
  const sealing = await sealingWith(keyFile);
  await sealing.writeFile(path, (await sealing.readFile(path))!.replace(credentials.password, 'changed'));
  const second = startAgent();
  await eventually(() => expect(second.messages).toContain('broker serves'));
  await expect(client(tcp)).rejects.toThrow(/authorization/i);
  await (await client(tcp, { pass: 'changed' })).close();
  expect(await brokerPid()).toBe(before);
});

test('a broker that can not start is reported as failed with the reason, and tried again', async () => {
  const node = await createNode();
  const broken = node.startAgent({ NATS_SERVER_PATH: join(node.home, 'missing') });
  const { runtimes, statistics } = await node.supervisor.heard(failed);
  expect(runtimes[0]?.reason).toMatch(/ENOENT/);
  expect(statistics).toBeNull();
  broken.child.kill('SIGTERM');
  expect(await broken.ended).toMatchObject({ code: 0 });
});

test('a broker that hangs is reported as failed, and as running once it answers again', async () => {
  const { supervisor, brokerPid } = await runningNode();
  process.kill(await brokerPid(), 'SIGSTOP');
  const { runtimes, statistics } = await supervisor.heard(failed);
  expect(runtimes[0]?.reason).toBe('the broker does not answer');
  expect(statistics).toBeNull();
  process.kill(await brokerPid(), 'SIGCONT');
  await supervisor.hears(running);
});

test('agent and broker killed at any time, while the credentials change: one broker, all data, the last password', async () => {
  const { home, supervisor, agent, tcp, startAgent, brokerPid } = await nodeWithMessages();
  agent.child.kill('SIGKILL');
  await agent.ended;
  let last: Promise<void> = Promise.resolve();
  for (let round = 1; round <= 12; round++) {
    last = supervisor.desire({ broker: { credentials: { ...credentials, password: `password ${round}` } } });
    const { child, ended } = startAgent();
    // Somewhere between its first instruction and a broker that serves.
    await sleep(Math.random() * 500);
    child.kill('SIGKILL');
    if (round % 3 === 0) {
      const broker = await brokerPid().catch(() => null);
      if (broker !== null && (await identify(broker)) !== null) process.kill(broker, 'SIGKILL');
    }
    await ended;
    expect((await brokersOf(home)).length).toBeLessThanOrEqual(1);
  }
  startAgent();
  await last;
  await supervisor.hears(running);
  expect(await brokersOf(home)).toEqual([await brokerPid()]);
  await expect(client(tcp, { pass: 'password 11' })).rejects.toThrow(/authorization/i);
  const connection = await client(tcp, { pass: 'password 12' });
  expect(await readAll(connection)).toHaveLength(10);
  await connection.close();
});

test('of two agents started at once on one folder one runs and the other says why not', async () => {
  const { home, supervisor, startAgent } = await createNode();
  const agents = [startAgent(), startAgent()];
  const loser = await Promise.race(agents.map(({ ended }) => ended));
  expect(loser).toEqual({ code: 3, errors: `Another agent runs in ${home}.\n` });
  await supervisor.heard(running);
  expect(agents.filter(({ child }) => child.exitCode === null)).toHaveLength(1);
  expect(await brokersOf(home)).toHaveLength(1);
});

test('while the supervisor is away the broker goes on, and a restarted agent knows what to do', async () => {
  const { supervisor, agent, tcp, startAgent, brokerPid } = await nodeWithMessages();
  await supervisor.goAway();
  await (await client(tcp)).close();
  process.kill(await brokerPid(), 'SIGKILL');
  agent.child.kill('SIGKILL');
  await agent.ended;
  const second = startAgent();
  await eventually(() => expect(second.messages).toContain('broker serves'));
  const connection = await client(tcp);
  expect(await readAll(connection)).toHaveLength(10);
  await connection.close();
  await supervisor.comeBack();
  await supervisor.hears(running);
});

test('SIGTERM ends the agent and removes its pid file; broker and gateway go on', async () => {
  const { home, agent, tcp, brokerPid, gatewayPids } = await nodeWithMessages();
  const before = [await brokerPid(), ...(await gatewayPids())];
  agent.child.kill('SIGTERM');
  expect(await agent.ended).toEqual({ code: 0, errors: '' });
  expect([await brokerPid(), ...(await gatewayPids())]).toEqual(before);
  await expect(readFile(join(home, 'agent.pid'))).rejects.toThrow(/ENOENT/);
  const connection = await client(tcp);
  expect(await readAll(connection)).toHaveLength(10);
  await connection.close();
});

test('an agent whose output nobody reads any more goes on', async () => {
  const { supervisor, agent } = await runningNode();
  agent.child.stdout?.destroy();
  await supervisor.desire({ access_rules: everybody });
  await supervisor.desire({ access_rules: [] });
  await supervisor.hears(running);
  expect(agent.child.exitCode).toBeNull();
});
