import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  idOf,
  type ConnectorInstanceId,
  type DesiredState,
  type NodeTask,
  type TaskId,
} from '@sluice/contracts';
import { identify } from '@sluice/system';
import { eventually, testFolder } from '@sluice/testing';
import { natsServerProgram } from '@sluice/embedded';
import {
  client,
  createNode,
  endpointOf,
  publish,
  readAll,
  removeNodes,
  running,
  runningNode,
  streams,
} from '#test/node.ts';
import { everybody } from '#test/supervisor.ts';

afterEach(removeNodes);

const aTask = (id: number, action: NodeTask['action'], more: Partial<NodeTask> = {}): NodeTask => ({
  id: idOf<TaskId>(id),
  runtime: 'broker',
  action,
  config_id: null,
  deadline: new Date(Date.now() + 60_000).toISOString(),
  ...more,
});
const done = { status: 'completed', error: null };

async function nodeWithMessages() {
  const node = await runningNode();
  await node.supervisor.desire({ access_rules: everybody });
  const connection = await client(node.tcp);
  await (await streams(connection)).streams.add({ name: 'orders', subjects: ['orders.*'] });
  await publish(connection, 10);
  return { ...node, connection };
}

async function messagesOf(tcp: string): Promise<number> {
  const connection = await client(tcp);
  const messages = await readAll(connection);
  await connection.close();
  return messages.length;
}

test('a restart replaces the broker once, however often it is told, and keeps what it holds', async () => {
  const { supervisor, tcp, brokerPid, connection } = await nodeWithMessages();
  const before = await brokerPid();
  const task = aTask(7, 'restart');
  await supervisor.desire({ tasks: [task] });
  expect(await supervisor.result(7)).toEqual(done);
  await connection.closed();
  const after = await brokerPid();
  expect(after).not.toBe(before);
  expect(await identify(before)).toBeNull();
  expect(await messagesOf(tcp)).toBe(10);
  supervisor.results.length = 0;
  await supervisor.desire({ tasks: [task, aTask(8, 'start')] });
  expect(await supervisor.result(8)).toEqual(done);
  expect(await supervisor.result(7)).toEqual(done);
  expect(await brokerPid()).toBe(after);
});

test('a restart that was done when its agent was killed is told by the next one, and not done again', async () => {
  const { supervisor, agent, brokerPid, startAgent } = await runningNode();
  const before = await brokerPid();
  supervisor.takesResults = false;
  await supervisor.desire({ tasks: [aTask(7, 'restart')] });
  await eventually(() => expect(supervisor.refusals).toContain('/agent/v1/tasks/7/result 503'));
  const after = await brokerPid();
  expect(after).not.toBe(before);
  agent.child.kill('SIGKILL');
  await agent.ended;
  supervisor.takesResults = true;
  startAgent();
  expect(await supervisor.result(7)).toEqual(done);
  expect(await brokerPid()).toBe(after);
});

test.each([
  ['had only been written down', (process: string) => [{ id: 7, former: process, result: null }], false],
  ['had ended the broker', () => [{ id: 7, former: '1 long ago', result: null }], true],
  [
    'has another deadline, as in a restored database,',
    (process: string) => [{ id: 7, deadline: 'x', former: process, result: done }],
    false,
  ],
  ['left a journal that is damaged', () => '{"id":', false],
])('a restart that %s is done as it has to be', async (_what, journal, isDone) => {
  const { supervisor, agent, home, brokerPid, startAgent } = await runningNode();
  agent.child.kill('SIGKILL');
  await agent.ended;
  const before = await brokerPid();
  const task = aTask(7, 'restart');
  const { pid, process_start } = JSON.parse(await readFile(join(home, 'broker.pid'), 'utf8')) as Record<
    string,
    string
  >;
  const entries = journal(`${pid} ${process_start}`);
  const text =
    typeof entries === 'string'
      ? entries
      : JSON.stringify(entries.map((entry) => ({ deadline: task.deadline, ...entry })));
  await writeFile(join(home, 'tasks.json'), text);
  startAgent();
  await supervisor.desire({ tasks: [task] });
  expect(await supervisor.result(7)).toEqual(done);
  expect((await brokerPid()) === before).toBe(isDone);
});

test('a restart past its deadline is not begun, and a restart starts a broker that fails', async () => {
  const { supervisor, brokerPid } = await runningNode();
  const before = await brokerPid();
  const late = aTask(7, 'restart', { deadline: new Date(Date.now() - 1).toISOString() });
  await supervisor.desire({ tasks: [late, aTask(8, 'start')] });
  expect(await supervisor.result(8)).toEqual(done);
  expect(supervisor.results.map(({ id }) => id)).not.toContain(7);
  expect(await brokerPid()).toBe(before);
  // the clock is the supervisor's
  supervisor.clockAhead = -120_000;
  await supervisor.desire({ tasks: [late] });
  expect(await supervisor.result(7)).toEqual(done);
  expect(await brokerPid()).not.toBe(before);
});

