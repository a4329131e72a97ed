import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  idOf,
  type ConnectorInstanceId,
  type DesiredState,
  type Heartbeat,
  type Sample,
} from '@sluice/contracts';
import { eventually } from '@sluice/testing';
import { testAuthority } from '#test/certificates.ts';
import { client, removeNodes, runningNode, streams } from '#test/node.ts';
import { credentials, everybody } from '#test/supervisor.ts';

afterEach(removeNodes);

type Connectors = NonNullable<DesiredState['connectors']>;
type Wanted = Connectors['instances'][number];

const source = (plugin_config: Record<string, unknown>, more: Record<string, unknown> = {}): Wanted => ({
  id: idOf<ConnectorInstanceId>(1),
  ...{ type: 'source', connector_key: 'random', key: 'numbers' },
  config: {
    ...{ id: 11, version: 1 },
    values: { streams: [{ stream: 'numbers', topics: ['numbers.new'] }], plugin_config, ...more },
  },
});
const sink: Wanted = {
  id: idOf<ConnectorInstanceId>(2),
  ...{ type: 'sink', connector_key: 'stdout', key: 'log' },
  config: { id: 12, version: 3, values: { streams: [{ stream: 'numbers', poll_interval: '20ms' }] } },
};
const connectors = (...instances: Wanted[]): Connectors => ({ state: 'running', instances });
const instanceIn = ({ connectors: told }: Heartbeat, { id }: Wanted) =>
  told?.instances.find((instance) => instance.id === id);
const isAt = (wanted: Wanted, status: string) => (heartbeat: Heartbeat) =>
  instanceIn(heartbeat, wanted)?.status === status;

/** A node with a source of `limit` numbers and a sink that logs them. */
async function nodeWithConnectors(limit: number) {
  const node = await runningNode();
  const wanted = [source({ interval: '10ms', batch: 10, limit }), sink];
  await node.supervisor.desire({ access_rules: everybody, connectors: connectors(...wanted) });
  await node.supervisor.heard(isAt(sink, 'Running'));
  return node;
}

/** The numbers in the stream, in order. */
async function numbers(tcp: string): Promise<number[]> {
  const connection = await client(tcp);
  try {
    const manager = await streams(connection);
    const { state } = await manager.streams.info('numbers');
    const found = [];
    for (let seq = state.first_seq; seq <= state.last_seq; seq++)
      found.push(
        (await manager.streams.getMessage('numbers', { seq }))?.json<{ number: number }>().number ?? 0,
      );
    return found;
  } finally {
    await connection.close();
  }
}
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const consumedBySink = (count: number) => (heartbeat: Heartbeat) =>
  (instanceIn(heartbeat, sink)?.metrics.messages_sent ?? 0) >= count;

test('a node tells which connectors it can run, and runs a process for them only while there are instances', async () => {
  const { supervisor, connectorsPids, home } = await runningNode();
  const { connectors: told } = await supervisor.heard(({ connectors: is }) => is !== undefined);
  expect(told).toMatchObject({ status: 'stopped', instances: [] });
  expect(told?.plugins).toEqual(
    expect.arrayContaining([
      { type: 'sink', key: 'stdout' },
      { type: 'source', key: 'random' },
    ]),
  );
  expect(await connectorsPids()).toEqual([]);

  await supervisor.desire({ connectors: connectors({ ...sink, config: null }) });
  const { connectors: idle } = await supervisor.heard(isAt(sink, 'Stopped'));
  expect(idle).toMatchObject({
    status: 'running',
    instances: [{ reason: 'it has no configuration', config_id: null }],
  });
  expect(await connectorsPids()).toHaveLength(1);

  await supervisor.desire({ connectors: { ...connectors(sink), state: 'stopped' } });
  await supervisor.heard(({ connectors: is }) => is?.status === 'stopped');
  await eventually(async () => expect(await connectorsPids()).toEqual([]));

  // one that is stopped keeps its files, one that is gone does not
  const files = join(home, 'connectors/instances/2/files');
  await mkdir(files, { recursive: true });
  await supervisor.desire({ connectors: { ...connectors(sink), state: 'stopped' } });
  await supervisor.heard(({ connectors: is }) => is?.status === 'stopped');
  expect(await readdir(files)).toEqual([]);
  await supervisor.desire({ connectors: connectors() });
  await eventually(async () => expect(await readdir(join(home, 'connectors'))).not.toContain('instances'));
});

