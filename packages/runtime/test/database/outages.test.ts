import {
  byTcp,
  client,
  eventually,
  faultProxy,
  publishGrant,
  whileLocked,
  type Answer,
  type FaultProxy,
} from '@sluice/testing';
import { tokenHash } from '@sluice/contracts';
import pg from 'pg';
import { grantOf, quiet, widgetService, type WidgetService } from '../widget-service.ts';
import { createPool, inTransaction, sqlOf, takeTime, isBusy, isTransient, sqlState } from '@sluice/service';

const on = widgetService({
  environment: {
    DATABASE_LOCK_SECONDS: '0.3',
    DATABASE_STATEMENT_SECONDS: '1',
    DATABASE_POOL_SIZE: '4',
    GRANT_LEASE_SECONDS: '30',
  },
});
let proxy: FaultProxy;
let widgets: WidgetService;
let key: string;

on.onOpen(async () => {
  const address = byTcp(on.databaseUrl);
  proxy = await faultProxy(Number(address.port));
  address.port = String(proxy.port);
  address.hostname = '127.0.0.1';
  widgets = await on.widgets({ DATABASE_URL: address.href });
  key = await publishGrant(widgets.runtime, grantOf());
  await eventually(async () => expect(await widgets.runtime.grants.find(tokenHash(key))).toBeDefined());
  on.onClose(() => proxy.close());
});

const create = (name: string) => client(widgets.url, key).post('/tenants/1/widgets', { name });
const shown = ({ status, body, headers }: Answer) => [
  status,
  body['code'],
  body['retryable'],
  headers.get('retry-after'),
];
const readiness = () => client(widgets.url).get('/readyz');

test('a change that waits too long for a lock is 503, to be tried again, and changes nothing', async () => {
  await whileLocked(on.databaseUrl, 'LOCK TABLE widgets IN SHARE MODE', async () => {
    expect(shown(await create('lock'))).toEqual([503, 'database_busy', true, '1']);
  });
  expect((await create('lock')).status).toBe(201);
});

test('a statement that takes too long is given up by the database, unless it was given time', async () => {
  const pool = createPool(on.databaseUrl, 1, quiet, { statementSeconds: 0.2 });
  const error: unknown = await pool.query('SELECT pg_sleep(5)').catch((reason: unknown) => reason);
  expect([sqlState(error), isBusy(error), isTransient(error)]).toEqual(['57014', true, true]);
  const slow = inTransaction(pool, async (sql) => {
    await takeTime(sql);
    return await sql.query('SELECT pg_sleep(0.3) IS NULL AS done');
  });
  expect(await slow).toEqual([{ done: false }]);
  await expect(sqlOf(pool).query('SELECT pg_sleep(5)')).rejects.toThrow();
  await pool.end();
});

test('a database that takes no writes for now is 503, and once it does again so does the service', async () => {
  const database = new URL(on.databaseUrl).pathname.slice(1);
  const away =
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
  await on.sql(`ALTER DATABASE ${database} SET default_transaction_read_only = on`);
  await on.sql(away);
  await eventually(async () =>
    expect(shown(await create('stand')).slice(0, 3)).toEqual([503, 'unavailable', true]),
  );
  const admin = new pg.Client({
    connectionString: on.databaseUrl,
    options: '-c default_transaction_read_only=off',
  });
  await admin.connect();
  await admin.query(`ALTER DATABASE ${database} RESET default_transaction_read_only`);
  await admin.end();
  // no connection that was made in between stays read-only
  await eventually(async () => expect((await create('again')).status).toBe(201));
});

describe('while all connections are in use', () => {
  let held: pg.PoolClient[];
  beforeEach(async () => {
    await eventually(async () => expect((await readiness()).status).toBe(200));
    const { pool } = widgets.runtime;
    held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  });
  afterEach(() => {
    for (const connection of held) connection.release();
  });

  test('the service is ready', async () => {
    const answer = await readiness();
    expect(answer.body['checks']).toMatchObject({ database: 'ok' });
  });

  test('the metrics tell who waits, and for how long', async () => {
    const { pool, metrics } = widgets.runtime;
    const measured = async (name: string) => {
      const { values } = (await metrics.getSingleMetric(`sluice_database_pool_${name}`)?.get()) ?? {
        values: [],
      };
      return values.find(({ labels }) => labels['pool'] === 'service')?.value;
    };
    const waiting = pool.query('SELECT 1');
    expect(await measured('size')).toBe(4);
    expect(await measured('used')).toBe(4);
    expect(await measured('waiting')).toBeGreaterThanOrEqual(1);
    held.shift()?.release();
    await waiting;
    expect(await measured('wait_seconds')).toBeGreaterThanOrEqual(1);
  });
});

test('a database that has gone silent: readiness says so in time, requests are 503, and all goes on afterwards', async () => {
  proxy.dropRequests();
  const [ready, refused] = await Promise.all([readiness(), create('lost')]);
  expect([ready.status, ready.body['checks'], ready.body['reasons']]).toEqual([
    503,
    expect.objectContaining({ database: 'unavailable', nats: 'ok' }),
    { database: expect.any(String) as unknown },
  ]);
  expect([refused.status, refused.body['retryable']]).toEqual([503, true]);
  proxy.restore();
  await eventually(async () => expect((await create('found')).status).toBe(201));
  await eventually(async () => expect((await readiness()).status).toBe(200));
});

test('a database that is gone for a moment: requests are 503, and all goes on afterwards', async () => {
  proxy.disconnect();
  expect(shown(await create('away')).slice(0, 3)).toEqual([503, 'unavailable', true]);
  expect((await readiness()).body['checks']).toMatchObject({ database: 'unavailable' });
  proxy.restore();
  await eventually(async () => expect((await create('back')).status).toBe(201));
  await eventually(async () => expect((await readiness()).status).toBe(200));
});
