import type { DeploymentSpec } from '@sluice/contracts';
import { aDeployment, client, eventually, type Answer } from '@sluice/testing';
import { untilStatus } from '#test/client.ts';
import { supervisor } from '#test/region.ts';

describe('Prefer: wait', () => {
  const region = supervisor({ replicas: 2, environment: { HEARTBEAT_SECONDS: '0.5' } });
  let key: string;
  let shape: DeploymentSpec;

  beforeAll(async () => {
    key = await region.key();
    shape = aDeployment({ limits: { snapshots: 2, snapshot_days: 7 } });
    await region.apply(shape);
    await untilStatus(region.replica().url, key, shape.id, 'initialized');
  });

  const get = (path: string, headers: Record<string, string> = { prefer: 'wait=25' }): Promise<Answer> =>
    client(region.replica(0).url, key).request('GET', `/deployments/${shape.id}${path}`, undefined, headers);
  /** asked of the other replica */
  const post = (path: string, body?: object) =>
    client(region.replica(1).url, key).request('POST', `/deployments/${shape.id}${path}`, body);
  /** Reads until what is read fits, each time as soon as it changes. */
  const until = async (path: string, status: string): Promise<Answer> => {
    let answer = await get(path, {});
    while (answer.body['status'] !== status) {
      answer = await get(path, { prefer: 'wait=25', 'if-none-match': String(answer.headers.get('etag')) });
      expect([answer.status, answer.headers.get('preference-applied')]).toEqual([200, 'wait=25']);
    }
    return answer;
  };

  test('answers when the status of a deployment changes, by whichever replica', async () => {
    await post('/activities/broker/stop');
    await until('', 'stopped');
    await post('/activities/broker/start');
    await until('', 'initialized');
  }, 60_000);

  test('is not woken by heartbeats, which do not count for the ETag', async () => {
    const read = async () => await get('', {});
    const first = await read();
    const etag = String(first.headers.get('etag'));
    expect(etag).toMatch(/^W\/"/);
    const same = await get('', { prefer: 'wait=2', 'if-none-match': etag });
    expect(same.status).toBe(304);
    await eventually(async () => expect((await read()).body['nodes']).not.toEqual(first.body['nodes']));
    expect((await read()).headers.get('etag')).toBe(etag);
  }, 30_000);

  test('answers when a task ends', async () => {
    const [task] = (await post('/activities/broker/restart')).body as unknown as { id: number }[];
    const ended = await until(`/tasks/${task?.id}`, 'completed');
    expect(ended.body['finished_at']).toEqual(expect.any(String));
    await until('', 'initialized');
  }, 60_000);

  test('answers when a snapshot is complete', async () => {
    const id = Number((await post('/snapshots', {})).headers.get('svc-snapshot'));
    const complete = await until(`/snapshots/${id}`, 'completed');
    expect(complete.body).toMatchObject({ id, deployment_id: shape.id });
    expect((await get('/snapshots/999999', {})).status).toBe(404);
  }, 60_000);

  test('answers when a backup changes', async () => {
    const [row] = await region.sql<{ id: number }>(
      `INSERT INTO backups (deployment_id, name, backup_type, created_by)
       SELECT id, 'by hand', 'manual', created_by FROM deployments RETURNING id`,
    );
    const failed = until(`/backups/${row?.id}`, 'failed');
    await region.sql("UPDATE backups SET status = 'failed', error = 'no space'");
    expect((await failed).body).toMatchObject({ error: 'no space' });
  }, 60_000);
});
