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
  // the server says why and closes: whoever is still writing hears of that first
  await expect(client(tcp)).rejects.toThrow(/connections exceeded|ECONNRESET|EPIPE/i);
  expect(await brokerPid()).toBe(before);
  await first.close();
  const next = await eventually(() => client(tcp));
  await next.close();
});

test('what a node cannot take is refused with the reason, and the broker goes on as it was, also with another agent', async () => {
  const values = { BROKER_STREAM_MAX_DISK: '10MiB' };
  const { supervisor, tcp, brokerPid, agent, startAgent } = await runningNode({ broker: { values } });
  await supervisor.desire({ access_rules: everybody });
  const before = await brokerPid();
  const connection = await client(tcp);
  const max_bytes = 5 * 2 ** 20;
  await (await streams(connection)).streams.add({ name: 'orders', subjects: ['orders.*'], max_bytes });
  await publish(connection, 100);
  const refusal = async (changes: Record<string, string>) => {
    await supervisor.desire({ broker: { values: { ...values, ...changes } } });
    return (await supervisor.hears(failed)).runtimes[0]?.reason;
  };
  expect(await refusal({ BROKER_STREAM_MAX_MEMORY: '512TiB' })).toMatch(
    /the machine has \d+ bytes of memory/,
  );
  // what is reserved for the stream counts
  expect(await refusal({ BROKER_STREAM_MAX_DISK: '4MiB' })).toMatch(/its streams take 5242880 bytes/);
  await (await streams(connection)).streams.update('orders', { max_bytes: -1 });
  expect(await refusal({ BROKER_STREAM_MAX_DISK: '1KiB' })).toMatch(/its streams take \d{4} bytes/);

  agent.child.kill('SIGKILL');
  await agent.ended;
  startAgent();
  expect((await supervisor.hears(failed)).runtimes[0]?.reason).toMatch(/its streams take/);
  expect(await readAll(connection)).toHaveLength(100);
  await supervisor.desire({ broker: { values } });
  const { applied } = await supervisor.hears(running);
  expect(applied?.capacity).toMatchObject({ file_store: 10 * 2 ** 20 });
  expect(await brokerPid()).toBe(before);
  await connection.close();
});
