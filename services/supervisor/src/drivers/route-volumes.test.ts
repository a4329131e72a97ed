import { idOf, type BackupId, type DeploymentId, type NodeId } from '@sluice/contracts';
import { Schedule } from '@sluice/controller';
import { createLog, migrate } from '@sluice/service';
import { aDeployment, eventually, testDatabase, type TestDatabase } from '@sluice/testing';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { Registry } from '@prometheus-io/client';
import type { Database, Tables } from '@sluice/region-store/tables';
import { beginBackup, findCopyPlace } from '@sluice/region-store/backups.store';
import { findProvisioner } from '@sluice/region-store/enrolments.store';
import { backupSupport } from './backup-support.ts';
import { removalsJob } from '../volume-work/removals.ts';
import { routeVolumesByProvisioner } from './route-volumes.ts';
import type { ComputeDriver, VolumeDriver } from '@sluice/drivers';

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
    `INSERT INTO deployments (id, uid, generation, spec, created_by, username, sealed_password, status, status_changed_at, byoc_driver)
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
  routeVolumesByProvisioner(
    {
      ofNode: (node) => findProvisioner(database, node),
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

test('there are backups where the driver of the nodes makes copies, and says that it can now', async () => {
  const compute = {} as ComputeDriver;
  let isAvailable = false;
  const pods = { compute, volumes: noting('own', []), hasBackups: () => Promise.resolve(isAvailable) };
  const support = backupSupport(pods, {
    enrol: { compute },
    cloud_a: { compute, volumes: noting('cloud_a', []) },
    elsewhere: undefined,
  });
  const kept = async () => {
    const keeps = await support();
    return [null, 'cloud_a', 'enrol', 'elsewhere', 'unknown'].filter((byoc_driver) => keeps({ byoc_driver }));
  };
  expect(await kept()).toEqual(['cloud_a']);
  isAvailable = true;
  expect(await kept()).toEqual([null, 'cloud_a']);
});