test('a stopped broker stays so over an end of the agent, and comes back with what it holds', async () => {
  const { supervisor, agent, tcp, brokerPid, startAgent, connection } = await nodeWithMessages();
  const pid = await brokerPid();
  await supervisor.desire({ broker: { state: 'stopped' }, tasks: [aTask(1, 'stop')] });
  expect(await supervisor.result(1)).toEqual(done);
  expect(await identify(pid)).toBeNull();
  await connection.closed();
  agent.child.kill('SIGKILL');
  await agent.ended;
  await supervisor.goAway();
  const next = startAgent();
  await eventually(() => expect(next.messages).toContain('applied'));
  await supervisor.comeBack();
  await supervisor.hears(({ runtimes }) => runtimes[0]?.status === 'stopped');
  await supervisor.desire({ broker: { state: 'running' }, tasks: [aTask(2, 'start')] });
  expect(await supervisor.result(2)).toEqual(done);
  expect(await messagesOf(tcp)).toBe(10);
});

/** A nats-server that does not take a configuration in which `word` stands: when it is to read it, or only when it is to start. */
async function refusing(word: string, when: '-t' | 'start'): Promise<string> {
  const program = join(await testFolder(), 'nats-server');
  const refuse = when === '-t' ? 'echo "nats-server: $3:1:2: too large" >&2; exit 1' : 'exec sh -c "exit 3"';
  const reads = when === '-t' ? '[ "$1" = -t ]' : '[ "$1" = -c ]';
  const file = when === '-t' ? '$3' : '$2';
  const script = `#!/bin/sh\nif ${reads} && grep -q "${word}" "${file}"; then ${refuse}; fi\nexec ${await natsServerProgram()} "$@"\n`;
  await writeFile(program, script, { mode: 0o755 });
  return program;
}

test.each([
  ['the agent refuses', { BROKER_MESSAGE_MAX_SIZE: 'much' }, /MAX_SIZE has to be/],
  [
    'the server refuses when it reads it',
    { BROKER_MESSAGE_MAX_SIZE: '2MiB' },
    /^the configuration is refused: too large$/,
  ],
])('a configuration that %s fails with the reason, and no client notices', async (_who, values, reason) => {
  const node = await createNode();
  const { supervisor, brokerPid } = node;
  node.startAgent({ NATS_SERVER_PATH: await refusing('max_payload: 2097152', '-t') });
  const { ports } = await supervisor.heard(running);
  await supervisor.desire({ access_rules: everybody });
  const connection = await client(endpointOf(ports.broker_tcp));
  const before = await brokerPid();
  await supervisor.desire({ broker: { values }, tasks: [aTask(1, 'reconfigure')] });
  expect(await supervisor.result(1)).toEqual({
    status: 'failed',
    error: expect.stringMatching(reason) as string,
  });
  await supervisor.desire({ broker: { values: {} }, tasks: [aTask(2, 'reconfigure')] });
  expect(await supervisor.result(2)).toEqual(done);
  await supervisor.hears(running);
  expect(await brokerPid()).toBe(before);
  await connection.flush();
  expect(connection.stats().inMsgs).toBe(0);
  await connection.close();
});

test('a configuration with which the broker does not come up fails, and the former one brings it back', async () => {
  const node = await createNode();
  const { supervisor } = node;
  node.startAgent({ NATS_SERVER_PATH: await refusing('max_file_store: 1073741824', 'start') });
  const { ports } = await supervisor.heard(running);
  await supervisor.desire({ access_rules: everybody });
  const values = { BROKER_STREAM_MAX_DISK: '1GiB' };
  await supervisor.desire({ broker: { values }, tasks: [aTask(1, 'reconfigure')] });
  expect(await supervisor.result(1)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/^the broker ended \(code 3\)/) as string,
  });
  await supervisor.desire({ broker: { values: {} }, tasks: [aTask(2, 'reconfigure')] });
  expect(await supervisor.result(2)).toEqual(done);
  await (await client(endpointOf(ports.broker_tcp))).close();
});

test('what the agent does not know is refused or left alone, and the state holds all the same', async () => {
  const { supervisor } = await runningNode();
  const unknown = { ...aTask(1, 'start'), action: 'polish' } as unknown as NodeTask;
  await supervisor.desire({
    tasks: [unknown, aTask(2, 'start')],
  });
  expect(await supervisor.result(2)).toEqual(done);
  expect(supervisor.results.map(({ id }) => id)).not.toContain(1);
});

test('the connectors runtime is started, replaced and stopped like a broker', async () => {
  const { supervisor } = await runningNode();
  const instance: NonNullable<DesiredState['connectors']>['instances'][number] = {
    ...{ id: idOf<ConnectorInstanceId>(1), type: 'source', connector_key: 'random', key: 'numbers' },
    config: null,
  };
  const connectors = (state: 'running' | 'stopped') => ({ state, instances: [instance] });
  const on = { runtime: 'connectors' } as const;
  await supervisor.desire({ connectors: connectors('running'), tasks: [aTask(1, 'start', on)] });
  expect(await supervisor.result(1)).toEqual(done);
  await supervisor.desire({ tasks: [aTask(2, 'restart', on)] });
  expect(await supervisor.result(2)).toEqual(done);
  await supervisor.desire({ connectors: connectors('stopped'), tasks: [aTask(3, 'stop', on)] });
  expect(await supervisor.result(3)).toEqual(done);
  await supervisor.hears(({ connectors: told }) => told?.status === 'stopped');
});

test('what a task wants of a broker whose agent was away is done when it is back', async () => {
  const node = await createNode();
  const waiting = node.supervisor.desire({ broker: { state: 'stopped' }, tasks: [aTask(1, 'stop')] });
  node.startAgent();
  await waiting;
  expect(await node.supervisor.result(1)).toEqual(done);
});
