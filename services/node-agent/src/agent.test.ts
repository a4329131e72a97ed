import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Heartbeat } from '@sluice/contracts';
import { identify } from '@sluice/system';
import { eventually } from '@sluice/testing';
import { client, createNode, failed, publish, readAll } from '#test/node.ts';
import { removeNodes, running, runningNode, streams } from '#test/node.ts';
import { credentials, everybody } from '#test/supervisor.ts';

afterEach(removeNodes);

test('an agent enrols, runs the broker, and a stock client publishes and reads 1,000 messages', async () => {
  const { supervisor, tcp } = await runningNode();
  await supervisor.desire({ access_rules: everybody });
  const connection = await client(tcp);
  const manager = await streams(connection);
  await manager.streams.add({ name: 'orders', subjects: ['orders.*'] });
  await manager.consumers.add('orders', { durable_name: 'billing' });
  await publish(connection, 1_000);
  expect(await readAll(connection)).toEqual(Array.from({ length: 1_000 }, (_, index) => String(index)));
  const { statistics, runtimes } = await supervisor.heard(
    (heartbeat) => heartbeat.statistics?.messages === 1_000,
  );
  expect(statistics).toEqual({
    streams: 1,
    topics: 1,
    partitions: 1,
    segments: 1,
    messages: 1_000,
    consumer_groups: 1,
    clients: 1,
  });
  expect(runtimes).toEqual([
    {
      runtime: 'broker',
      status: 'running',
      version: expect.stringMatching(/^2\.\d+\.\d+/) as string,
      reason: null,
    },
  ]);
  await connection.close();
  await supervisor.heard((heartbeat) => heartbeat.statistics?.clients === 0);
});

test('a wrong password is refused', async () => {
  const { supervisor, tcp } = await runningNode();
  await supervisor.desire({ access_rules: everybody });
  await expect(client(tcp, { pass: 'wrong' })).rejects.toThrow(/authorization/i);
});

test('without credentials nobody gets in', async () => {
  const { supervisor, tcp } = await runningNode();
  await supervisor.desire({ access_rules: everybody });
  await expect(client(tcp, { user: '', pass: '' })).rejects.toThrow(/authorization/i);
});

test.each([
  ['quotes and braces', `"'\`}{][)(,;`],
  ['dollars and backslashes', String.raw`$HOME\n\\x41\"$2a$ \ `],
  ['a comment and a line', '#//\r\n\tinclude "/etc/passwd"'],
  ['letters from everywhere', 'pässwörd 密码 🔑'],
])('a password with %s works and breaks nothing', async (_, password) => {
  const { supervisor, tcp } = await runningNode();
  await supervisor.desire({
    access_rules: everybody,
    broker: { credentials: { username: `u${password}`, password } },
  });
  const connection = await client(tcp, { user: `u${password}`, pass: password });
  await connection.close();
  await expect(client(tcp)).rejects.toThrow(/authorization/i);
});

test('when the credentials change, the old ones are refused, also for whoever is in, and the data stays', async () => {
  const { supervisor, tcp, brokerPid } = await runningNode();
  await supervisor.desire({ access_rules: everybody });
  const old = await client(tcp);
  await (await streams(old)).streams.add({ name: 'orders', subjects: ['orders.*'] });
  await publish(old, 10);
  const before = await brokerPid();
  await supervisor.desire({ broker: { credentials: { ...credentials, password: 'changed' } } });
  await old.closed();
  await expect(client(tcp)).rejects.toThrow(/authorization/i);
  const changed = await client(tcp, { pass: 'changed' });
  expect(await readAll(changed)).toHaveLength(10);
  expect(await brokerPid()).toBe(before);
  await changed.close();
});

test('a value that needs a restart takes effect, and the data stays', async () => {
  const { supervisor, tcp, brokerPid } = await runningNode();
  await supervisor.desire({ access_rules: everybody });
  const before = await brokerPid();
  const connection = await client(tcp);
  await (await streams(connection)).streams.add({ name: 'orders', subjects: ['orders.*'] });
  await publish(connection, 10);
  await supervisor.desire({ broker: { values: { BROKER_STREAM_MAX_DISK: '10 MiB' } } });
  await supervisor.hears(running);
  expect(await brokerPid()).not.toBe(before);
  const again = await client(tcp);
  expect(await readAll(again)).toHaveLength(10);
  const manager = await streams(again);
  await expect(
    manager.streams.add({ name: 'big', subjects: ['big'], max_bytes: 20 * 2 ** 20 }),
  ).rejects.toThrow(/storage/);
  await again.close();
});

test('values that can change while the broker runs do so, for clients that are connected', async () => {
  const { supervisor, tcp, brokerPid } = await runningNode();
  await supervisor.desire({ access_rules: everybody });
  const before = await brokerPid();
  const connection = await client(tcp);
  const manager = await streams(connection);
  await manager.streams.add({ name: 'orders', subjects: ['orders.*'] });
  await supervisor.desire({
    broker: {
      values: {
        BROKER_MESSAGE_MAX_SIZE: '2KiB',
        BROKER_STREAM_MAX_STREAMS: '1',
        BROKER_STREAM_MAX_CONSUMERS: '1',
        BROKER_FROM_THE_FUTURE: '1',
      },
    },
  });
  expect(await brokerPid()).toBe(before);
  const next = await client(tcp);
  expect(next.info?.max_payload).toBe(2_048);
  await next.close();
  await expect(manager.streams.add({ name: 'more', subjects: ['more'] })).rejects.toThrow(/maximum.*streams/);
  await manager.consumers.add('orders', { durable_name: 'a' });
  await expect(manager.consumers.add('orders', { durable_name: 'b' })).rejects.toThrow(/maximum consumers/);
  // the server says why and closes: whoever is still writing hears of that first
  connection.publish('other', new Uint8Array(2_049));
  await expect(connection.closed()).resolves.toBeInstanceOf(Error);
});

