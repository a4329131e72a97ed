import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { idOf, type DeploymentSpec, type Event, type NodeId } from '@sluice/contracts';
import { createLog, createPool } from '@sluice/service';
import { openKysely } from '@sluice/service/kysely';
import { aDeployment, eventually } from '@sluice/testing';
import { call, connectTo, untilStatus } from '#test/client.ts';
import { messagesAbout } from '#test/messages.ts';
import { supervisor } from '#test/region.ts';
import type { Tables } from '@sluice/region-store/tables';
import type { components } from '../../generated/api.ts';
import { releaseVolumeLease, type WorkKey } from '@sluice/region-store/volume-work.store';

type Backup = components['schemas']['Backup'];

describe('backups', () => {
  const region = supervisor({ replicas: 1 });
  let url: string;
  let key: string;
  let shape: DeploymentSpec;

  const withBackups = (more: Partial<DeploymentSpec> = {}) =>
    aDeployment({
      storage: { type: 'network_balanced', size: 10 },
      limits: { access_rules: 10, backups: 3, backup_days: 30 },
      ...more,
    });

  beforeAll(async () => {
    ({ url } = region.replica());
    key = await region.key();
    shape = withBackups();
    await region.apply(shape);
    await untilStatus(url, key, shape.id, 'initialized', 60_000);
    const client = await eventually(connect);
    await (await jetstreamManager(client)).streams.add({ name: 'KEPT', subjects: ['kept'] });
    await client.close();
  }, 120_000);
  afterEach(async () => {
    for (const { id, status } of await list()) if (status !== 'deleting') await remove(id);
    await eventually(async () => expect(await list()).toEqual([]), { timeoutMs: 20_000 });
    await region.apply(shape, await nextGeneration());
  });

  let generation = 1;
  const nextGeneration = () => Promise.resolve(++generation);
  const at = (path = '', id: number = shape.id) => `${url}/deployments/${id}/backups${path}`;
  const post = (path: string, body?: unknown) => call(at(path), key, { method: 'POST', body });
  const create = (body: object = {}) => post('', { name: 'before', ...body });
  const list = async () => {
    const { status, body } = await call(at(), key);
    expect(status).toBe(200);
    return body as Backup[];
  };
  const remove = async (id: number) => await call(at(`/${id}`), key, { method: 'DELETE' });
  const events = async () => (await messagesAbout<Event>(region, 'events', shape.id)).map(({ type }) => type);
  /** Why restores have failed, in their order. */
  const restoreFailures = async () =>
    (await messagesAbout<Event>(region, 'events', shape.id)).flatMap(({ type, data }) =>
      type === 'backup_restore_failed' ? [(data as { reason: string }).reason] : [],
    );
  const connect = async () => await connectTo(url, key, await untilStatus(url, key, shape.id, 'initialized'));
  const publish = async (...texts: string[]) => {
    const client = await eventually(connect);
    for (const text of texts) await jetstream(client).publish('kept', text);
    await client.close();
  };
  const held = async () => {
    const client = await eventually(connect);
    const { streams } = await jetstreamManager(client);
    const { state } = await streams.info('KEPT');
    const texts = [];
    for (let seq = state.first_seq; state.messages > 0 && seq <= state.last_seq; seq++)
      texts.push((await streams.getMessage('KEPT', { seq }))?.string());
    await client.close();
    return texts;
  };
  const purge = async () => {
    const client = await eventually(connect);
    await (await jetstreamManager(client)).streams.purge('KEPT');
    await client.close();
  };

  /** The newest backup, once it has ended. */
  const ended = (timeoutMs = 40_000) =>
    eventually(
      async () => {
        const [newest] = await list();
        expect(newest?.status).toMatch(/completed|failed/);
        return newest!;
      },
      { timeoutMs },
    );
  const idle = () =>
    eventually(async () => expect(await region.sql('SELECT FROM volume_work')).toEqual([]), {
      timeoutMs: 40_000,
    });
  /** Restores, and waits until that has ended one way or the other. */
  const restore = async (id: number) => {
    expect(await post(`/${id}/restore`)).toMatchObject({ status: 204 });
    await idle();
  };
  const folders = async () => (await readdir(region.backupsFolder)).sort();
  const beside = () => readdir(join(region.nodesFolder, '.restores'));

  test('bring back what was lost since, and what was written since is gone; the deployment runs again', async () => {
    await purge();
    await publish('one', 'two');
    const created = await create({ remarks: 'all of it' });
    expect(created).toMatchObject({ status: 204 });
    const backup = await ended();
    expect(created.headers.get('svc-backup')).toBe(String(backup.id));
    expect(created.headers.get('location')).toBe(`/deployments/${shape.id}/backups/${backup.id}`);
    const node = shape.nodes[0]!.id;
    expect(backup).toMatchObject({
      ...{ deployment_id: shape.id, node_id: null, name: 'before', backup_type: 'manual' },
      ...{ status: 'completed', error: null, region: 'us-east-1', remarks: 'all of it' },
      volume_ids: [String(node)],
      snapshot_ids: [expect.stringContaining(`${backup.id}-${node}-`) as string],
    });
    expect(backup.size_bytes).toBeGreaterThan(0);
    expect(Date.parse(backup.expires_at!) - Date.parse(backup.created_at)).toBeCloseTo(30 * 86_400_000, -5);
    expect((await call(at(`/${backup.id}`), key)).body).toEqual(backup);
    const told = await messagesAbout<Event>(region, 'events', shape.id);
    expect(told.find(({ type }) => type === 'backup_created')?.data).toMatchObject({
      ...{ backup_id: backup.id, name: 'before', backup_type: 'manual', description: 'all of it' },
    });
    expect(await folders()).toEqual(backup.snapshot_ids);
    expect(await held()).toEqual(['one', 'two']);

    await purge();
    await publish('three');
    await restore(backup.id);
    expect(await held()).toEqual(['one', 'two']);
    await eventually(async () => expect(await beside()).toEqual([]));
    await publish('four');
    expect(await held()).toEqual(['one', 'two', 'four']);
    await eventually(async () =>
      expect((await events()).filter((type) => /backup|stopped|started/.test(type))).toEqual([
        'backup_created',
        'backup_completed',
        'backup_restore_requested',
        'deployment_stopped',
        'deployment_started',
        'backup_restored',
      ]),
    );
  }, 120_000);

  test('that are damaged are found before anything is stopped or overwritten', async () => {
    await purge();
    await publish('old');
    await create();
    const { id, snapshot_ids } = await ended();
    await publish('new');
    const before = (await events()).filter((type) => type === 'deployment_stopped').length;
    const copy = join(region.backupsFolder, snapshot_ids[0]!);
    const block = (await readdir(join(copy, 'data'), { recursive: true })).find((path) =>
      path.endsWith('.blk'),
    )!;
    for (const path of [join(copy, 'data', block), join(copy, 'manifest.json')]) {
      await copyFile(path, `${path}.was`).then(() => flip(path));
      await restore(id);
      expect(await held()).toEqual(['old', 'new']);
      await writeFile(path, await readFile(`${path}.was`));
    }
    await eventually(async () => {
      expect(await restoreFailures()).toEqual([
        `the backup is damaged: ${block} is not as it was`,
        'the backup is damaged: its manifest is not as it was',
      ]);
    });
    expect((await events()).filter((type) => type === 'deployment_stopped')).toHaveLength(before);
    await eventually(async () => expect(await beside()).toEqual([]));
  }, 120_000);

  test('are taken back where they cannot be put in place, or brokers do not come up with them', async () => {
    await purge();
    await publish('old');
    await create();
    const { id } = await ended();
    await publish('new');
    await agent('SIGSTOP');
    await post(`/${id}/restore`);
    await eventually(async () =>
      expect(await region.sql("SELECT FROM volume_work WHERE step = 'quiescing'")).toHaveLength(1),
    );
    await rm(join(region.nodesFolder, '.restores'), { recursive: true });
    await agent('SIGCONT');
    await idle();
    expect(await held()).toEqual(['old', 'new']);

    await region.sql(`
      CREATE FUNCTION be_late() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN NEW.deadline := now() - interval '1 s'; RETURN NEW; END $$`);
    await region.sql(`
      CREATE TRIGGER late BEFORE UPDATE ON volume_work FOR EACH ROW
        WHEN (OLD.step = 'swapping' AND NEW.step = 'restarting') EXECUTE FUNCTION be_late()`);
    await restore(id);
    expect(await held()).toEqual(['old', 'new']);
    await region.sql('DROP FUNCTION be_late CASCADE');
    await eventually(async () => {
      expect((await restoreFailures()).slice(-2)).toEqual([
        `what was to be restored on node ${shape.nodes[0]!.id} is gone`,
        'node-1 did not come up with what was restored within 600 s',
      ]);
    });
    await restore(id);
    expect(await held()).toEqual(['old']);
    await eventually(async () => expect(await beside()).toEqual([]));
  }, 120_000);

  /** Changes one bit. */
  async function flip(path: string) {
    const bytes = await readFile(path);
    const middle = Math.floor(bytes.length / 2);
    bytes[middle] = bytes[middle]! ^ 1;
    await writeFile(path, bytes);
  }

  test('are one at a time, and neither they nor what a restore needs are deleted meanwhile', async () => {
    // nobody takes it up
    await region.sql("UPDATE deployments SET status = 'upgrading'");
    expect(await create()).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
    await region.sql("UPDATE deployments SET status = 'initialized'");
    const answers = await Promise.all([create(), create(), create()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409]);
    for (const { status, body } of answers)
      if (status === 409) expect(body).toMatchObject({ code: 'operation_in_progress' });
    const { id } = await ended();

    await agent('SIGSTOP');
    expect(await post(`/${id}/restore`)).toMatchObject({ status: 204 });
    expect(await remove(id)).toMatchObject({ status: 409, body: { code: 'operation_in_progress' } });
    expect(await post(`/${id}/restore`)).toMatchObject({
      status: 409,
      body: { code: 'operation_in_progress' },
    });
    expect(await create()).toMatchObject({ status: 409, body: { code: 'operation_in_progress' } });
    await agent('SIGCONT');
    await idle();

    await agent('SIGSTOP');
    expect(await create()).toMatchObject({ status: 204 });
    const [newest] = await list();
    expect(newest!.status).toMatch(/pending|in_progress/);
    expect(await remove(newest!.id)).toMatchObject({ status: 409, body: { code: 'backup_in_progress' } });
    expect(await post(`/${newest!.id}/restore`)).toMatchObject({
      status: 409,
      body: { code: 'operation_in_progress' },
    });
    await agent('SIGCONT');
    expect(await ended()).toMatchObject({ id: newest!.id, status: 'completed', error: null });
  }, 120_000);

  test('leave their hands off what comes after them, however late they end', async () => {
    await create();
    const { id } = await ended();
    const begin = async () => {
      const [begun] = await region.sql<WorkKey>(
        `INSERT INTO volume_work (deployment_id, backup_id, kind, step, created_by, fence, leased_until)
         VALUES ($1, $2, 'restore', 'staging', '{}', 1, now() + interval '1 minute') RETURNING *`,
        [shape.id, id],
      );
      return begun!;
    };
    const pool = createPool(region.databaseUrl, 1, createLog('supervisor', 'error'));
    try {
      const former = await begin();
      await region.sql('DELETE FROM volume_work');
      await begin();
      await releaseVolumeLease(openKysely<Tables>(pool), former);
      expect(await region.sql('SELECT FROM volume_work WHERE leased_until > now()')).toHaveLength(1);
    } finally {
      await region.sql('DELETE FROM volume_work');
      await pool.end();
    }
  });

  const agent = async (signal: NodeJS.Signals) =>
    process.kill(await region.agentOf(shape.nodes[0]!.id), signal);

  test('fail where a node does not come to rest or stop its broker in time, and the broker goes on', async () => {
    await agent('SIGSTOP');
    const restart = `${url}/deployments/${shape.id}/activities/broker/restart`;
    expect(await call(restart, key, { method: 'POST' })).toMatchObject({ status: 202 });
    await create();
    const late =
      "UPDATE volume_work SET deadline = now() - interval '1 s' WHERE deadline IS NOT NULL RETURNING 1";
    await eventually(async () => expect(await region.sql(late)).toHaveLength(1));
    expect(await ended()).toMatchObject({
      ...{ status: 'failed', started_at: null },
      error: 'the deployment did not come to rest within 600 s',
    });
    await agent('SIGCONT');
    await eventually(
      async () => expect(await region.sql('SELECT FROM tasks WHERE finished_at IS NULL')).toEqual([]),
      { timeoutMs: 40_000 },
    );
    await agent('SIGSTOP');
    await create();
    await eventually(async () =>
      expect(await region.sql("SELECT FROM volume_work WHERE step = 'quiescing'")).toHaveLength(1),
    );
    await region.sql("UPDATE volume_work SET deadline = now() - interval '1 s'");
    expect(await ended()).toMatchObject({ status: 'failed', error: 'node-1 did not stop within 600 s' });
    await agent('SIGCONT');
    await eventually(async () => expect(await held()).toBeDefined(), { timeoutMs: 40_000 });
    expect(await folders()).toEqual([]);
    expect(await list()).toHaveLength(2);
  }, 120_000);

  test('are for plans that have them, in cloud_a, on network storage, as many and for as long as the plan says', async () => {
    const limits = (backups: number) => ({ ...shape.limits, backups, backup_days: 30 });
    const without = async (more: Partial<DeploymentSpec>) => {
      await region.apply({ ...shape, ...more }, await nextGeneration());
      await eventually(async () => {
        const [row] = await region.sql<{ generation: number }>('SELECT generation FROM deployments');
        expect(row!.generation).toBe(generation);
      });
      return await create();
    };
    expect(await without({ limits: limits(0) })).toMatchObject({
      status: 403,
      body: { code: 'feature_not_available', feature: 'backup_enabled' },
    });
    // so are their schedules
    const nightly = { enabled: true, cron: '0 3 * * *', keep: 1 };
    expect(await schedule(nightly)).toMatchObject({ status: 403, body: { feature: 'backup_enabled' } });
    const unavailable = { status: 409, body: { code: 'backups_unavailable' } };
    expect(await without({ storage: { type: 'local_ssd', size: null } })).toMatchObject(unavailable);
    expect(await schedule(nightly)).toMatchObject(unavailable);
    await without({ limits: limits(0) });
    await region.sql(`UPDATE deployments SET spec = spec || '{"cloud": "cloud_b"}'`);
    const generous = JSON.stringify({ limits: limits(1) });
    await region.sql('UPDATE deployments SET spec = spec || $1::jsonb', [generous]);
    expect(await create()).toMatchObject(unavailable);
    expect(await without({ limits: limits(1) })).toMatchObject({ status: 204 });
    await ended();
    expect(await create()).toMatchObject({
      status: 409,
      body: { code: 'limit_reached', limit: { name: 'deployment_backups_limit', value: 1 } },
    });
    expect(await create({ expires_in_days: 31 })).toMatchObject({
      status: 409,
      body: { code: 'limit_reached', limit: { name: 'backup_retention_days', value: 30 } },
    });
    const wrong = { status: 400, body: { code: 'invalid_request' } };
    expect(await create({ node_id: 7 })).toMatchObject({
      ...wrong,
      body: { field_issues: [{ path: '/body/node_id', code: 'not_found' }] },
    });
    for (const body of [{ expires_in_days: 0 }, { name: '' }, { backup_type: 'other' }])
      expect(await create(body)).toMatchObject(wrong);
    expect(await post('/9007199254740990/restore')).toMatchObject({ status: 404 });
    expect(await remove(999_999)).toMatchObject({ status: 404 });
  }, 120_000);

  test('go with their files when they are deleted, when their time is over, and with their deployment', async () => {
    const other = withBackups();
    await region.apply(other);
    await untilStatus(url, key, other.id, 'initialized');
    expect(
      await call(at('', other.id), key, { method: 'POST', body: { name: 'x', node_id: other.nodes[0]!.id } }),
    ).toMatchObject({ status: 204 });
    await create({ expires_in_days: 1, backup_type: 'pre_upgrade' });
    const { id, expires_at, created_at } = await ended();
    const ofType = async (type: string) => (await call(at(`?backup_type=${type}`), key)).body as Backup[];
    expect([await ofType('manual'), (await ofType('pre_upgrade')).map((one) => one.id)]).toEqual([[], [id]]);
    expect(Date.parse(expires_at!) - Date.parse(created_at)).toBeCloseTo(86_400_000, -5);
    await eventually(async () => expect(await folders()).toHaveLength(2));
    await region.sql('UPDATE backups SET expires_at = now() WHERE id = $1', [id]);
    await eventually(async () => expect(await list()).toEqual([]));
    await eventually(async () => expect(await events()).toContain('backup_expired'));
    await idle();
    await region.remove(other.id);
    await eventually(async () => expect(await folders()).toEqual([]), { timeoutMs: 40_000 });
    await eventually(async () => expect(await region.sql('SELECT FROM backups')).toEqual([]));
  }, 120_000);

  test('outlive the nodes that they are of, and bring all or one of them back', async () => {
    const two = withBackups();
    two.nodes.push({ id: idOf<NodeId>(two.id + 2), name: 'node-2' });
    const [first, second] = two.nodes;
    await region.apply(two);
    const ready = () => untilStatus(url, key, two.id, 'initialized');
    const connection = await connectTo(url, key, await ready());
    await (await jetstreamManager(connection)).streams.add({ name: 'KEPT', subjects: ['kept'] });
    await connection.close();
    const backup = async (body: object) => {
      expect(await call(at('', two.id), key, { method: 'POST', body })).toMatchObject({ status: 204 });
      await idle();
      const [newest] = (await call(at('', two.id), key)).body as Backup[];
      expect(newest).toMatchObject({ status: 'completed', error: null });
      return newest!;
    };
    const told = async (wanted: string) =>
      (await messagesAbout<Event>(region, 'events', two.id)).filter(({ type }) => type === wanted).length;
    const restored = async ({ id }: Backup) => {
      const before = await told('backup_restored');
      expect(await call(at(`/${id}/restore`, two.id), key, { method: 'POST' })).toMatchObject({
        status: 204,
      });
      await idle();
      await eventually(async () => expect(await told('backup_restored')).toBe(before + 1));
    };
    const whole = await backup({ name: 'both' });
    expect(whole.volume_ids).toEqual([String(first!.id), String(second!.id)]);
    const part = await backup({ name: 'one', node_id: second!.id });
    expect(part).toMatchObject({ node_id: second!.id, volume_ids: [String(second!.id)] });

    await region.loseNode(first!.id);
    await untilStatus(url, key, two.id, 'failed');
    expect(await call(at(`/${whole.id}/restore`, two.id), key, { method: 'POST' })).toMatchObject({
      status: 409,
    });
    const accepted = `${url}/deployments/${two.id}/nodes/${first!.id}/accept_data_loss`;
    expect(await call(accepted, key, { method: 'POST' })).toMatchObject({ status: 202 });
    await ready();
    await restored(whole);
    const again = await eventually(async () => connectTo(url, key, await ready()));
    expect((await (await jetstreamManager(again)).streams.info('KEPT')).config.subjects).toEqual(['kept']);
    await again.close();
    const before = await told('deployment_stopped');
    await restored(part);
    expect(await told('deployment_stopped')).toBe(before);
    await ready();
    await region.remove(two.id);
    await eventually(async () => expect(await folders()).toEqual([]), { timeoutMs: 40_000 });
  }, 120_000);

  const schedule = (body?: object) => call(at('/schedule'), key, body ? { method: 'PUT', body } : {});
  /** Its time has come. */
  const passTime = () => region.sql("UPDATE backup_schedules SET next_at = now() - interval '3 days'");
  /** How many backups have ever been begun. */
  const made = async () =>
    (
      await region.sql<{ made: number }>(
        'SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS made FROM backups_id_seq',
      )
    )[0]!.made;
  const untilScheduled = (count: number) =>
    eventually(
      async () => {
        expect(await made()).toBe(count);
        // the number is there before what bears it
        expect(await region.sql('SELECT FROM backups WHERE id = $1', [count])).toHaveLength(1);
        expect(await region.sql('SELECT FROM volume_work')).toEqual([]);
      },
      { timeoutMs: 40_000 },
    );

  test('are taken by a schedule, once however many times have passed, and the newest are kept', async () => {
    expect(await schedule()).toMatchObject({
      body: { enabled: false, cron: '0 3 * * *', keep: 7, next_at: null },
    });
    const nightly = { enabled: true, cron: '30 2 * * 1-5', keep: 1 };
    for (const [body, code] of [
      [{ ...nightly, cron: '*/5 * * * *' }, 'invalid_request'],
      [{ ...nightly, cron: 'every night' }, 'invalid_request'],
      [{ ...nightly, keep: 0 }, 'invalid_request'],
      [{ ...nightly, keep: 4 }, 'limit_reached'],
    ] as const)
      expect(await schedule(body)).toMatchObject({ body: { code } });
    expect(await schedule(nightly)).toMatchObject({ status: 204 });
    const set = (await schedule()).body as { next_at: string };
    expect(set).toMatchObject(nightly);
    expect(new Date(set.next_at).getTime()).toBeGreaterThan(Date.now());
    expect(set.next_at).toMatch(/T02:30:00\.000Z$/);
    expect([0, 6]).not.toContain(new Date(set.next_at).getUTCDay());

    const before = await made();
    await passTime();
    await untilScheduled(before + 1);
    const [first] = await list();
    expect(first).toMatchObject({ backup_type: 'scheduled', status: 'completed', node_id: null });
    expect((await schedule()).body).toEqual(set);
    await passTime();
    await untilScheduled(before + 2);
    await eventually(async () => expect(await list()).toHaveLength(1), { timeoutMs: 20_000 });
    const [second] = await list();
    expect(second!.id).toBeGreaterThan(first!.id);
    expect(await folders()).toEqual(second!.snapshot_ids);

    await schedule({ ...nightly, enabled: false });
    expect((await schedule()).body).toMatchObject({ enabled: false, next_at: null });
    await eventually(async () =>
      expect((await events()).filter((type) => type === 'backup_schedule_updated')).toHaveLength(2),
    );
  }, 120_000);

  test('of a schedule fail where those of people leave no room', async () => {
    for (let made = 0; made < 3; made++) {
      expect(await create()).toMatchObject({ status: 204 });
      await ended();
    }
    await schedule({ enabled: true, cron: '0 3 * * *', keep: 1 });
    await passTime();
    await eventually(async () => expect(await list()).toHaveLength(4));
    const [newest] = await list();
    expect(newest).toMatchObject({
      backup_type: 'scheduled',
      status: 'failed',
      error: 'other backups leave the schedule no room in the limit of the plan',
    });
    expect((await list()).filter(({ status }) => status === 'completed')).toHaveLength(3);
    await schedule({ enabled: false, cron: '0 3 * * *', keep: 1 });
  }, 120_000);

  test('are taken before upgrades, beside the limit of the plan, and the newest of these is kept', async () => {
    const upgrade = async (connections: number) => {
      const upgrade_id = crypto.randomUUID();
      await region.upgrade(
        shape,
        { broker_connections: connections },
        { upgrade_id, generation: await nextGeneration() },
      );
      await eventually(
        async () =>
          expect(
            await region.sql(
              "SELECT FROM deployment_upgrades WHERE upgrade_id = $1 AND state = 'completed'",
              [upgrade_id],
            ),
          ).toHaveLength(1),
        { timeoutMs: 40_000 },
      );
      const [backup] = await list();
      expect(backup).toMatchObject({ backup_type: 'pre_upgrade', status: 'completed', node_id: null });
      const reports = await messagesAbout<{ data: { status: string; changed_at: string } }>(
        region,
        'reports',
        shape.id,
      );
      const begun = reports.map(({ data }) => data).findLast(({ status }) => status === 'upgrading');
      expect(Date.parse(begun!.changed_at)).toBeGreaterThanOrEqual(Date.parse(backup!.completed_at!));
      return backup!;
    };
    const first = await upgrade(100);
    const second = await upgrade(200);
    expect(second.id).toBeGreaterThan(first.id);
    await eventually(async () => expect(await list()).toEqual([second]), { timeoutMs: 20_000 });
    for (let made = 0; made < 3; made++) {
      expect(await create()).toMatchObject({ status: 204 });
      await ended();
    }
    expect(await create()).toMatchObject({ body: { code: 'limit_reached' } });
  }, 120_000);
});
