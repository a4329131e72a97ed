import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { topology } from '@sluice/contracts';
import pg from 'pg';
import { eventually, ownNats, ownPostgres, testDatabase, testNats } from './index.ts';

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 500, query_timeout: 500 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    void client.end();
  }
}

async function streamNames(manager: JetStreamManager): Promise<string[]> {
  const names: string[] = [];
  for await (const name of manager.streams.names()) names.push(name);
  return names;
}

describe('testDatabase', () => {
  test('gives every caller a database of its own, which drop removes with its connections', async () => {
    const [a, b] = await Promise.all([testDatabase(), testDatabase()]);
    await query(a.url, 'create table only_here (id int)');
    await expect(query(b.url, 'select * from only_here')).rejects.toThrow('does not exist');

    const inside = new pg.Client({ connectionString: a.url });
    const cut = new Promise((resolve) => inside.on('error', resolve));
    await inside.connect();
    await Promise.all([a.drop(), b.drop()]);
    await cut;
    await expect(query(a.url, 'select 1')).rejects.toThrow('does not exist');
    await a.drop();
  });

  test('with a template gives each its own copy of what is made once', async () => {
    let makings = 0;
    const make = async (pool: pg.Pool) => {
      makings++;
      await pool.query('create table made (id int)');
    };
    const template = { name: 'testing', make };
    const [a, b] = await Promise.all([testDatabase(template), testDatabase(template)]);
    await query(a.url, 'insert into made values (1)');
    expect(await query(b.url, 'select * from made')).toEqual([]);
    await Promise.all([a.drop(), b.drop()]);
    expect(makings).toBe(1);
  });

  test('a template that could not be made is made again by the next who asks', async () => {
    const failing = { name: 'failing', make: () => Promise.reject(new Error('no')) };
    await expect(testDatabase(failing)).rejects.toThrow('no');
    const database = await testDatabase({
      name: 'failing',
      make: (pool) => pool.query('create table made ()'),
    });
    expect(await query(database.url, 'select * from made')).toEqual([]);
    await database.drop();
  });

  test('tells letters beyond ASCII apart and folds their case', async () => {
    const database = await testDatabase();
    expect(await query(database.url, "select lower('ÄÉЖ') as folded")).toEqual([{ folded: 'äéж' }]);
    await database.drop();
  });
});

describe('testNats', () => {
  test('gives every caller a namespace of its own and deletes its streams only', async () => {
    const [a, b] = [testNats(), testNats()];
    const connection = await connect({ servers: a.url });
    const manager = await jetstreamManager(connection);
    for (const { namespace } of [a, b]) {
      const { streams, buckets } = topology(namespace);
      await manager.streams.add({ name: streams.events.name, subjects: streams.events.subjects });
      await manager.streams.add({ name: `KV_${buckets.grants}`, subjects: [`$KV.${buckets.grants}.>`] });
    }

    await a.deleteNamespace();

    const left = await streamNames(manager);
    expect(left.filter((name) => name.toLowerCase().includes(a.namespace))).toEqual([]);
    expect(left.filter((name) => name.toLowerCase().includes(b.namespace))).toHaveLength(2);
    await b.deleteNamespace();
    await b.deleteNamespace();
    await connection.close();
  });
});

describe("a server of the test's own", () => {
  test('PostgreSQL keeps address and data through a kill, and hangs while it is paused', async () => {
    const server = await ownPostgres();
    await query(server.url, 'create table kept (id int)');

    await server.kill();
    await expect(query(server.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
    await server.start();
    expect(await query(server.url, 'select * from kept')).toEqual([]);

    server.pause();
    await expect(query(server.url, 'select 1')).rejects.toThrow('timeout');
    server.resume();
    await eventually(() => query(server.url, 'select 1'));
    await server.remove();
  });

  test('NATS keeps address and streams through a stop and a kill', async () => {
    const server = await ownNats();
    const streams = async () => {
      const connection = await connect({ servers: server.url });
      const names = await streamNames(await jetstreamManager(connection));
      await connection.close();
      return names;
    };
    const connection = await connect({ servers: server.url });
    await (await jetstreamManager(connection)).streams.add({ name: 'KEPT', subjects: ['kept'] });
    await connection.close();

    await server.stop();
    await expect(streams()).rejects.toThrow();
    await server.start();
    expect(await streams()).toEqual(['KEPT']);
    await server.kill();
    await server.start();
    expect(await streams()).toEqual(['KEPT']);
    await server.remove();
  });
});

describe('eventually', () => {
  test('answers once the check passes', async () => {
    let calls = 0;
    const answer = await eventually(() => {
      calls++;
      if (calls < 3) throw new Error('not yet');
      return 'passed';
    });
    expect(answer).toBe('passed');
    expect(calls).toBe(3);
  });

  test('throws what the check threw last when time is up', async () => {
    let calls = 0;
    const check = () => {
      calls++;
      throw new Error(`attempt ${calls}`);
    };
    await expect(eventually(check, { timeoutMs: 60 })).rejects.toThrow(/^attempt [2-9]/);
  });
});
