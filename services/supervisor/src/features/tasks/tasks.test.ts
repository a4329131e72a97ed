import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import {
  idOf,
  type ActivatedConnector,
  type ConnectorInstanceId,
  type DeploymentSpec,
  type Event,
} from '@sluice/contracts';
import { aDeployment, eventually, freePort } from '@sluice/testing';
import { call, connectTo, untilGone, untilStatus, type Deployment } from '#test/client.ts';
import { messagesAbout } from '#test/messages.ts';
import { supervisor, type ReplicaProcess } from '#test/region.ts';
import type { components } from '../../generated/api.ts';

type Task = components['schemas']['Task'];
type Activity = components['schemas']['Activity'];

describe('tasks and activities', () => {
  const region = supervisor();
  let port: number;
  let replica: ReplicaProcess;
  let url: string;
  let key: string;
  let shape: DeploymentSpec;
  let node: number;
  let deployment: Deployment;

  beforeAll(async () => {
    port = await freePort();
    replica = await region.spawn(port);
    ({ url } = replica);
    key = await region.key();
    shape = aDeployment({ tier: 'free' });
    node = shape.nodes[0]!.id;
    await region.apply(shape);
    deployment = await untilStatus(url, key, shape.id, 'initialized');
  }, 60_000);
  afterEach(async () => {
    await agent('SIGCONT');
    await region.sql(
      "UPDATE deployments SET deleted_by = NULL, status = 'initialized' WHERE status <> 'stopped'",
    );
    await eventually(async () => expect((await tasks()).filter(isOpen)).toEqual([]));
    if ((await live()).status === 'stopped') await act('broker/start');
    deployment = await untilStatus(url, key, shape.id, 'initialized');
  });

  const at = (path: string) => `${url}/deployments/${shape.id}/${path}`;
  const act = async (runtimeAndAction: string, body?: unknown) =>
    await call(at(`activities/${runtimeAndAction}`), key, { method: 'POST', body });
  const tasks = async () => (await call(at('tasks'), key)).body as Task[];
  const isOpen = ({ finished_at }: Task) => finished_at === null;
  const live = async () => (await call(`${url}/deployments/${shape.id}`, key)).body as Deployment;
  const brokers = async () => (await region.processesOf(node)).brokers;
  const brokerPid = async () =>
    (
      JSON.parse(await readFile(join(region.nodesFolder, String(node), 'broker.pid'), 'utf8')) as {
        pid: number;
      }
    ).pid;
  const agent = async (signal: NodeJS.Signals) => process.kill(await region.agentOf(node), signal);
  const countEvents = async (type: string) =>
    (await messagesAbout<Event>(region, 'events', shape.id)).filter((event) => event.type === type).length;

  /** Waits until the newest task has ended. */
  const untilEnded = () =>
    eventually(async () => {
      const [newest] = await tasks();
      expect(newest?.finished_at).toEqual(expect.any(String));
      return newest!;
    });
  /** All that is open has had its time, and somebody has listened meanwhile. */
  const passDeadlines = async () => {
    await region.sql("UPDATE silence_looks SET watched_since = now() - interval '1 h'");
    await region.sql("UPDATE tasks SET deadline = now() - interval '1 s' WHERE finished_at IS NULL");
  };

  test('stop and start brokers, which is a status with an event that survives agent and supervisor', async () => {
    const stopped = await act('broker/stop');
    expect(stopped).toMatchObject({
      status: 202,
      body: [
        {
          ...{ tenant_id: shape.tenant_id, division_id: shape.division.id, deployment_id: shape.id },
          ...{ environment_id: shape.environment.id, runtime: 'broker', action: 'stop', node_id: node },
          ...{ status: 'processing', reason: null, finished_at: null },
        },
      ],
    });
    expect((await untilStatus(url, key, shape.id, 'stopped')).status_reason).toBeNull();
    expect(await brokers()).toBe(0);
    expect(await untilEnded()).toMatchObject({ type: 'broker:stop', status: 'completed', error: null });

    await replica.kill();
    await agent('SIGKILL');
    replica = await region.spawn(port);
    await eventually(async () => expect((await region.processesOf(node)).agents).toBe(1));
    const revision = await region.sql<{ revision: number }>('SELECT revision FROM deployments');
    await call(at('access_rules'), key, {
      method: 'POST',
      body: {
        ...{ name: 'later', cidr_blocks: ['127.0.0.0/8'] },
        rules: { broker_tcp: true, broker_http: false, broker_udp: false, broker_websocket: false },
      },
    });
    await eventually(async () => {
      const [applied] = await region.sql<{ applied: number }>(
        'SELECT applied_revision AS applied FROM nodes',
      );
      expect(applied!.applied).toBeGreaterThan(revision[0]!.revision);
    });
    expect([(await live()).status, await brokers()]).toEqual(['stopped', 0]);

    await act('broker/start');
    deployment = await untilStatus(url, key, shape.id, 'initialized');
    await (await connectTo(url, key, deployment)).close();
    await untilEnded();
    await eventually(async () => expect(await countEvents('deployment_started')).toBe(1));
    expect(await countEvents('deployment_stopped')).toBe(1);
    expect(await countEvents('activity_created')).toBe(2);
    expect(await countEvents('deployment_initialized')).toBe(1);
  });

  test('restart the brokers of the nodes that are named, once', async () => {
    const before = await brokerPid();
    const { body } = await act('broker/restart', { nodes: [node] });
    const [{ id }] = body as [Activity];
    expect(await untilEnded()).toMatchObject({
      id,
      type: 'broker:restart',
      node_id: node,
      status: 'completed',
    });
    const after = await brokerPid();
    expect(after).not.toBe(before);
    const answer = await call(at(`tasks/${id}`), key);
    expect(answer).toMatchObject({ status: 200, body: { id, status: 'completed' } });
    await act('broker/start', {});
    await untilEnded();
    expect(await brokerPid()).toBe(after);
  });

  test('answer a repeated request with the same task', async () => {
    const send = () =>
      fetch(at('activities/broker/start'), {
        method: 'POST',
        headers: { 'svc-api-key': key, 'idempotency-key': 'once' },
      });
    const [first, second] = [await (await send()).text(), await (await send()).text()];
    expect(second).toBe(first);
  });

  test.each<[string, string, unknown, number, string]>([
    ['a node of another deployment', 'broker/stop', { nodes: [1] }, 400, '/body/nodes/0 unknown'],
    ['no node', 'broker/stop', { nodes: [] }, 400, '/body/nodes too_few'],
    ['a node twice', 'broker/stop', { nodes: [1, 1] }, 400, '/body/nodes duplicate'],
    ['another runtime', 'gateway/stop', undefined, 400, '/path/runtime not_allowed'],
    ['another action', 'broker/kill', undefined, 400, '/path/action wrong_format'],
    ['a configuration without its id', 'broker/reconfigure', undefined, 400, '/path/action wrong_format'],
    ['a configuration that is not there', 'broker/reconfigure:17', undefined, 404, 'not_found'],
    ['connectors where there are none', 'connectors/stop', undefined, 409, 'state_conflict'],
  ])('refuse %s', async (_what, action, body, status, code) => {
    const answer = await act(action, body);
    const { field_issues: [issue] = [], code: refusal } = answer.body as {
      code: string;
      field_issues?: { path: string; code: string }[];
    };
    expect([answer.status, issue ? `${issue.path} ${issue.code}` : refusal]).toEqual([status, code]);
  });

  test('refuse tasks of other types, and a configuration where none is active', async () => {
    const submit = (type: string) => call(at('tasks'), key, { method: 'POST', body: { type } });
    expect(await submit('broker:restart')).toMatchObject({ status: 400 });
    expect(await submit('broker:reconfigure')).toMatchObject({
      status: 409,
      body: { code: 'state_conflict' },
    });
    expect((await call(at('tasks/999999'), key)).status).toBe(404);
  });

  test.each(['deploying_nodes', 'upgrading', 'failed'])(
    'are refused while the deployment is %s',
    async (status) => {
      await region.sql(
        "UPDATE reconciliations SET leased_until = now() + interval '1 min', leased_by = 'nobody', fence = fence + 1",
      );
      await region.sql('UPDATE deployments SET status = $1', [status]);
      expect(await act('broker/stop')).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
      await region.sql("UPDATE deployments SET status = 'initialized'");
      await region.sql('UPDATE reconciliations SET leased_until = now(), due_at = now()');
    },
  );

  test('wait for their turn, up to twenty on a node, and are done in order when its agent is back', async () => {
    await agent('SIGSTOP');
    const answers = await Promise.all(Array.from({ length: 23 }, () => act('broker/start')));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(20);
    expect(answers.find(({ status }) => status !== 202)).toMatchObject({
      status: 409,
      body: { code: 'limit_reached', limit: { name: 'open_tasks_per_node', value: 20 } },
    });
    const queued = (await tasks()).slice(0, 20).map(({ status }) => status);
    expect(queued).toEqual([...Array<string>(19).fill('queued'), 'running']);
    await agent('SIGCONT');
    await untilEnded();
    const ends = (await tasks()).slice(0, 20);
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['completed']));
    const finished = ends.map(({ finished_at }) => finished_at!);
    expect(finished).toEqual([...finished].sort().reverse());
  });

  test('fail when their node stays away past the deadline, and nothing of them stays', async () => {
    await agent('SIGSTOP');
    await act('broker/stop');
    await act('broker/restart');
    await passDeadlines();
    await untilEnded();
    expect((await tasks()).slice(0, 2)).toMatchObject([
      { status: 'failed', error: 'its turn did not come in time', started_at: null },
      { status: 'failed', error: 'the node stayed away until the deadline' },
    ]);
    await agent('SIGCONT');
    await act('broker/start');
    expect(await untilEnded()).toMatchObject({ status: 'completed' });
    expect([(await live()).status, await brokers()]).toEqual(['initialized', 1]);
    const { items } = (await call(at('activities?results=2&page=2'), key)).body as { items: Activity[] };
    expect(items).toMatchObject([
      { action: 'stop', status: 'rejected', reason: 'the node stayed away until the deadline' },
      {},
    ]);
  });

  test('fail at the deadline when their node reports a running broker and no result', async () => {
    await agent('SIGSTOP');
    const report = () =>
      region.sql('UPDATE nodes SET applied_revision = (SELECT revision FROM deployments), runtimes = $1', [
        JSON.stringify([{ runtime: 'broker', status: 'running', version: '2.10', reason: null }]),
      ]);
    // a heartbeat that was under way when the agent was frozen may come after the report, at the first attempt
    await eventually(async () => {
      await act('broker/restart');
      await eventually(async () => expect((await tasks())[0]).toMatchObject({ status: 'running' }));
      await report();
      await passDeadlines();
      expect(await untilEnded()).toMatchObject({
        status: 'failed',
        error: 'the node did not do it in time; its broker is running',
      });
    });
  });

  test('an upgrade waits for a deployment that is stopped to be started', async () => {
    await act('broker/stop');
    await untilStatus(url, key, shape.id, 'stopped');
    await region.upgrade(shape, { ...shape.limits, broker_connections: 7 });
    await eventually(async () =>
      expect(await region.sql('SELECT state FROM deployment_upgrades')).toEqual([{ state: 'pending' }]),
    );
    await act('broker/start');
    await eventually(async () =>
      expect(await region.sql('SELECT state FROM deployment_upgrades')).toEqual([{ state: 'completed' }]),
    );
    await untilStatus(url, key, shape.id, 'initialized');
  });

  test('put the primary configuration in force, which clients see, and the former one again when a node rejects it', async () => {
    const store = async (size: string) => {
      const values = { BROKER_MESSAGE_MAX_SIZE: size };
      const body = { values, activate: true };
      const answer = await call(at('configs/broker'), key, { method: 'POST', body });
      expect(answer.status).toBe(201);
      return (answer.body as { id: number }).id;
    };
    const largest = async () => {
      const connection = await connectTo(url, key, deployment);
      const { max_payload } = connection.info!;
      await connection.close();
      return max_payload;
    };
    const inForce = async () => {
      const { body } = await call(at('configs/broker'), key);
      return (body as { id: number; in_force: boolean }[]).flatMap(({ id, in_force }) =>
        in_force ? [id] : [],
      );
    };

    const first = await store('2KiB');
    const submitted = await call(at('tasks'), key, { method: 'POST', body: { type: 'broker:reconfigure' } });
    const task = submitted.body as Task;
    expect(submitted).toMatchObject({ status: 202, body: { type: 'broker:reconfigure', node_id: node } });
    expect(submitted.headers.get('svc-task')).toBe(String(task.id));
    expect(submitted.headers.get('location')).toBe(`/deployments/${shape.id}/tasks/${task.id}`);
    expect(await untilEnded()).toMatchObject({ id: task.id, status: 'completed' });
    expect([await largest(), await inForce()]).toEqual([2_048, [first]]);
    expect((await live()).configs).toMatchObject([{ config_id: first }]);

    const second = await store('4KiB');
    expect(await act(`broker/reconfigure:${second}`, { nodes: [node] })).toMatchObject({
      status: 202,
      body: [{ action: `reconfigure:${second}` }],
    });
    await untilEnded();
    expect([await largest(), await inForce()]).toEqual([4_096, [second]]);

    await agent('SIGSTOP');
    expect(await act(`broker/reconfigure:${first}`)).toMatchObject({ status: 202 });
    expect(await inForce()).toEqual([first]);
    // the node is told of it, and runs by the one before
    expect((await live()).configs).toMatchObject([{ config_id: second }]);
    await passDeadlines();
    expect(await untilEnded()).toMatchObject({
      status: 'failed',
      error: 'the node stayed away until the deadline',
    });
    expect(await inForce()).toEqual([second]);
    expect(await countEvents('config_rejected')).toBe(1);
    await agent('SIGCONT');
    await act('broker/start');
    await untilEnded();
    expect(await largest()).toBe(4_096);
    expect(await act(`connectors/reconfigure:${second}`)).toMatchObject({ status: 400 });
  });

  test('the activation of a connector is one of each node, and its instance is as the runtime is', async () => {
    const id = idOf<ConnectorInstanceId>(4_711);
    const { uid } = shape;
    const instance: ActivatedConnector = {
      ...{ id, connector_type: 'sink', connector_key: 'stdout', name: 'Log', key: 'log' },
      created_at: new Date().toISOString(),
    };
    const runtime = async () =>
      (await live()).nodes[0]!.runtimes.find(({ runtime: name }) => name === 'connectors');
    const { agent_version } = (await live()).nodes[0]!;
    await eventually(async () =>
      expect(await runtime()).toEqual({ runtime: 'connectors', status: 'stopped', version: agent_version }),
    );
    await agent('SIGSTOP');
    await region.activate({ deployment_id: shape.id, uid, instance });
    const status = async () => {
      const { body } = await call(at('connectors/instances'), key);
      return (body as { status: string }[]).map((one) => one.status);
    };
    const activation = { type: 'connectors:reconfigure', node_id: node, author_id: 5 };
    await eventually(async () =>
      expect((await tasks())[0]).toMatchObject({ ...activation, finished_at: null }),
    );
    expect(await status()).toEqual(['pending']);
    await agent('SIGCONT');
    expect(await untilEnded()).toMatchObject({ ...activation, status: 'completed', error: null });
    await eventually(async () => expect(await status()).toEqual(['active']));
    expect(await runtime()).toMatchObject({ status: 'running' });

    expect((await act('connectors/stop')).status).toBe(202);
    await eventually(async () => expect(await status()).toEqual(['inactive']));
    expect((await act('connectors/start')).status).toBe(202);
    await eventually(async () => expect(await status()).toEqual(['active']));
    const submitted = await call(at('tasks'), key, {
      method: 'POST',
      body: { type: 'connectors:reconfigure' },
    });
    expect(submitted).toMatchObject({ status: 202, body: { runtime: 'connectors' } });
    expect(await untilEnded()).toMatchObject({ type: 'connectors:reconfigure', status: 'completed' });
    // the same activation again is no second task
    const before = (await tasks()).length;
    await region.activate({ deployment_id: shape.id, uid, instance });
    const another = { ...instance, id: idOf<ConnectorInstanceId>(4_712), key: 'another' };
    await region.activate({ deployment_id: shape.id, uid, instance: another });
    await eventually(async () => expect(await status()).toEqual(['active', 'active']));
    expect(await tasks()).toHaveLength(before + 1);
    for (const one of [instance, another])
      expect((await call(at(`connectors/instances/${one.id}`), key, { method: 'DELETE' })).status).toBe(204);
  });

  test('a configuration that a broker rejects is told of with the reason, and what nodes go back to stays until then', async () => {
    const store = async (values: Record<string, string>) => {
      const body = { values, activate: true };
      const answer = await call(at('configs/broker'), key, { method: 'POST', body });
      expect(answer.status).toBe(201);
      return answer.body as { id: number; version: number };
    };
    const remove = (id: number) => call(at(`configs/broker/${id}`), key, { method: 'DELETE' });
    const connection = await connectTo(url, key, deployment);
    await (
      await jetstreamManager(connection)
    ).streams.add({ name: 'large', subjects: ['large'], max_bytes: 2 ** 20 });
    await connection.close();
    const former = await store({ BROKER_MESSAGE_MAX_SIZE: '8KiB' });
    await act(`broker/reconfigure:${former.id}`);
    expect(await untilEnded()).toMatchObject({ status: 'completed' });
    const { id, version } = await store({ BROKER_STREAM_MAX_DISK: '64KiB' });

    await agent('SIGSTOP');
    await act(`broker/reconfigure:${id}`);
    expect(await remove(former.id)).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
    await agent('SIGCONT');
    const { status, error } = await untilEnded();
    expect([status, error]).toEqual(['failed', expect.stringContaining('its streams take')]);
    const about = await eventually(async () => {
      const events = await messagesAbout<Event>(region, 'events', shape.id);
      const told = events.filter(
        ({ type, data }) => type === 'config_rejected' && (data as { config_id: number }).config_id === id,
      );
      expect(told).toHaveLength(1);
      return { told: told[0], asked: events.filter(({ type }) => type === 'activity_created').at(-1) };
    });
    expect(about.told).toMatchObject({
      data: { config_id: id, kind: 'broker', name: 'broker', version, reason: error },
      author: null,
      correlation_id: about.asked?.correlation_id,
    });
    expect(await region.sql('SELECT config_id FROM configs_applied')).toEqual([{ config_id: former.id }]);
    // the deployment shows what nodes run by; the versions keep what they have refused, and why
    const shown = async () => (await call(`${url}/deployments/${shape.id}`, key)).body as Deployment;
    expect((await shown()).configs).toMatchObject([{ config_id: former.id, version: former.version }]);
    const versions = await call(at('configs/broker/broker/versions'), key);
    expect((versions.body as object[]).slice(0, 2)).toMatchObject([
      { id, primary: true, in_force: false, rejection: { reason: error } },
      { id: former.id, in_force: true, rejection: null },
    ]);
    await agent('SIGSTOP');
    await act(`broker/reconfigure:${id}`);
    const again = await call(at(`configs/broker/${id}`), key);
    expect(again.body).toMatchObject({ in_force: true, rejection: null });
    await agent('SIGCONT');
    await untilEnded();
  });

  test('are listed, the 100 newest, and kept, the 1,000 newest', async () => {
    await region.sql(
      `INSERT INTO tasks (deployment_id, node_id, submission, runtime, action, status, created_by, deadline, finished_at)
       SELECT $1, $2, gen_random_uuid(), 'broker', 'start', 'completed', '{}', now(), now() FROM generate_series(1, 1100)`,
      [shape.id, node],
    );
    const { body } = await act('broker/start');
    const listed = await tasks();
    expect(listed).toHaveLength(100);
    expect(listed[0]!.id).toBe((body as [Activity])[0].id);
    const page = (await call(at('activities'), key)).body as { total_results: number; items: unknown[] };
    expect([page.total_results, page.items.length]).toEqual([1_000, 10]);
  });

  test('are cancelled when the deployment is deleted, and then refused', async () => {
    const doomed = shape;
    await agent('SIGSTOP');
    await act('broker/restart');
    await act('broker/stop');
    // nobody is to carry the deletion out for now
    await region.sql(
      "UPDATE reconciliations SET leased_until = now() + interval '1 min', due_at = now() + interval '1 min', leased_by = 'nobody', fence = fence + 1",
    );
    await region.remove(doomed.id);
    await eventually(async () =>
      expect((await tasks()).slice(0, 2)).toMatchObject([{ status: 'cancelled' }, { status: 'cancelled' }]),
    );
    expect(await act('broker/stop')).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
    const { items } = (await call(at('activities?results=1'), key)).body as { items: Activity[] };
    expect(items).toMatchObject([{ status: 'rejected', reason: 'the deployment is being deleted' }]);
    await region.sql('UPDATE reconciliations SET leased_until = now(), due_at = now()');
    await untilGone(url, key, doomed.id);
    shape = aDeployment({ tier: 'free' });
    node = shape.nodes[0]!.id;
    await region.apply(shape);
    await untilStatus(url, key, shape.id, 'initialized');
  });
});