test('instances work with a login of their own, which no client is counted for and no new password ends', async () => {
  const { supervisor, tcp, connectorsPids, brokerPid } = await nodeWithConnectors(50);
  await supervisor.heard(consumedBySink(50));
  expect(await numbers(tcp)).toEqual(upTo(50));
  const [before, broker] = [await connectorsPids(), await brokerPid()];
  await supervisor.desire({ broker: { credentials: { ...credentials, password: 'changed' } } });
  await expect(client(tcp)).rejects.toThrow(/authorization/i);
  await supervisor.desire({
    broker: { credentials },
    connectors: connectors(source({ interval: '10ms', batch: 10, limit: 80 }), sink),
  });
  const heard = await supervisor.heard(consumedBySink(80));
  expect(heard.statistics?.clients).toBe(0);
  expect([await connectorsPids(), await brokerPid()]).toEqual([before, broker]);

  await supervisor.desire({ telemetry: { metrics_seconds: 0.5, send_seconds: 0.5 } });
  const isOfRuntime = ({ runtime, connector_instance_id: of, metrics }: Sample) =>
    runtime === 'connectors' && of === undefined && metrics['running_sinks'] === 1;
  const measured = () => supervisor.batches.flatMap(({ samples }) => samples).find(isOfRuntime);
  await supervisor.told(() => measured() !== undefined);
  expect(measured()?.metrics).toMatchObject({
    ...{ instances: 2, running_sources: 1, cpu_percent: expect.any(Number) as number },
  });
  expect(measured()?.metrics['memory_bytes']).toBeGreaterThan(1e6);
});

test('they work where clients come by TLS alone, and where they come without it beside a certificate', async () => {
  const { issue } = await testAuthority();
  const { supervisor } = await runningNode({ broker: { tls: await issue() } });
  await supervisor.desire({
    connectors: connectors(source({ interval: '10ms', batch: 10, limit: 30 }), sink),
  });
  await supervisor.heard(consumedBySink(30));
  await supervisor.desire({
    broker: { values: { BROKER_TCP_TLS: 'off' } },
    connectors: connectors(source({ interval: '10ms', batch: 10, limit: 60 }), sink),
  });
  await supervisor.heard(consumedBySink(60));
});

test('runtime, broker and agent killed at any time: nothing is lost, and what came once comes once', async () => {
  const { supervisor, tcp, agent, startAgent, connectorsPids, brokerPid } = await nodeWithConnectors(600);
  await supervisor.heard(consumedBySink(20));
  const kill = async (pids: readonly number[]) => pids.forEach((pid) => process.kill(pid, 'SIGKILL'));
  await kill(await connectorsPids());
  // it counts anew
  await supervisor.hears((heartbeat) => isAt(sink, 'Running')(heartbeat) && !consumedBySink(20)(heartbeat));
  await kill([await brokerPid()]);
  await supervisor.hears(isAt(source({}), 'Running'));
  agent.child.kill('SIGKILL');
  await agent.ended;
  const [left] = await connectorsPids();
  startAgent();
  await supervisor.hears(isAt(source({}), 'Running'));
  expect(await connectorsPids()).toEqual([left]);
  await eventually(async () => expect(await numbers(tcp)).toEqual(upTo(600)), {
    timeoutMs: 30_000,
    everyMs: 500,
  });
}, 90_000);

test('a configuration that cannot work is told with its reason and does not keep the others from working', async () => {
  const { supervisor } = await nodeWithConnectors(1_000);
  const wrong = source({ interval: 'often' });
  await supervisor.desire({
    connectors: connectors({ ...wrong, id: idOf<ConnectorInstanceId>(3), key: 'wrong' }, sink),
  });
  const heard = await supervisor.heard(isAt({ ...wrong, id: idOf<ConnectorInstanceId>(3) }, 'Error'));
  expect(heard.connectors?.instances.find(({ id }) => id === 3)?.reason).toContain(
    'plugin_config.interval has to be',
  );
  expect(instanceIn(heard, sink)).toMatchObject({ status: 'Running', config_id: 12, config_version: 3 });
  // the source that is not wanted any more is gone
  expect(instanceIn(heard, source({}))).toBeUndefined();
});

test('a runtime that cannot start is told with the reason', async () => {
  const { supervisor, home } = await runningNode();
  // where its sockets would be
  await rm(`${home}/connectors`, { recursive: true, force: true });
  await writeFile(`${home}/connectors`, '');
  await supervisor.desire({ connectors: connectors(sink) });
  const { connectors: told } = await supervisor.heard(({ connectors: is }) => is?.status === 'failed');
  expect(told?.reason).toMatch(/ENOTDIR/);
});
