import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { aDeployment, eventually, freePort } from '@sluice/testing';
import { call, connectTo, untilStatus } from '#test/client.ts';
import { supervisor, type ReplicaProcess } from '#test/region.ts';
import type { components } from '../generated/api.ts';
import { createLocalVolumes } from '../volumes/local/local-volumes.ts';

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

  test(
    `at ${kills} points of backups and restores leaves them whole or failed, and the broker running (BACKUP_SEED=${seed})`,
    async () => {
      const next = random(seed);
      const port = await freePort();
      let replica: ReplicaProcess = await region.spawn(port);
      const { url } = replica;
      const key = await region.key();
      const shape = aDeployment({
        storage: { type: 'network_balanced', size: 10 },
        limits: { access_rules: 10, backups: 1_000, backup_days: 30 },
      });
      await region.apply(shape);
      const connect = async () =>
        await connectTo(url, key, await untilStatus(url, key, shape.id, 'initialized'));
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
      const first = await connect();
      await (await jetstreamManager(first)).streams.add({ name: 'KEPT', subjects: ['kept'] });
      await first.close();
      await publish('one');

      const post = (path = '') =>
        call(`${url}/deployments/${shape.id}/backups${path}`, key, {
          method: 'POST',
          body: path === '' ? { name: 'killed' } : undefined,
        });
      const list = async () => (await call(`${url}/deployments/${shape.id}/backups`, key)).body as Backup[];
      const messagesIn = new Map<number, number>();
      let messages = 1;
      for (let kill = 0; kill < kills; kill++) {
        const whole = (await list()).filter(({ status }) => status === 'completed');
        const from = kill % 2 === 1 ? whole[Math.floor(next() * whole.length)] : undefined;
        expect(await post(from && `/${from.id}/restore`)).toMatchObject({ status: 204 });
        await pause(next() * 700);
        await replica.kill();
        replica = await region.spawn(port);
        await eventually(async () => expect(await region.sql('SELECT FROM volume_work')).toEqual([]), {
          timeoutMs: 40_000,
        });
        await untilStatus(url, key, shape.id, 'initialized');
        const found = await held();
        // the old data or the new, never a mixture
        expect(from ? [messages, messagesIn.get(from.id)] : [messages]).toContain(found);
        const [newest] = await list();
        expect(newest!.status).toMatch(/completed|failed/);
        if (!from && newest!.status === 'completed') messagesIn.set(newest!.id, messages);
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
        const volume = { node: shape.nodes[0]!.id, copy, run: crypto.randomUUID() };
        await volumes.stage(volume, row!.digest, never);
        await volumes.clear(volume.run);
      }
      await eventually(async () =>
        expect((await readdir(region.backupsFolder)).sort()).toEqual(
          backups.map(({ snapshot_ids }) => snapshot_ids[0]).sort(),
        ),
      );
      await eventually(async () => expect(await readdir(join(region.nodesFolder, '.restores'))).toEqual([]), {
        timeoutMs: 15_000,
      });
      expect(
        await readFile(join(region.nodesFolder, String(shape.nodes[0]!.id), 'broker.conf'), 'utf8'),
      ).toContain('jetstream');
      await replica.stop();
    },
    60_000 + kills * 45_000,
  );
});
