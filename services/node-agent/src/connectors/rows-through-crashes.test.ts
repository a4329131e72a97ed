import { idOf, type ConnectorInstanceId, type DesiredState, type Heartbeat } from '@sluice/contracts';
import { eventually, ownBlocks, testDatabase, type TestDatabase } from '@sluice/testing';
import pg from 'pg';
import { removeNodes, runningNode } from '#test/node.ts';
import { everybody } from '#test/supervisor.ts';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await testDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 2 });
  pool.on('error', () => undefined);
});
afterEach(removeNodes);
afterAll(async () => {
  await pool.end();
  await database.drop();
});

type Wanted = NonNullable<DesiredState['connectors']>['instances'][number];

const count = 10_000;
const batch = 100;

/** An instance of the PostgreSQL plugins on the database of the test. */
function instance(id: number, type: 'source' | 'sink', plugin_config: object, stream: object): Wanted {
  const { hostname, port, username, password, pathname } = new URL(database.url);
  const login = {
    ...{ host: hostname, port: Number(port), database: pathname.slice(1), tls: 'disable' },
    ...{ username, password: decodeURIComponent(password) },
  };
  return {
    id: idOf<ConnectorInstanceId>(id),
    ...{ type, connector_key: 'postgres', key: `rows-${type}` },
    config: {
      ...{ id: 10 + id, version: 1 },
      values: { streams: [{ stream: 'rows', ...stream }], plugin_config: { ...login, ...plugin_config } },
    },
  };
}

const inserted = async () =>
  (
    await pool.query<{ rows: number; different: number }>(
      'SELECT count(*)::int AS rows, count(DISTINCT n)::int AS different FROM arrived',
    )
  ).rows[0] ?? { rows: 0, different: 0 };

test('10,000 rows get from table to table, whatever is killed: none is lost, none comes more often than it must', async () => {
  await pool.query(
    'CREATE TABLE written (n int PRIMARY KEY, value text); CREATE TABLE arrived (n int, message text)',
  );
  const source = instance(
    1,
    'source',
    { table: 'written', batch_rows: batch, interval: '100ms' },
    { topics: ['rows.new'], schema: 'json' },
  );
  const sink = instance(
    2,
    'sink',
    // without a unique column, so that each repetition can be seen
    { table: 'arrived', columns: ['n=payload.n', 'message=id'], id_column: '' },
    { batch_length: batch, poll_interval: '20ms', schema: 'json' },
  );
  const write = (from: number, to: number) =>
    pool.query(`INSERT INTO written SELECT n, 'row ' || n FROM generate_series($1::int, $2::int) AS n`, [
      from,
      to,
    ]);
  await write(1, count / 2);
  const node = await runningNode({ environment: { AGENT_CONNECTORS_ALLOWED: ownBlocks().join(',') } });
  const { supervisor, agent, startAgent, connectorsPids, brokerPid } = node;
  await supervisor.desire({
    access_rules: everybody,
    connectors: { state: 'running', instances: [source, sink] },
  });
  const kill = (pids: readonly number[]) => pids.forEach((pid) => process.kill(pid, 'SIGKILL'));
  const arrivedMore = async (than: number) => {
    await eventually(async () => expect((await inserted()).rows).toBeGreaterThan(than), {
      timeoutMs: 60_000,
    });
    return (await inserted()).rows;
  };

  let rows = await arrivedMore(0);
  kill(await connectorsPids());
  rows = await arrivedMore(rows);
  kill([await brokerPid()]);
  await arrivedMore(rows);
  await write(count / 2 + 1, count);
  agent.child.kill('SIGKILL');
  await agent.ended;
  startAgent();
  const both = (heartbeat: Heartbeat) =>
    heartbeat.connectors?.instances.filter(({ status }) => status === 'Running').length === 2;
  await supervisor.hears(both);

  await eventually(async () => expect((await inserted()).different).toBe(count), {
    timeoutMs: 120_000,
    everyMs: 200,
  });
  // what was not acknowledged when something was killed comes once more, and a broker that is killed forgets the
  // acknowledgements of its last moment: some of it, never all from the beginning
  expect((await inserted()).rows).toBeLessThan(1.5 * count);
}, 240_000);
