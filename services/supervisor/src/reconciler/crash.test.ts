import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { aDeployment, eventually, freePort, silentAgent } from '@sluice/testing';
import { call, connectTo, untilGone, untilStatus } from '#test/client.ts';
import { messagesAbout } from '#test/messages.ts';
import { supervisor } from '#test/region.ts';

const dyingAgent = fileURLToPath(new URL('../../test/fixtures/dying-agent.ts', import.meta.url));
const one = { agents: 1, gateways: 1, brokers: 1 };
const none = { agents: 0, gateways: 0, brokers: 0 };

describe('the reconciler', () => {
  const region = supervisor({ per: 'test' });
  let key: string;

  test('makes one agent per node when two replicas share the work, and whoever is left goes on', async () => {
    const [a, b] = [await region.start(), await region.start()];
    key = await region.key();
    const shapes = Array.from({ length: 4 }, () => aDeployment());
    await Promise.all(shapes.map((shape) => region.apply(shape)));
    for (const shape of shapes) {
      await untilStatus(a.url, key, shape.id, 'initialized', 25_000);
      await untilStatus(b.url, key, shape.id, 'initialized');
      expect(await region.processesOf(shape.nodes[0]!.id)).toEqual(one);
    }
    await a.stop();
    const [first] = shapes;
    process.kill(await region.agentOf(first!.nodes[0]!.id), 'SIGKILL');
    await eventually(() => region.agentOf(first!.nodes[0]!.id));
    await region.remove(first!.id);
    await untilGone(b.url, key, first!.id);
    expect(await region.processesOf(first!.nodes[0]!.id)).toEqual(none);
  }, 60_000);

  test('restarts an agent that was killed within two seconds; broker and data stay', async () => {
    const { url } = await region.start();
    key = await region.key();
    const shape = aDeployment();
    const nodeId = shape.nodes[0]!.id;
    await region.apply(shape);
    const deployment = await untilStatus(url, key, shape.id, 'initialized');
    const before = await connectTo(url, key, deployment);
    await (await jetstreamManager(before)).streams.add({ name: 'KEPT', subjects: ['kept'] });
    await jetstream(before).publish('kept', 'still here');
    await before.close();

    const killed = await region.agentOf(nodeId);
    process.kill(killed, 'SIGKILL');
    await eventually(async () => expect(await region.agentOf(nodeId)).not.toBe(killed), { timeoutMs: 2_000 });
    const after = await eventually(() => connectTo(url, key, deployment));
    expect((await (await jetstreamManager(after)).streams.info('KEPT')).state.messages).toBe(1);
    await after.close();
    expect(await region.processesOf(nodeId)).toEqual(one);
    expect((await call(`${url}/deployments/${shape.id}`, key)).body).toMatchObject({ status: 'initialized' });
  });

  test('finds at its start what runs, and restarts what died while it was away', async () => {
    const first = await region.start();
    key = await region.key();
    const [lives, dies] = [aDeployment(), aDeployment()];
    await region.apply(lives);
    await region.apply(dies);
    await untilStatus(first.url, key, lives.id, 'initialized');
    await untilStatus(first.url, key, dies.id, 'initialized');
    await first.stop();
    const survivor = await region.agentOf(lives.nodes[0]!.id);
    process.kill(await region.agentOf(dies.nodes[0]!.id), 'SIGKILL');

    await region.start();
    await eventually(async () => expect(await region.processesOf(dies.nodes[0]!.id)).toEqual(one));
    expect(await region.agentOf(lives.nodes[0]!.id)).toBe(survivor);
    expect(await region.processesOf(lives.nodes[0]!.id)).toEqual(one);
  });

  test('makes no node anew whose data is gone before somebody accepts that, and tells of it', async () => {
    const { url } = await region.start();
    key = await region.key();
    const shape = aDeployment();
    const nodeId = shape.nodes[0]!.id;
    await region.apply(shape);
    await untilStatus(url, key, shape.id, 'initialized');
    const post = (path: string) => call(`${url}/deployments/${shape.id}/${path}`, key, { method: 'POST' });
    expect((await post(`nodes/${nodeId}/accept_data_loss`)).status).toBe(409);
    expect((await post('nodes/7/accept_data_loss')).status).toBe(404);
    await eventually(async () =>
      expect(await region.sql('SELECT FROM nodes WHERE deployed_at IS NOT NULL')).toHaveLength(1),
    );

    await region.loseNode(nodeId);
    const { status_reason } = await untilStatus(url, key, shape.id, 'failed');
    expect(status_reason).toMatch(/^data_lost: the data of node-1 is gone/);
    expect((await post('retry')).status).toBe(409);
    expect(await region.processesOf(nodeId)).toEqual(none);
    expect(await region.nodeFolders()).toEqual([]);

    expect((await post(`nodes/${nodeId}/accept_data_loss`)).status).toBe(202);
    await (await connectTo(url, key, await untilStatus(url, key, shape.id, 'initialized'))).close();
    expect(await region.processesOf(nodeId)).toEqual(one);
    await eventually(async () => {
      const events = await messagesAbout<{ type: string }>(region, 'events', shape.id);
      expect(events.map(({ type }) => type).filter((type) => type.startsWith('deployment_'))).toEqual([
        'deployment_initialized',
        'deployment_failed',
        'deployment_data_lost',
        'deployment_data_loss_accepted',
      ]);
    });
  });

  test('fails a deployment whose step passes its deadline, says why, and still deletes it', async () => {
    const { url } = await region.start({
      LOCAL_AGENT_ENTRY: silentAgent,
      PROVISIONING_DEADLINE_SECONDS: '1',
    });
    key = await region.key();
    const shape = aDeployment();
    await region.apply(shape);
    const { status_reason } = await untilStatus(url, key, shape.id, 'failed');
    expect(status_reason).toBe(
      'waiting_for_nodes did not finish within 1 s: node node-1: its agent has not enrolled',
    );
    await region.remove(shape.id);
    await untilGone(url, key, shape.id);
    expect(await region.processesOf(shape.nodes[0]!.id)).toEqual(none);
    expect(await region.nodeFolders()).toEqual([]);
  });

  test('deletes a deployment whose agent hangs, with the broker that the agent leaves', async () => {
    const { url } = await region.start();
    key = await region.key();
    const shape = aDeployment();
    const nodeId = shape.nodes[0]!.id;
    await region.apply(shape);
    await untilStatus(url, key, shape.id, 'initialized');
    process.kill(await region.agentOf(nodeId), 'SIGSTOP');
    await region.remove(shape.id);
    await untilGone(url, key, shape.id);
    expect(await region.processesOf(nodeId)).toEqual(none);
    expect(await region.nodeFolders()).toEqual([]);
  });

  test('starts an agent that dies at once again, but not all the time', async () => {
    const { url } = await region.start({ LOCAL_AGENT_ENTRY: dyingAgent, PROVISIONING_DEADLINE_SECONDS: '3' });
    key = await region.key();
    const shape = aDeployment();
    await region.apply(shape);
    const { status_reason } = await untilStatus(url, key, shape.id, 'failed');
    expect(status_reason).toContain('node node-1: its agent does not run');
    const starts = await readFile(join(region.nodesFolder, String(shape.nodes[0]!.id), 'starts'), 'utf8');
    expect(starts.length).toBeGreaterThan(1);
    expect(starts.length).toBeLessThan(8);
  });

  test('tries a driver that fails again until the deadline, and names its error', async () => {
    const { url } = await region.start({ SUBNET_RANGE: '10.0.0.0/24', PROVISIONING_DEADLINE_SECONDS: '1' });
    key = await region.key();
    const [first, second] = [aDeployment(), aDeployment()];
    await region.apply(first);
    await eventually(async () => {
      const { body } = await call(`${url}/deployments/${first.id}`, key);
      expect(body).toMatchObject({ cidr: '10.0.0.0/24' });
    });
    await region.apply(second);
    const { status_reason } = await untilStatus(url, key, second.id, 'failed');
    expect(status_reason).toBe(
      'creating_subnet did not finish within 1 s: the deployment has no subnet (no subnet is left in 10.0.0.0/24)',
    );
  });

  test('goes on where a supervisor was killed, wherever that was: one agent, one broker, initialized', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    await region.start();
    key = await region.key();
    // the replica in this process only made streams and tables; it leaves the work to the others
    await region.stopAll();
    const shapes = [];
    const rounds = 4;
    for (let round = 0; round < rounds; round++) {
      const shape = aDeployment();
      shapes.push(shape);
      const supervisor = await region.spawn(port);
      await region.apply(shape);
      // somewhere in each part of what it does
      await pause(((round + Math.random()) / rounds) * 600);
      await supervisor.kill();
    }
    const [deleted] = shapes;
    const supervisor = await region.spawn(port);
    await region.remove(deleted!.id);
    await pause(Math.random() * 300);
    await supervisor.kill();

    await region.spawn(port);
    // a command that was in the hands of a killed supervisor comes again after half a minute
    const timeoutMs = 45_000;
    for (const shape of shapes.slice(1)) {
      await untilStatus(url, key, shape.id, 'initialized', timeoutMs);
      expect(await region.processesOf(shape.nodes[0]!.id)).toEqual(one);
    }
    await untilGone(url, key, deleted!.id, timeoutMs);
    expect(await region.processesOf(deleted!.nodes[0]!.id)).toEqual(none);
    expect((await region.nodeFolders()).sort()).toEqual(
      shapes
        .slice(1)
        .map(({ nodes }) => nodes[0]!.id)
        .sort(),
    );
  }, 120_000);
});
