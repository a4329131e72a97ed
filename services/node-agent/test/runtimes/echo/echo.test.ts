import { join } from 'node:path';
import { findProcesses, identify, naming } from '@sluice/system';
import { client, createNode, failed, removeNodes, running, runningNode } from '../../fixtures/node.ts';
import { everybody } from '../../fixtures/supervisor.ts';
import { echo } from './echo-runtime.ts';

/** What another runtime than nats needs: its folder, this one, and its name in a registry (main.ts). */

afterEach(removeNodes);

const program = join(import.meta.dirname, 'main.ts');
const portOf = (endpoint: string) => Number(endpoint.split(':').at(-1));
const echoNode = (values: Record<string, string> = {}) =>
  runningNode({ program, broker: { runtime: 'echo', values } });

test('another runtime is started, reported and reached through the gateway by its own protocols', async () => {
  const { supervisor, tcp } = await echoNode({ BROKER_ECHO_PREFIX: '> ', BROKER_NATS_ONLY: '1' });
  expect(await echo(portOf(tcp), 'hello')).toBe('');
  const access_rules = [{ ...everybody[0]!, protocols: ['broker_tcp' as const] }];
  await supervisor.desire({ access_rules });
  const { runtimes, ports, statistics } = await supervisor.hears(running);
  expect(runtimes).toEqual([{ runtime: 'broker', status: 'running', version: '1.0.0', reason: null }]);
  expect(ports).toEqual({
    broker_tcp: portOf(tcp),
    broker_http: expect.any(Number) as number,
    broker_websocket: null,
    broker_udp: null,
  });
  expect(statistics).toMatchObject({ messages: 0 });
  expect(await echo(portOf(tcp), 'hello')).toBe('> hello');
  expect(await echo(ports.broker_http ?? 0, 'hello')).toBe('');
  await supervisor.desire({ access_rules: [{ ...access_rules[0]!, protocols: ['broker_http'] }] });
  expect(await echo(ports.broker_http ?? 0, 'hello')).toBe('> hello');
  expect(await echo(portOf(tcp), 'hello')).toBe('');
});

test('why it ended is told in the words of its own log, and the log of the agent has no secret', async () => {
  const fatal = 'cannot reach echo://user:hunter2@elsewhere';
  const node = await createNode({
    program,
    broker: { runtime: 'echo', values: { BROKER_ECHO_FATAL: fatal } },
  });
  const agent = node.startAgent();
  const { runtimes } = await node.supervisor.heard(failed);
  expect(runtimes[0]?.reason).toMatch(/^the broker ended.*: echo \d+ fatal: cannot reach /);
  const log = agent.lines.join('\n');
  expect(log).toContain('cannot reach echo://user:***@elsewhere');
  expect(log).not.toContain('hunter2');
});

test('a node changes from one runtime to another and back, with the listeners of each and never two brokers', async () => {
  const { home, supervisor, tcp, websocket, brokerPid } = await runningNode({ program });
  await supervisor.desire({ access_rules: everybody });
  await (await client(tcp)).close();
  const nats = await brokerPid();
  await supervisor.desire({ broker: { runtime: 'echo' } });
  const { ports } = await supervisor.hears(running);
  expect(ports).toMatchObject({ broker_tcp: portOf(tcp), broker_websocket: null });
  expect(await echo(portOf(tcp), 'hello')).toBe('hello');
  expect(await identify(nats)).toBeNull();
  await supervisor.desire({ broker: { runtime: 'nats' } });
  const after = await supervisor.hears(running);
  expect(after.ports).toMatchObject({
    broker_tcp: portOf(tcp),
    broker_websocket: portOf(websocket),
    broker_http: null,
  });
  await (await client(tcp)).close();
  expect(await findProcesses(naming(join(home, 'broker.conf')))).toEqual([await brokerPid()]);
});

test('a change of the runtime while the agent is away is made when it comes back', async () => {
  const { home, supervisor, agent, startAgent, brokerPid } = await runningNode({ program });
  const nats = await brokerPid();
  agent.child.kill('SIGKILL');
  await agent.ended;
  const changed = supervisor.desire({ broker: { runtime: 'echo' } });
  startAgent();
  await changed;
  await supervisor.hears(running);
  expect(await identify(nats)).toBeNull();
  expect(await findProcesses(naming(join(home, 'broker.conf')))).toEqual([await brokerPid()]);
});

test.each(['unheard-of', 'constructor'])(
  'a runtime named %s, which the agent does not have, is a broker that failed',
  async (runtime) => {
    const node = await createNode({ broker: { runtime } });
    const agent = node.startAgent();
    const { runtimes, ports } = await node.supervisor.heard(failed);
    expect(runtimes[0]?.reason).toBe(
      `the configuration is refused: this agent does not know the runtime "${runtime}"`,
    );
    expect(ports.broker_tcp).toBeNull();
    await node.supervisor.desire({ broker: { runtime: 'nats' } });
    await node.supervisor.hears(running);
    expect(agent.child.exitCode).toBeNull();
  },
);
