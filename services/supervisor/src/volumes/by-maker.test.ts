import { idOf, type BackupId, type DeploymentId, type NodeId } from '@sluice/contracts';
import { Schedule } from '@sluice/controller';
import { createLog, migrate } from '@sluice/service';
import { aDeployment, eventually, testDatabase, type TestDatabase } from '@sluice/testing';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { Registry } from 'prom-client';
import type { SupervisorEnvironment } from '../config.ts';
import type { Database, Tables } from '../database/tables.ts';
import { beginBackup, findCopyPlace } from '../stores/backups.store.ts';
import { findMaker } from '../stores/enrolments.store.ts';
import { lookForBackups } from '../volume-drivers.ts';
import { removalsJob } from '../volume-work/removals.ts';
import { volumesByMaker } from './by-maker.ts';
import type { VolumeDriver } from './volume-driver.ts';

const call = { signal: new AbortController().signal, confirm: () => Promise.resolve() };
const role = { account_id: '123456789012', identity_arn: 'arn:cloud_a:iam::123456789012:role/sluice' };
const access = { ...role, external_id: 'theirs', vpc_id: 'vpc-1', vpc_cidr: null };
let server: TestDatabase;
let connections: pg.Pool;
let database: Database;

beforeAll(async () => {
  server = await testDatabase();
  connections = new pg.Pool({ connectionString: server.url, max: 5 });
  await migrate(connections, new URL('../../migrations/', import.meta.url));
  database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connections }) });
}, 120_000);
afterAll(async () => {
  await connections.end();
  await server.drop();
});

/** A deployment with a node, and a backup of it that has begun. */
async function aBackup(maker: 'cloud_a' | null) {
  const shape = aDeployment(maker === null ? {} : { cloud_access: { cloud_a: access } });
  const node = idOf<NodeId>(shape.nodes[0]!.id);
  await connections.query(
    `INSERT INTO deployments (id, uid, generation, shape, created_by, username, sealed_password, status, status_changed_at, byoc_driver)
     VALUES ($1, gen_random_uuid(), 1, $2, '{}', 'u', 'p', 'initialized', now(), $3)`,
    [shape.id, JSON.stringify(shape), maker],
  );
  await connections.query(
    `INSERT INTO nodes (id, deployment_id, name, position) VALUES ($1, $2, 'node-1', 1)`,
    [node, shape.id],
  );
  const { rows } = await connections.query<{ id: BackupId }>(
    `INSERT INTO backups (deployment_id, name, backup_type, created_by) VALUES ($1, 'one', 'manual', '{}') RETURNING id`,
    [shape.id],
  );
  const id = rows[0]!.id;
  const copy = `${id}-${node}-00c0ffee`;
  await beginBackup(database, id, [
    { node_id: node, volume_id: '1', snapshot_id: copy, digest: null, bytes: null },
  ]);
  return { deployment: idOf<DeploymentId>(shape.id), tenant: shape.tenant_id, node, copy };
}

/** A driver that notes what it is asked for. */
function noting(name: string, asked: string[]): VolumeDriver {
  const note = (what: string) => Promise.resolve(void asked.push(`${name} ${what}`));
  return {
    volumeOf: String,
    copy: ({ copy }) => note(`copies ${copy}`),
    seal: () => Promise.resolve({ digest: '', bytes: 0 }),
    ...{ stage: () => note('stages'), swap: () => note('swaps'), swapBack: () => note('swaps back') },
    clear: (run) => note(`clears ${run}`),
    remove: (copy) => note(`removes ${copy}`),
    list: () => Promise.resolve({ unfinished: [name], runs: ['one run'] }),
  };
}

const drivers = (asked: string[]) =>
  volumesByMaker(
    {
      ofNode: (node) => findMaker(database, node),
      async ofCopy(copy) {
        const place = await findCopyPlace(database, copy);
        return place && place.byoc_driver;
      },
    },
    noting('own', asked),
    { cloud_a: noting('cloud_a', asked) },
  );

test('what makes the nodes of a deployment says who copies their volumes, and who removes copies once it is gone', async () => {
  const [own, theirs] = [await aBackup(null), await aBackup('cloud_a')];
  const asked: string[] = [];
  const volumes = drivers(asked);
  await volumes.copy(own, call);
  await volumes.copy(theirs, call);
  expect(asked.splice(0)).toEqual([`own copies ${own.copy}`, `cloud_a copies ${theirs.copy}`]);

  await connections.query('DELETE FROM deployments');
  expect(await findCopyPlace(database, own.copy)).toBeNull();
  expect(await findCopyPlace(database, theirs.copy)).toMatchObject({
    ...{ byoc_driver: 'cloud_a', access, tenant_id: theirs.tenant },
    deployment: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
  });
  const log = createLog('supervisor', 'error');
  const schedule = new Schedule({ log, metrics: new Registry() });
  schedule.add(removalsJob({ database, volumes, log, lookSeconds: 0.05 }));
  const all = [`cloud_a removes ${theirs.copy}`, `own removes ${own.copy}`];
  await eventually(() => expect([...asked].sort()).toEqual(all), { timeoutMs: 60_000 });
  await schedule.stop();
});

test('what nobody knows is asked of all, and told once', async () => {
  const asked: string[] = [];
  const volumes = drivers(asked);
  await volumes.remove('9-9-00c0ffee');
  await volumes.clear('run');
  expect(asked).toEqual([
    ...['own removes 9-9-00c0ffee', 'cloud_a removes 9-9-00c0ffee'],
    ...['own clears run', 'cloud_a clears run'],
  ]);
  expect(await volumes.list()).toEqual({ unfinished: ['own', 'cloud_a'], runs: ['one run'] });
});

test.each([
  ['local', null, true],
  ['local', 'cloud_a', true],
  ['local', 'enrol', false],
] as const)(
  'of the driver %s, nodes made by %s have backups: %s',
  async (COMPUTE_DRIVER, byoc_driver, kept) => {
    const environment = {
      ...{ COMPUTE_DRIVER, CLOUD: 'cloud_a', CLOUD_A_IMAGE: 'ami-12345678' },
      ...{ BACKUPS_DIR: '/backups', LOCAL_NODES_DIR: '/nodes' },
    } as SupervisorEnvironment;
    const look = await lookForBackups(environment, createLog('supervisor', 'error'), call.signal);
    expect((await look())({ byoc_driver })).toBe(kept);
  },
);
