import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLog, createPool, migrate, prune } from '@sluice/service';
import {
  agentToken,
  client,
  healthyBeat,
  insertInitialized,
  testDatabase,
  testFolder,
  type SimulatedNode,
} from '@sluice/testing';
import { supervisor } from '#test/region.ts';
import { simulatedDrivers } from '#test/simulated-drivers.ts';
import { pruningRules } from '../../pruning.ts';

interface Period {
  id: number;
  status: string;
  reason: string | null;
  started_at: string;
  ended_at: string | null;
}
interface Condition {
  type: string;
  status: string;
  reason: string;
  message: string;
  changed_at: string;
}

describe('of a deployment', () => {
  const region = supervisor();
  let url: string;
  let key: string;
  let node: SimulatedNode;
  let firstId = 1_000_000;

  beforeAll(async () => {
    ({ url } = await region.startWith({ drivers: simulatedDrivers({ runningFrom: 1 }) }));
    key = await region.key();
  });
  beforeEach(async () => {
    const pool = { query: (text: string, values: unknown[]) => region.sql(text, values) };
    [node] = (await insertInitialized(pool as never, 1, { firstId: (firstId += 1_000) })) as [SimulatedNode];
  });

  const get = <Body>(path: string, headers = {}) =>
    client(url, key).request<Body>('GET', `/deployments/${node.deploymentId}${path}`, undefined, headers);
  const change = (changes: string, values: unknown[] = []) =>
    region.sql(`UPDATE deployments SET ${changes} WHERE id = ${node.deploymentId}`, values);
  const at = (second: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, second)).toISOString();
  const enter = (status: string, second: number, reason: string | null = null) =>
    change('status = $1, status_changed_at = $2, status_reason = $3', [status, at(second), reason]);
  const history = async (query = '') => (await get<{ items: Period[] }>(`/history${query}`)).body.items;

  test('the history has each status with its times and its last reason, newest first and in pages', async () => {
    await enter('stopped', 10);
    await enter('initialized', 20);
    await change("status_reason = 'its certificate cannot be renewed'");
    await change('status_reason = NULL');
    expect((await history())[0]?.reason).toBeNull();
    // by a replica whose clock is late
    await enter('failed', 15, 'data_lost');
    await change("status_reason = 'data_lost: node-1'");
    const periods = (await history()).map(({ id: _, ...period }) => period);
    expect(periods).toEqual([
      { status: 'failed', reason: 'data_lost: node-1', started_at: at(20), ended_at: null },
      {
        ...{ status: 'initialized', reason: 'its certificate cannot be renewed' },
        ...{ started_at: at(20), ended_at: at(20) },
      },
      { status: 'stopped', reason: null, started_at: at(10), ended_at: at(20) },
      { status: 'initialized', reason: null, started_at: expect.any(String) as string, ended_at: at(10) },
    ]);
    const page = await get<{ items: Period[]; total_results: number }>('/history?page=2&results=3');
    expect(page.body).toMatchObject({
      items: [{ status: 'initialized', ended_at: at(10) }],
      total_results: 4,
    });
  });

  test('the history is bounded by count and by time, and a change that is rolled back is not in it', async () => {
    await region.sql(
      `DO $$ BEGIN FOR position IN 1..1010 LOOP
         UPDATE deployments SET status = CASE position % 2 WHEN 1 THEN 'stopped' ELSE 'initialized' END WHERE id = ${node.deploymentId};
       END LOOP; END $$`,
    );
    const total = async () => (await get<{ total_results: number }>('/history')).body.total_results;
    expect(await total()).toBe(1_000);
    const undone = region.sql(
      `DO $$ BEGIN UPDATE deployments SET status = 'failed' WHERE id = ${node.deploymentId}; RAISE EXCEPTION 'undone'; END $$`,
    );
    await expect(undone).rejects.toThrow('undone');
    expect((await history())[0]?.status).toBe('initialized');
    await region.sql(
      `UPDATE deployment_statuses SET ended_at = now() - interval '366 days'
       WHERE ended_at IS NOT NULL AND id % 2 = 0 AND deployment_id = $1`,
      [node.deploymentId],
    );
    const rule = pruningRules(1).find(({ table }) => table === 'deployment_statuses')!;
    const pool = createPool(region.databaseUrl, 1, createLog('supervisor', 'error'));
    await prune(pool, rule);
    await pool.end();
    expect(await total()).toBeLessThan(502);
    expect((await history())[0]).toMatchObject({ ended_at: null });
  });

  const conditions = async () => {
    const { body } = await get<{ conditions: Condition[] }>('');
    return Object.fromEntries(body.conditions.map((condition) => [condition.type, condition]));
  };

  test('conditions say what is wrong, since when, and wake those who wait for the deployment', async () => {
    expect(await conditions()).toMatchObject({
      Ready: { status: 'True', reason: 'Initialized' },
      AgentsConnected: { status: 'True' },
      BrokersRunning: { status: 'True' },
      AccessAllowed: { status: 'False', reason: 'NoRule' },
    });
    const { headers } = await get('');
    const waiting = get<{ conditions: Condition[] }>('', {
      ...{ prefer: 'wait=25', 'if-none-match': String(headers.get('etag')) },
    });
    await region.sql('UPDATE nodes SET unreachable_since = now()');
    const { body } = await waiting;
    expect(body.conditions).toContainEqual(
      expect.objectContaining({
        ...{ type: 'AgentsConnected', status: 'False', reason: 'Unreachable' },
        message: expect.stringMatching(/^node-1: silent since 20/) as string,
      }),
    );
    const [before, same] = [await conditions(), await conditions()];
    expect(same).toEqual(before);
    expect(before['BrokersRunning']).toMatchObject({ status: 'Unknown', message: 'not known of node-1' });

    const failed = { runtime: 'broker', status: 'failed', version: null, reason: 'no space left' };
    const { status } = await client(url).request(
      'POST',
      '/agent/v1/heartbeats',
      { ...healthyBeat, runtimes: [failed] },
      { authorization: `Bearer ${agentToken(node)}` },
    );
    expect(status).toBe(204);
    const after = await conditions();
    expect(after).toMatchObject({
      AgentsConnected: { status: 'True' },
      BrokersRunning: { status: 'False', reason: 'NotRunning', message: 'node-1: failed (no space left)' },
    });
    const times = [before, after].map((seen) => Date.parse(seen['AgentsConnected']!.changed_at));
    expect(times[1]).toBeGreaterThan(times[0]!);

    await region.sql('UPDATE nodes SET broker_stopped = true');
    await enter('stopped', 30, 'its spend limit is reached');
    expect(await conditions()).toMatchObject({
      Ready: {
        status: 'False',
        reason: 'Stopped',
        message: 'its spend limit is reached',
        changed_at: at(30),
      },
      BrokersRunning: { status: 'False', reason: 'Stopped' },
    });
  });

  test('conditions say whether a client can connect: by the certificate and the access rules', async () => {
    const id = node.deploymentId;
    await region.sql(
      `INSERT INTO access_rules (deployment_id, name, protocols, cidr_blocks, valid_to, created_at)
       VALUES ($1, 'over', '{broker_tcp}', '{10.0.0.0/8}', '2020-01-01', now())`,
      [id],
    );
    await region.sql(
      "INSERT INTO deployment_certificates (deployment_id, due_at, failures, last_error) VALUES ($1, now(), 1, 'refused')",
      [id],
    );
    expect(await conditions()).toMatchObject({
      AccessAllowed: { status: 'False', reason: 'RulesEnded', changed_at: '2020-01-01T00:00:00.000Z' },
      CertificateValid: { status: 'False', reason: 'NotIssued', message: 'refused' },
    });
    await region.sql('UPDATE access_rules SET valid_to = NULL');
    const valid = (from: string, to: string) =>
      region.sql('UPDATE deployment_certificates SET not_before = $1, not_after = $2', [from, to]);
    await valid('2026-01-01', '2126-01-01');
    expect(await conditions()).toMatchObject({
      AccessAllowed: { status: 'True' },
      CertificateValid: { status: 'True', reason: 'RenewalFailing', changed_at: '2026-01-01T00:00:00.000Z' },
    });
    await valid('2020-01-01', '2020-02-01');
    expect(await conditions()).toMatchObject({
      CertificateValid: { status: 'False', reason: 'Expired', changed_at: '2020-02-01T00:00:00.000Z' },
    });
  });
});

test('after an upgrade the history begins with the status that there was', async () => {
  const migrations = fileURLToPath(new URL('../../../migrations/', import.meta.url));
  const before = await testFolder();
  for (const name of await readdir(migrations))
    if (name < '005') await cp(join(migrations, name), join(before, name));
  const database = await testDatabase();
  const pool = createPool(database.url, 2, createLog('supervisor', 'error'));
  try {
    await migrate(pool, new URL(`file://${before}/`));
    await insertInitialized(pool, 2);
    await migrate(pool, new URL(`file://${migrations}`));
    const { rows } = await pool.query(
      `SELECT period.status, reason, ended_at, started_at = status_changed_at AS right_time
       FROM deployment_statuses AS period JOIN deployments ON deployments.id = deployment_id`,
    );
    const first = { status: 'initialized', reason: null, ended_at: null, right_time: true };
    expect(rows).toEqual([first, first]);
  } finally {
    await pool.end();
    await database.drop();
  }
});
