import { randomUUID } from 'node:crypto';
import { idOf, topology, type TenantId } from '@sluice/contracts';
import { testDatabase, type TestDatabase } from '@sluice/testing';
import type pg from 'pg';
import {
  migrate,
  createPool,
  inTransaction,
  type Sql,
  system,
  type Origin,
  withContext,
} from '@sluice/service';
import { grantOf, quiet } from '../widget-service.ts';
import { createUnitOfWork, type Commit, type Outgoing, type UnitOfWorkOptions } from '@sluice/messaging';

const names = topology('widgets');
const now = () => new Date('2030-01-01T00:00:00.000Z');
let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.url, 2, quiet);
  await migrate(pool, new URL('../../test/migrations/', import.meta.url));
});
beforeEach(async () => {
  await pool.query('TRUNCATE outbox, widgets');
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const unitOfWork = (more: Partial<UnitOfWorkOptions<Sql>> = {}) =>
  createUnitOfWork<Sql>({
    transaction: (run) => inTransaction(pool, run),
    topology: names,
    sender: 'main-api',
    now,
    ...more,
  });

interface Row {
  message_id: string;
  ordering_key: string;
  subject: string;
  headers: Record<string, string>;
  payload: string;
}

async function rows(): Promise<Row[]> {
  return (await pool.query<Row>('SELECT * FROM outbox ORDER BY id')).rows;
}

/** The one row that `work` leads to. */
async function rowOf(work: (tx: Outgoing) => void, origin: Origin = system): Promise<Row> {
  await unitOfWork()(origin, async (tx) => work(tx));
  const [row, ...others] = await rows();
  expect(others).toEqual([]);
  if (!row) throw new Error('nothing was stored');
  return row;
}

const correlation_id = '6f9619ff-8b86-4011-b42d-00c04fc964ff';

/** What every envelope says. */
const head = (type: string, correlation: string | null = null) => ({
  id: expect.any(String) as string,
  type,
  occurred_at: '2030-01-01T00:00:00.000Z',
  correlation_id: correlation,
});

describe('what is stored of', () => {
  test('an event: all references, whoever caused it, in the order of its tenant', async () => {
    const cause = { author: grantOf().user, api_key: grantOf().api_key, correlation_id };
    const user = grantOf().user;
    const row = await rowOf(
      (tx) => tx.emit('division_deleted', { tenant_id: idOf<TenantId>(5), user }, { name: 'x' }),
      { cause },
    );
    expect(row).toMatchObject({
      ordering_key: 'tenant 5',
      subject: 'widgets.events.main-api.5.division_deleted',
      headers: {},
    });
    expect(JSON.parse(row.payload)).toEqual({
      ...head('division_deleted', correlation_id),
      tenant_id: 5,
      division: null,
      environment: null,
      deployment: null,
      user,
      author: cause.author,
      api_key: cause.api_key,
      data: { name: 'x' },
    });
    expect((JSON.parse(row.payload) as { id: string }).id).toBe(row.message_id);
  });

  test('a command: in the order of its region', async () => {
    const data = { deployment_id: 3 as never, uid: randomUUID(), cause: system.cause };
    const row = await rowOf((tx) =>
      tx.command({ cloud: 'cloud_a', region: 'us-east-1' }, 'deployment_delete', data),
    );
    expect(row).toMatchObject({
      ordering_key: 'region cloud_a us-east-1',
      subject: 'widgets.commands.cloud_a.us-east-1.deployment_delete',
    });
    expect(JSON.parse(row.payload)).toEqual({ ...head('deployment_delete'), id: row.message_id, data });
  });

  test('a report: in the order of all reports', async () => {
    const row = await rowOf(report);
    expect(row).toMatchObject({
      ordering_key: 'reports',
      subject: 'widgets.reports.main-api.region_registered',
    });
    expect(JSON.parse(row.payload)).toEqual({
      ...head('region_registered'),
      id: row.message_id,
      data: registration,
    });
  });

  test('a mail: in the order of its recipient', async () => {
    const data = { template: 'invitation', to: 'ada@example.com', sealed: 'x' } as const;
    const row = await rowOf((tx) => tx.mail(data));
    expect(row).toMatchObject({ ordering_key: 'mail ada@example.com', subject: 'widgets.mails.invitation' });
    expect(JSON.parse(row.payload)).toEqual({ ...head('invitation'), id: row.message_id, data });
  });

  test('anything in a request: its trace too', async () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    await withContext({ requestId: 'c'.repeat(32), traceparent }, () =>
      unitOfWork()(system, async (tx) => report(tx)),
    );
    expect((await rows())[0]?.headers).toEqual({ traceparent });
  });
});

const registration = {
  ...({ cloud: 'cloud_a', region: 'r', supervisor_url: 'http://localhost' } as const),
  ...{ clusters: false, options: {}, plugins: [] },
};
const report = (tx: Outgoing) => tx.report('region_registered', registration);

describe('a unit of work', () => {
  test('answers what the work does', async () => {
    expect(await unitOfWork()(system, async () => 7)).toBe(7);
    expect(await rows()).toEqual([]);
  });

  test('tells what it has committed', async () => {
    const commits: Commit[] = [];
    await unitOfWork({ committed: (commit) => void commits.push(commit) })(system, async (tx) => {
      report(tx);
      report(tx);
    });
    const { rows: stored } = await pool.query<{ id: number }>('SELECT id FROM outbox ORDER BY id');
    expect(commits).toEqual([{ outboxIds: stored.map(({ id }) => id), kinds: new Set(['report']) }]);
    expect(stored).toHaveLength(2);
  });

  test('that sends nothing tells nobody', async () => {
    let told = false;
    await unitOfWork({ committed: () => void (told = true) })(system, async () => undefined);
    expect(told).toBe(false);
  });

  test('is done when whoever is told of its commit is done', async () => {
    const committed = () => Promise.reject(new Error('not in force'));
    await expect(unitOfWork({ committed })(system, async (tx) => report(tx))).rejects.toThrow('not in force');
    expect(await rows()).toHaveLength(1);
  });

  test('that makes a message too large to be sent says so, and changes nothing', async () => {
    const emit = (bytes: number) =>
      unitOfWork()(system, async (tx) => {
        await tx.query("INSERT INTO widgets (name) VALUES ('a')");
        tx.emit('division_deleted', { tenant_id: idOf<TenantId>(5) }, { name: 'ä'.repeat(bytes / 2) });
      });
    await expect(emit(513 * 1024)).rejects.toThrow(
      /^A message on widgets.events.main-api.5.division_deleted has \d+ bytes; at most 524288 can be sent$/,
    );
    expect(await rows()).toEqual([]);
    expect((await pool.query('SELECT 1 FROM widgets')).rowCount).toBe(0);
    await emit(511 * 1024);
    expect(await rows()).toHaveLength(1);
  });

  test('ends with a last statement, without which nothing of it is stored', async () => {
    const origins: Origin[] = [];
    const insert = (tx: Sql & Outgoing) => {
      report(tx);
      return tx.query("INSERT INTO widgets (name) VALUES ('a')");
    };
    const beforeCommit = async (sql: Sql, origin: Origin) => {
      origins.push(origin);
      expect(await sql.query('SELECT 1 FROM widgets')).toHaveLength(1);
      throw new Error('refused');
    };
    await expect(unitOfWork({ beforeCommit })(system, insert)).rejects.toThrow('refused');
    expect(origins).toEqual([system]);
    expect(await rows()).toEqual([]);
    expect((await pool.query('SELECT 1 FROM widgets')).rowCount).toBe(0);
  });
});

test.each([
  ['tells of itself', (tx: Outgoing) => tx.report('api_keys_used', { uses: [] })],
  ['tells nothing', () => undefined],
])('a change that %s has the database watch its commit, in one statement', async (_what, tell) => {
  const right = { name: 'key', revision: 7 };
  const ran: string[] = [];
  let idle: unknown;
  const work = unitOfWork({
    transaction: (run) =>
      inTransaction(pool, async (sql) => {
        const result = await run({
          query: (text, values) => {
            ran.push(text);
            return sql.query(text, values);
          },
        });
        [idle] = await sql.query("SELECT current_setting('idle_in_transaction_session_timeout') AS idle");
        return result;
      }),
    grants: { commitMilliseconds: 500, beginCommit: () => () => undefined },
  });
  await work({ ...system, right }, async (tx) => tell(tx));
  expect(idle).toEqual({ idle: '500ms' });
  expect(ran).toHaveLength(1);
});