test('a value that is wrong is reported, and the broker goes on as it was', async () => {
  const { supervisor, tcp } = await runningNode();
  await supervisor.desire({ access_rules: everybody });
  await supervisor.desire({ broker: { values: { BROKER_MESSAGE_MAX_SIZE: 'much"; include x' } } });
  const { runtimes } = await supervisor.heard(failed);
  expect(runtimes[0]?.reason).toMatch(/BROKER_MESSAGE_MAX_SIZE has to be/);
  await (await client(tcp)).close();
  await supervisor.desire({ broker: { values: {} } });
  await supervisor.hears(running);
});

test('a broker that is wanted stopped is stopped, and comes back with its data', async () => {
  const { supervisor, tcp, brokerPid } = await runningNode();
  await supervisor.desire({ access_rules: everybody });
  const connection = await client(tcp);
  await (await streams(connection)).streams.add({ name: 'orders', subjects: ['orders.*'] });
  await publish(connection, 10);
  const pid = await brokerPid();
  await supervisor.desire({ broker: { state: 'stopped' } });
  const { statistics } = await supervisor.hears(({ runtimes }) => runtimes[0]?.status === 'stopped');
  expect(statistics).toBeNull();
  expect(await identify(pid)).toBeNull();
  await connection.closed();
  await supervisor.desire({ broker: { state: 'running' } });
  await supervisor.hears(running);
  const again = await client(tcp);
  expect(await readAll(again)).toHaveLength(10);
  await again.close();
});

test('the agent keeps its secrets to itself: files for its user only, the token gone, nothing in the log', async () => {
  const { home, agent, supervisor } = await runningNode();
  const names = await readdir(home);
  expect(names).toEqual(
    expect.arrayContaining(['identity.json', 'desired-state.json', 'broker.conf', 'agent.pid']),
  );
  expect(names).not.toContain('enrolment-token');
  for (const name of ['identity.json', 'desired-state.json', 'broker.conf', 'broker.pid', 'broker.log']) {
    expect([name, (await stat(join(home, name))).mode & 0o777]).toEqual([name, 0o600]);
  }
  const key: unknown = JSON.parse(await readFile(join(home, 'identity.json'), 'utf8'));
  expect(key).toMatchObject({ enrolled_as: { node_id: 11, deployment_id: 7 } });
  expect(agent.messages.join('\n')).not.toContain(supervisor.token);
  expect(agent.messages.join('\n')).not.toContain(credentials.password);
});

test('a token that was used with another key is refused, and the agent keeps trying', async () => {
  const first = await runningNode();
  first.agent.child.kill('SIGTERM');
  await first.agent.ended;
  const second = await createNode();
  await writeFile(join(second.home, 'enrolment-token'), first.supervisor.token);
  const thief = second.startAgent({ AGENT_SUPERVISOR_URL: first.supervisor.url });
  await eventually(() => expect(first.supervisor.refusals).toContain('/agent/v1/enrol 401'));
  await eventually(() => expect(thief.messages).toContain('no answer from the supervisor'));
  expect(thief.child.exitCode).toBeNull();
});

test('an agent that is killed before it could keep the answer enrols again with the same key', async () => {
  const { home, supervisor, agent, startAgent } = await runningNode();
  agent.child.kill('SIGKILL');
  await agent.ended;
  const path = join(home, 'identity.json');
  const identity = JSON.parse(await readFile(path, 'utf8')) as object;
  await writeFile(path, JSON.stringify({ ...identity, enrolled_as: null }));
  await writeFile(join(home, 'enrolment-token'), supervisor.token);
  const second = startAgent();
  await eventually(() => expect(second.messages).toContain('enrolled'));
  await supervisor.hears(running);
  expect(supervisor.refusals).toEqual([]);
});

test.each(['http://supervisor.example', 'http://10.0.0.7:7602', 'http://127.0.0.1.example'])(
  'an agent says nothing without TLS to another machine: %s',
  async (AGENT_SUPERVISOR_URL) => {
    const node = await createNode();
    const { code, errors } = await node.startAgent({ AGENT_SUPERVISOR_URL }).ended;
    expect(code).toBe(2);
    expect(errors).toContain('AGENT_SUPERVISOR_URL: has to be an https address');
  },
);

test('all that is wrong with the environment is told at once', async () => {
  const node = await createNode();
  const { ended } = node.startAgent({
    AGENT_HOME: 'here',
    AGENT_SUPERVISOR_URL: 'ftp://secret@x',
    LOG_LEVEL: 'all',
  });
  const { code, errors } = await ended;
  expect(code).toBe(2);
  expect(errors).toMatch(/AGENT_HOME: .*absolute[^]*AGENT_SUPERVISOR_URL: [^]*LOG_LEVEL: has to be one of/);
  expect(errors).not.toContain('secret');
});

test('a broker that is stopped for a moment runs again by itself, one that is not stays stopped', async () => {
  const { supervisor, brokerPid } = await runningNode();
  const stop = (stopped_until: string | null) =>
    supervisor.desire({ broker: { state: 'stopped', stopped_until } });
  const stopped = ({ runtimes }: Heartbeat) => runtimes[0]?.status === 'stopped';
  const before = await brokerPid();
  await stop(new Date(Date.now() + 4_000).toISOString());
  await supervisor.heard(stopped);
  const { applied_revision } = await supervisor.heard(running);
  expect(await brokerPid()).not.toBe(before);
  await stop(null);
  await supervisor.heard((heartbeat) => stopped(heartbeat) && heartbeat.applied_revision > applied_revision);
});
