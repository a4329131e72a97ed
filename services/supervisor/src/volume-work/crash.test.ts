import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { aDeployment, eventually, freePort } from '@sluice/testing';
import pg from 'pg';
import { call, connectTo, untilStatus } from '#test/client.ts';
import { supervisor, type ReplicaProcess } from '#test/region.ts';
import type { components } from '../generated/api.ts';
import { createLocalVolumes } from '@sluice/driver-local/testing/fixtures/internals.ts';

type Backup = components['schemas']['Backup'];

const kills = Number(process.env['BACKUP_KILLS'] ?? 2);
const seed = Number(process.env['BACKUP_SEED'] ?? Date.now() % 1_000_000);

/** Numbers from 0 to 1 that a seed repeats. */
function random(state: number): () => number {
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('a supervisor that is killed', () => {
  const region = supervisor({ environment: { RECONCILER_LEASE_SECONDS: '3' } });
  const never = { signal: new AbortController().signal, confirm: () => Promise.resolve() };
  const shape = aDeployment({
    storage: { type: 'network_balanced', size: 10 },
    limits: { access_rules: 10, backups: 1_000, backup_days: 30 },
  });
  const node = shape.nodes[0]!.id;
  let port: number;
  let replica: ReplicaProcess;
  let url: string;
  let key: string;

  beforeAll(async () => {
    port = await freePort();
    replica = await region.spawn(port);
    ({ url } = replica);
    key = await region.key();
    await region.apply(shape);
    const first = await eventually(connect);
    await (await jetstreamManager(first)).streams.add({ name: 'KEPT', subjects: ['kept'] });
    await first.close();
    await publish('one');
    // as replicas leave behind whose backup and restore are long forgotten
    await mkdir(join(region.backupsFolder, '1-1-0badcafe.part'));
    await mkdir(join(region.nodesFolder, '.restores', `${crypto.randomUUID()}.1`), { recursive: true });
  }, 120_000);

  const connect = async () => await connectTo(url, key, await untilStatus(url, key, shape.id, 'initialized'));
  const publish = async (text: string) => {
    const client = await eventually(connect);
    await jetstream(client).publish('kept', text);
    await client.close();
  };
  const held = async () => {
    const client = await eventually(connect);
    const info = await (await jetstreamManager(client)).streams.info('KEPT');
    await client.close();
    return info.state.messages;
  };
  const at = (path = '') => `${url}/deployments/${shape.id}/backups${path}`;
  const create = () => call(at(), key, { method: 'POST', body: { name: 'killed' } });
  const restore = (id: number) => call(at(`/${id}/restore`), key, { method: 'POST' });
  const list = async () => (await call(at(), key)).body as Backup[];

  test(
    `at ${kills} points of backups and restores leaves them whole or failed, and the broker running (BACKUP_SEED=${seed})`,
    async () => {
      const next = random(seed);
      const messagesIn = new Map<number, number>();
      let messages = 1;
      for (let kill = 0; kill < kills; kill++) {
        const whole = [...messagesIn.keys()];
        const from = kill % 2 === 1 ? whole[Math.floor(next() * whole.length)] : undefined;
        expect(await (from === undefined ? create() : restore(from))).toMatchObject({ status: 204 });
        await pause(next() * 700);
        await replica.kill();
        replica = await region.spawn(port);
        await eventually(async () => expect(await region.sql('SELECT FROM volume_work')).toEqual([]), {
          timeoutMs: 60_000,
        });
        await untilStatus(url, key, shape.id, 'initialized');
        const found = await held();
        // the old data or the new, never a mixture
        const possible = from === undefined ? [messages] : [messages, messagesIn.get(from)];
        expect(possible).toContain(found);
        const [newest] = await list();
        expect(newest!.status).toMatch(/completed|failed/);
        if (from === undefined && newest!.status === 'completed') messagesIn.set(newest!.id, messages);
        await publish('another');
        messages = found + 1;
      }

      const backups = (await list()).filter(({ status }) => status === 'completed');
      expect(backups.length).toBeGreaterThan(0);
      // what is called completed is whole, by its own sums
      const volumes = await createLocalVolumes(region);
      for (const { snapshot_ids } of backups) {
        const [copy = ''] = snapshot_ids;
        const [row] = await region.sql<{ digest: string }>(
          `SELECT copies -> 0 ->> 'digest' AS digest FROM backups WHERE copies -> 0 ->> 'snapshot_id' = $1`,
          [copy],
        );
        const volume = { node, copy, run: crypto.randomUUID() };
        await volumes.stage(volume, row!.digest, never);
        await volumes.clear(volume.run);
      }
      const copies = backups.map(({ snapshot_ids }) => snapshot_ids[0]);
      await eventually(async () =>
        expect((await readdir(region.backupsFolder)).sort()).toEqual(copies.sort()),
      );
      await eventually(async () => expect(await readdir(join(region.nodesFolder, '.restores'))).toEqual([]), {
        timeoutMs: 15_000,
      });
    },
    60_000 + kills * 45_000,
  );

  test('while brokers are stopped for a backup leaves them stopped for no longer than was said', async () => {
    await replica.stop();
    replica = await region.spawn(port, { BACKUP_COPY_SECONDS: '4' });
    await untilStatus(url, key, shape.id, 'initialized');
    const brokers = async () => (await region.processesOf(node)).brokers;
    const agent = async (signal: NodeJS.Signals) => process.kill(await region.agentOf(node), signal);
    const database = new pg.Client({ connectionString: region.databaseUrl });
    await database.connect();
    try {
      await agent('SIGSTOP');
      expect(await create()).toMatchObject({ status: 204 });
      await eventually(async () =>
        expect(await region.sql("SELECT FROM volume_work WHERE step = 'quiescing'")).toHaveLength(1),
      );
      // nobody can go on with it now
      await database.query('BEGIN');
      await database.query('SELECT FROM deployments FOR UPDATE');
      await agent('SIGCONT');
      await eventually(async () => expect(await brokers()).toBe(0), { timeoutMs: 20_000 });
      await replica.kill();
    } finally {
      await database.end();
    }
    await eventually(async () => expect(await brokers()).toBe(1), { timeoutMs: 40_000 });
  }, 120_000);
});
