import { idOf, type DeploymentId, type NodeId } from '@sluice/contracts';
import { Problem } from '@sluice/service';
import { openKysely } from '@sluice/service/kysely';
import {
  agentToken,
  client,
  eventually,
  healthyBeat,
  insertInitialized,
  newNode,
  publicPart,
  type SimulatedNode,
} from '@sluice/testing';
import { Writable } from 'node:stream';
import pg from 'pg';
import winston from 'winston';
import { simulatedDrivers } from '#test/simulated-drivers.ts';
import { supervisor } from '#test/region.ts';
import type { Tables } from '@sluice/region-store/tables';
import { heartbeatBatches } from './heartbeat-batches.ts';

describe('heartbeats', () => {
  const region = supervisor();
  let url: string;
  let pool: pg.Pool;
  let nodes: SimulatedNode[];
  let firstId = 1_000_000;

  beforeAll(async () => {
    ({ url } = await region.startWith({ drivers: simulatedDrivers({ runningFrom: 1 }) }));
    pool = new pg.Pool({ connectionString: region.databaseUrl, max: 3 });
    region.onClose(() => pool.end());
  });

  beforeEach(async () => {
    nodes = await insertInitialized(pool, 40, { firstId: (firstId += 1_000) });
  });

  const beat = async (node: SimulatedNode | undefined, more = {}, token = node && agentToken(node)) => {
    const headers = { authorization: `Bearer ${token}` };
    return await client(url).request('POST', '/agent/v1/heartbeats', { ...healthyBeat, ...more }, headers);
  };
  const poll = async (token: string) =>
    await client(url).request('GET', '/agent/v1/desired?revision=1&wait=0', undefined, {
      authorization: `Bearer ${token}`,
    });

  /** In which transaction a node's row was written last. */
  const writings = async () =>
    await region.sql<{ xmin: string; messages: number; heard: Date }>(
      `SELECT xmin::text, (statistics ->> 'messages')::int AS messages, last_heartbeat_at AS heard
       FROM nodes WHERE id BETWEEN $1 AND $2 ORDER BY id`,
      [firstId, firstId + nodes.length - 1],
    );
  const age = (seconds: number) =>
    region.sql(
      'UPDATE nodes SET last_heartbeat_at = now() - make_interval(secs => $1) WHERE id BETWEEN $2 AND $3',
      [seconds, firstId, firstId + nodes.length - 1],
    );

  test('of a newer agent may say more than this release knows', async () => {
    const [runtime] = healthyBeat.runtimes;
    const more = { store: { id: 'a' }, runtimes: [{ ...runtime, uptime: 12 }] };
    expect(await beat(nodes[0], more)).toMatchObject({ status: 204 });
    // known of those things, it is refused as ever
    expect(await beat(nodes[0], { runtimes: [{ ...runtime, status: 'bored' }] })).toMatchObject({
      status: 400,
    });
  });

  test('of many nodes at once are stored together, and each is answered for itself', async () => {
    await age(60);
    await region.sql('UPDATE nodes SET public_key = NULL WHERE id = $1', [firstId]);
    const answers = await Promise.all(nodes.map((node) => beat(node)));
    expect(answers.map(({ status }) => status)).toEqual([401, ...Array<number>(39).fill(204)]);
    const written = await writings();
    expect(new Set(written.slice(1).map(({ xmin }) => xmin)).size).toBeLessThan(20);
  });

  test('write nothing while they say nothing new', async () => {
    const [node] = nodes;
    const [before] = await writings();
    expect((await beat(node)).status).toBe(204);
    expect((await writings())[0]).toEqual(before);
    // what a broker counts is stored every few seconds, the heartbeat itself once its time is no longer exact enough
    const statistics = { ...healthyBeat.statistics, messages: 7 };
    expect((await beat(node, { statistics })).status).toBe(204);
    expect((await writings())[0]).toEqual(before);
    await age(6);
    expect((await beat(node)).status).toBe(204);
    expect((await writings())[0]!.heard.getTime()).toBeLessThan(Date.now() - 5_000);
    expect((await beat(node, { statistics })).status).toBe(204);
    expect((await writings())[0]).toMatchObject({ messages: 7 });
    await age(16);
    expect((await beat(node, { statistics })).status).toBe(204);
    expect((await writings())[0]!.heard.getTime()).toBeGreaterThan(Date.now() - 15_000);
  });

  test('that bring news have the reconciler look, whoever else is quiet', async () => {
    const [quiet, news] = nodes;
    await region.sql(
      "UPDATE reconciliations SET due_at = now() + interval '1 hour' WHERE deployment_id >= $1",
      [firstId],
    );
    const failed = [{ ...healthyBeat.runtimes[0], status: 'failed', reason: 'no' }];
    await Promise.all([beat(quiet), beat(news, { runtimes: failed })]);
    await eventually(async () => {
      const due = await region.sql<{ id: number }>(
        `SELECT deployment_id::int AS id FROM reconciliations
         WHERE deployment_id >= $1 AND due_at < now() + interval '30 minutes'`,
        [firstId],
      );
      expect(due).toEqual([{ id: news!.id }]);
    });
  });

  test('wait for nobody else who is locked', async () => {
    await age(60);
    const [locked, free] = nodes;
    const elsewhere = await pool.connect();
    try {
      await elsewhere.query('BEGIN');
      await elsewhere.query('SELECT FROM nodes WHERE id = $1 FOR UPDATE', [locked!.id]);
      let answered = false;
      const waiting = beat(locked).finally(() => (answered = true));
      expect((await beat(free)).status).toBe(204);
      expect((await beat(nodes[2])).status).toBe(204);
      expect(answered).toBe(false);
      await elsewhere.query('COMMIT');
      expect((await waiting).status).toBe(204);
    } finally {
      elsewhere.release();
    }
  });

  test('with a token that is known already are refused as soon as the key is revoked, as are polls', async () => {
    const [node] = nodes;
    const token = agentToken(node!);
    expect([(await beat(node, {}, token)).status, (await poll(token)).status]).toEqual([204, 204]);
    await region.sql('UPDATE nodes SET public_key = NULL WHERE id = $1', [node!.id]);
    expect([(await beat(node, {}, token)).status, (await poll(token)).status]).toEqual([401, 401]);
    await region.sql('DELETE FROM nodes WHERE id = $1', [node!.id]);
    expect([(await beat(node, {}, token)).status, (await poll(token)).status]).toEqual([401, 401]);
  });

  test('are taken with the key that a node has enrolled since, and no longer with the one before', async () => {
    const [former] = nodes;
    const renewed = { ...former!, privateKey: newNode(former!.id).privateKey };
    expect((await beat(former)).status).toBe(204);
    await region.sql(
      "UPDATE nodes SET public_key = public_key || jsonb_build_object('x', $2::text) WHERE id = $1",
      [former!.id, publicPart(renewed.privateKey)],
    );
    expect([(await beat(former)).status, (await beat(renewed)).status, (await beat(former)).status]).toEqual([
      401, 204, 401,
    ]);
  });

  test('are no lines of the log, unless they are refused', async () => {
    const lines: string[] = [];
    const stream = new Writable({ write: (line, _encoding, done) => done(void lines.push(String(line))) });
    const log = winston.createLogger({ transports: [new winston.transports.Stream({ stream })] });
    const replica = await region.startWith({ drivers: simulatedDrivers({ runningFrom: 1 }) }, { log });
    const told = () => lines.filter((line) => line.includes('/agent/v1/'));
    const call = (token: string) =>
      client(replica.url).request('POST', '/agent/v1/heartbeats', healthyBeat, {
        authorization: `Bearer ${token}`,
      });
    expect((await call(agentToken(nodes[0]!))).status).toBe(204);
    expect((await call('a.b.c')).status).toBe(401);
    await eventually(() => expect(told()).toHaveLength(1));
    expect(told()[0]).toContain('401');
  });

  test('beyond what can wait are asked to come again', async () => {
    const database = openKysely<Tables>(new pg.Pool({ connectionString: region.databaseUrl, max: 1 }));
    const take = heartbeatBatches({
      database,
      resolutionSeconds: 15,
      now: () => new Date(),
    });
    const [node] = nodes;
    const agent = (id: number) => ({
      nodeId: idOf<NodeId>(id),
      deploymentId: idOf<DeploymentId>(id),
      key: publicPart(node!.privateKey),
    });
    const heartbeat = healthyBeat as Parameters<typeof take>[1];
    const elsewhere = await pool.connect();
    const outcomes: Promise<unknown>[] = [];
    try {
      await elsewhere.query('BEGIN; LOCK TABLE nodes');
      const offer = (id: number) =>
        void outcomes.push(take(agent(id), heartbeat).catch((error: unknown) => error));
      offer(node!.id);
      for (let id = 1; id <= 5_001; id++) offer(id);
      // its node's former one waits, so this one takes no room
      offer(5_000);
      const refused = (await outcomes[5_001]) as Problem;
      expect(refused).toBeInstanceOf(Problem);
      expect(refused).toMatchObject({ code: 'unavailable', extras: { headers: { 'retry-after': '1' } } });
    } finally {
      await elsewhere.query('ROLLBACK');
      elsewhere.release();
    }
    const answers = await Promise.all(outcomes);
    expect(answers[0]).toBeUndefined();
    expect(answers.slice(1).every((answer) => answer instanceof Problem)).toBe(true);
    expect(answers.filter((answer) => (answer as Problem | undefined)?.code === 'unavailable')).toHaveLength(
      1,
    );
    await database.destroy();
  });
});
