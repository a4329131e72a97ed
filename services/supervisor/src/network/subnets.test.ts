import { idOf, type DeploymentId } from '@sluice/contracts';
import { migrate } from '@sluice/service';
import { openKysely } from '@sluice/service/kysely';
import { testDatabase, type TestDatabase } from '@sluice/testing';
import { sql } from 'kysely';
import pg from 'pg';
import type { Database, Tables } from '@sluice/region-store/tables';
import { deleteDeployment, changeDeployment } from '@sluice/region-store/deployments.store';
import { takeSubnet } from '@sluice/region-store/subnets.store';

const pool = { range: '10.0.0.0/8', first: '10.0.0.0/24', count: 65_536, size: 256 };
const small = { range: '192.168.0.0/22', first: '192.168.0.0/24', count: 4, size: 256 };

let server: TestDatabase;
let database: Database;
let connections: pg.Pool;

beforeAll(async () => {
  server = await testDatabase();
  connections = new pg.Pool({ connectionString: server.url, max: 5 });
  await migrate(connections, new URL('../../migrations/', import.meta.url));
  database = openKysely<Tables>(connections);
});
afterAll(async () => {
  await database.destroy();
  await server.drop();
});
beforeEach(async () => {
  await connections.query('TRUNCATE deployments, subnet_ranges CASCADE');
});

/** Deployments with these ids; `subnet` is an expression over `id`. */
const insert = (from: number, to: number, subnet = 'NULL') =>
  connections.query(
    `INSERT INTO deployments (id, uid, generation, spec, created_by, username, sealed_password, status, status_changed_at, subnet)
     SELECT id, gen_random_uuid(), 1, '{"tenant_id": 1, "division": {"id": 1}, "environment": {"id": 1}}', '{}', '', '', 'creating', now(), ${subnet}
     FROM generate_series($1::bigint, $2::bigint) AS id`,
    [from, to],
  );
const nth = "network('10.0.0.0/24'::inet + (id - 1) * 256)::cidr";

/** What the network driver does in its transaction. @returns the subnet, and how many rows it has read */
const take = (id: number, from = pool) =>
  database.transaction().execute(async (tx) => {
    const deployment = idOf<DeploymentId>(id);
    const counted = sql<{ read: number }>`
      SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS read
      FROM pg_stat_xact_user_tables`;
    const readSoFar = async () => (await counted.execute(tx)).rows[0]?.read ?? 0;
    // the counts of the transaction before on this connection may not have been flushed
    const before = await readSoFar();
    const subnet = await takeSubnet(tx, deployment, from);
    if (subnet !== undefined) await changeDeployment(tx, deployment, { subnet });
    return { subnet, read: (await readSoFar()) - before };
  });
const free = (id: number) => deleteDeployment(database, idOf<DeploymentId>(id));

test('are given from the lowest on, each to one deployment, and again once it is gone', async () => {
  await insert(1, 20);
  const taken = await Promise.all(Array.from({ length: 10 }, (_, index) => take(index + 1)));
  expect(new Set(taken.map(({ subnet }) => subnet)).size).toBe(10);
  await free(3);
  expect((await take(11)).subnet).toBe(taken[2]?.subnet);
  // a step that is repeated has its subnet already
  expect((await take(11)).subnet).toBe(taken[2]?.subnet);
});

test('are none when all are taken, until one is given back', async () => {
  await insert(1, 6);
  const taken = [];
  for (const id of [1, 2, 3, 4, 5]) taken.push((await take(id, small)).subnet);
  expect(taken).toEqual(['192.168.0.0/24', '192.168.1.0/24', '192.168.2.0/24', '192.168.3.0/24', undefined]);
  await free(2);
  expect((await take(6, small)).subnet).toBe('192.168.1.0/24');
});

test('are found without looking through those that are taken', async () => {
  await insert(1, 65_535, nth);
  await connections.query('INSERT INTO subnets (subnet, deployment_id) SELECT subnet, id FROM deployments');
  await insert(100_000, 100_010);
  await connections.query('ANALYZE deployments, subnets');
  expect((await take(100_000)).subnet).toBe('10.255.255.0/24');
  expect(await take(100_001)).toEqual({ subnet: undefined, read: expect.any(Number) as number });
  await free(40_000);
  const { subnet, read } = await take(100_002);
  expect(subnet).toBe('10.156.63.0/24');
  expect(read).toBeLessThan(20);
  expect((await take(100_003)).read).toBeLessThan(20);
});
