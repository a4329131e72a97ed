import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { aDeployment, eventually } from '@sluice/testing';
import { call, connectTo, untilStatus } from '#test/client.ts';
import { supervisor } from '#test/region.ts';
import { createDrivers } from '../drivers.ts';
import type { components } from '../generated/api.ts';
import { underWay, type VolumeDriver } from '@sluice/drivers';

type Backup = components['schemas']['Backup'];
type Call = 'copy' | 'seal' | 'stage' | 'swap' | 'swapBack';

const patience = { timeoutMs: 90_000 };

describe('a driver that takes longer', () => {
  const region = supervisor();
  const shape = aDeployment({
    storage: { type: 'network_balanced', size: 10 },
    limits: { access_rules: 10, backups: 10, backup_days: 30 },
  });
  /** calls that were answered before their end */
  const early: Call[] = [];
  /** those that never come to their end */
  const endless = new Set<Call>();
  let url: string;
  let key: string;

  /** Each call is under way when it is first made, and carried out when it is repeated. */
  function slowly(volumes: VolumeDriver): VolumeDriver {
    const begun = new Set<string>();
    const isEarly = (name: Call, copy: string) => {
      const isFirst = !begun.has(`${name} ${copy}`);
      begun.add(`${name} ${copy}`);
      if (isFirst) early.push(name);
      return isFirst || endless.has(name);
    };
    return {
      ...volumes,
      // as where nodes are made anew by it
      restartSeconds: 60,
      copy: async (volume, given) => (isEarly('copy', volume.copy) ? underWay : volumes.copy(volume, given)),
      seal: async (volume, given) => (isEarly('seal', volume.copy) ? underWay : volumes.seal(volume, given)),
      stage: async (volume, digest, given) =>
        isEarly('stage', volume.run) ? underWay : volumes.stage(volume, digest, given),
      swap: async (volume, given) => (isEarly('swap', volume.run) ? underWay : volumes.swap(volume, given)),
      swapBack: async (volume, given) =>
        isEarly('swapBack', volume.run) ? underWay : volumes.swapBack(volume, given),
    };
  }

  beforeAll(async () => {
    const replica = await region.startWith({
      drivers: async (...options) => {
        const drivers = await createDrivers(...options);
        return { ...drivers, ...(drivers.volumes && { volumes: slowly(drivers.volumes) }) };
      },
    });
    ({ url } = replica);
    key = await region.key();
    await region.apply(shape);
    const client = await eventually(connect, patience);
    await (await jetstreamManager(client)).streams.add({ name: 'KEPT', subjects: ['kept'] });
    await jetstream(client).publish('kept', 'one');
    await client.close();
  }, 180_000);

  const connect = async () => await connectTo(url, key, await untilStatus(url, key, shape.id, 'initialized'));
  const held = async () => {
    const client = await eventually(connect, patience);
    const { state } = await (await jetstreamManager(client)).streams.info('KEPT');
    await client.close();
    return state.messages;
  };
  const purge = async () => {
    const client = await eventually(connect, patience);
    await (await jetstreamManager(client)).streams.purge('KEPT');
    await client.close();
  };
  const at = (path = '') => `${url}/deployments/${shape.id}/backups${path}`;
  const post = async (path: string, body?: object) => {
    expect(await call(at(path), key, { method: 'POST', body })).toMatchObject({ status: 204 });
    await eventually(async () => expect(await region.sql('SELECT FROM volume_work')).toEqual([]), patience);
  };
  const newest = async () => ((await call(at(), key)).body as Backup[])[0]!;

  test('is asked again until it has ended, without counting as one that was cut short', async () => {
    await post('', { name: 'slow' });
    const backup = await newest();
    expect(backup).toMatchObject({ status: 'completed', error: null });
    await purge();
    expect(await held()).toBe(0);
    await post(`/${backup.id}/restore`);
    expect(await held()).toBe(1);
    expect(early).toEqual(['copy', 'seal', 'stage', 'swap']);
  }, 240_000);

  test('leaves its place to others, and is not waited for for ever', async () => {
    endless.add('seal');
    const asked = await call(at(), key, { method: 'POST', body: { name: 'endless' } });
    expect(asked.status).toBe(204);
    const resting = async () =>
      expect(
        await region.sql(
          `SELECT FROM volume_work WHERE step = 'sealing' AND leased_until IS NULL AND next_attempt_at > clock_timestamp()`,
        ),
      ).toHaveLength(1);
    await eventually(resting, patience);
    // its broker runs meanwhile
    expect(await held()).toBe(1);
    await region.sql(`UPDATE volume_work SET deadline = clock_timestamp(), next_attempt_at = NULL`);
    await eventually(async () => expect((await newest()).status).toBe('failed'), patience);
    expect((await newest()).error).toBe('it was under way for too long');
    expect((await newest()).name).toBe('endless');
  }, 240_000);

  test('takes back what it has put in place, also where its nodes do not come back', async () => {
    endless.clear();
    await post('', { name: 'taken back' });
    const { id } = await newest();
    endless.add('swap');
    expect((await call(at(`/${id}/restore`), key, { method: 'POST' })).status).toBe(204);
    const swapping = async () =>
      expect(await region.sql(`SELECT FROM volume_work WHERE step = 'swapping'`)).toHaveLength(1);
    await eventually(swapping, patience);
    // brokers did not come up with what was restored, and their agents are not heard of any more
    await region.sql(
      `UPDATE volume_work SET step = 'quiescing', failure = 'they are away', revision = 1000000,
       deadline = clock_timestamp(), next_attempt_at = NULL`,
    );
    await eventually(async () => expect(await region.sql('SELECT FROM volume_work')).toEqual([]), patience);
    expect(early.at(-1)).toBe('swapBack');
    expect(await held()).toBe(1);
  }, 240_000);
});
