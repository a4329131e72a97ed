import { eventually } from '@sluice/testing';
import { client, failed, publish, readAll, removeNodes, running, runningNode, streams } from '#test/node.ts';
import { everybody } from '#test/supervisor.ts';

afterEach(removeNodes);

const small = {
  BROKER_TCP_MAX_CONNECTIONS: '1',
  BROKER_STREAM_MAX_DISK: '10MiB',
  BROKER_STREAM_MAX_MEMORY: '1MiB',
};

test('a node tells what its broker may use, and connections are limited without a restart', async () => {
  const { supervisor, tcp, brokerPid } = await runningNode({
    broker: { values: { ...small, BROKER_TCP_MAX_CONNECTIONS: '100' } },
  });
  await supervisor.desire({ access_rules: everybody });
  const { applied } = await supervisor.hears(running);
  expect(applied?.capacity).toEqual({
    connections: 100,
    file_store: 10 * 2 ** 20,
    memory_store: 2 ** 20,
    rate_limit: null,
  });
  const before = await brokerPid();
  await supervisor.desire({ broker: { values: small, rate_limit: 100_000 } });
  const told = await supervisor.hears(({ applied: now }) => now?.capacity?.connections === 1);
  expect(told.applied).toEqual({
    revision: told.applied_revision,
    capacity: { connections: 1, file_store: 10 * 2 ** 20, memory_store: 2 ** 20, rate_limit: 100_000 },
  });
  const first = await client(tcp);
  await expect(client(tcp)).rejects.toThrow(/connections exceeded|ECONNRESET/i);
  expect(await brokerPid()).toBe(before);
  await first.close();
});

test.each([
  [
    'memory that the machine does not have',
    { BROKER_STREAM_MAX_MEMORY: '1024 TiB' },
    /the machine has \d+ bytes of memory/,
  ],
  ['less room than its streams take', { BROKER_STREAM_MAX_DISK: '1KiB' }, /its streams take \d+ bytes/],
  [
    'less room than its streams have reserved',
    { BROKER_STREAM_MAX_DISK: '4 MiB' },
    /its streams take 5242880 bytes/,
  ],
])(
  '%s is refused, and the broker goes on as it was, also with another agent',
  async (_what, values, reason) => {
    const { supervisor, tcp, brokerPid, agent, startAgent } = await runningNode({
      broker: { values: { BROKER_STREAM_MAX_DISK: '10MiB' } },
    });
    await supervisor.desire({ access_rules: everybody });
    const before = await brokerPid();
    const connection = await client(tcp);
    await (
      await streams(connection)
    ).streams.add({ name: 'orders', subjects: ['orders.*'], max_bytes: 5 * 2 ** 20 });
    await publish(connection, 100);
    await supervisor.desire({ broker: { values } });
    const { runtimes } = await supervisor.hears(failed);
    expect(runtimes[0]?.reason).toMatch(reason);
    agent.child.kill('SIGKILL');
    await agent.ended;
    startAgent();
    const told = await supervisor.hears(failed);
    expect(told.runtimes[0]?.reason).toMatch(reason);
    expect(await readAll(connection)).toHaveLength(100);
    await supervisor.desire({ broker: { values: { BROKER_STREAM_MAX_DISK: '10MiB' } } });
    const { applied } = await supervisor.hears(running);
    expect(applied?.capacity).toMatchObject({ file_store: 10 * 2 ** 20 });
    await eventually(async () => expect(await brokerPid()).toBe(before));
    await connection.close();
  },
);
