import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { ConfigValue } from '@sluice/contracts';
import { eventually, startMariadb, type MariadbServer } from '@sluice/testing';
import { createPool, type Pool } from 'mysql2/promise';
import { aMessage, configOf, testContext, unending } from '../../test/fixtures/plugin.ts';
import { connectorDestinations as destinations } from '../destination-guard.ts';
import { ConfigRefused, type Sink } from '../plugin.ts';
import { mysqlSink } from './mysql-sink.ts';

let server: MariadbServer | null = null;
let pool: Pool;
const closing: (() => unknown)[] = [];
let tables = 0;

beforeAll(async () => {
  server = await startMariadb();
  if (!server) return;
  const { port, database, user } = server;
  const login = { user: user.username, password: user.password, database };
  const forms = { timezone: 'Z', supportBigNumbers: true, bigNumberStrings: true };
  pool = createPool({ host: '127.0.0.1', port, ...login, ...forms, connectionLimit: 3 });
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(async () => {
  await pool?.end();
  await server?.kill();
});

/** A test that needs MariaDB: without it, it is left out. */
const withServer = (name: string, work: (on: MariadbServer, table: string) => Promise<void>) =>
  test(name, async () => {
    if (server) await work(server, `t${++tables}`);
  });

function configured(values: Record<string, ConfigValue>) {
  const where = { host: '127.0.0.1', port: server?.port ?? 1, database: 'shop', tls: 'disable' };
  const login = { ...(server?.user ?? { username: 'ada' }) };
  return configOf(mysqlSink, { ...where, ...login, table: 't', ...values });
}

async function aSink(values: Record<string, ConfigValue>): Promise<Sink> {
  const sink = await mysqlSink.open(configured(values), await testContext());
  closing.push(() => sink.close());
  return sink;
}

const rowsOf = async (table: string, columns = '*') =>
  (await pool.query(`SELECT ${columns} FROM ${table} ORDER BY id`))[0] as Record<string, unknown>[];

withServer('each message is a row, and stays one when it comes again', async (_, table) => {
  const sink = await aSink({ table, create_table: true });
  const messages = [aMessage({ n: 1 }, { id: 'a' }), aMessage('it\'s "te\\xt" \u{1f600}?', { id: 'b' })];
  expect(await sink.write(messages, unending())).toEqual([]);
  const more = [aMessage(null, { id: 'c' }), aMessage([1.5], { id: 'A' })];
  expect(await sink.write([...messages, ...more, ...messages], unending())).toEqual([]);
  const about = { topic: 'orders.new', published_at: new Date('2026-03-01T12:00:00Z') };
  expect(await rowsOf(table)).toEqual([
    { id: 'A', ...about, payload: [1.5] },
    { id: 'a', ...about, payload: { n: 1 } },
    { id: 'b', ...about, payload: 'it\'s "te\\xt" \u{1f600}?' },
    { id: 'c', ...about, payload: null },
  ]);
});

withServer(
  'values of the payload become what their columns are, without losing a digit',
  async (_, table) => {
    await pool.query(
      `CREATE TABLE ${table} (id VARCHAR(99) PRIMARY KEY, amount DECIMAL(40, 10), big BIGINT, yes BOOLEAN, bits BIT(8), born DATETIME(3),
       day DATE, name TEXT, list LONGTEXT, address JSON, said JSON, \`all\` TEXT, raw BLOB, made INT DEFAULT 7)`,
    );
    const paths = ['amount', 'big', 'yes', 'bits', 'born', 'day', 'name', 'list', 'address', 'said'];
    const columns = [...paths.map((name) => `${name}=payload.${name}`), 'all=payload', 'raw=payload_bytes'];
    const sink = await aSink({ table, columns: ['id=id', ...columns] });
    const payload =
      '{"amount": 12345678901234567890.1234567891, "big": 9007199254740993, "yes": true, "bits": 5, "born": "2026-01-02T03:04:05.678+02:00", ' +
      '"day": "2026-01-02", "name": 1.50, "list": [1.50, {"a": 9007199254740993}], "address": {"no": 9007199254740993}, "said": "yes"}';
    expect(await sink.write([aMessage(Buffer.from(payload), { id: 'a' })], unending())).toEqual([]);
    const [row] = await rowsOf(
      table,
      `amount, big, yes, bits + 0 AS bits, born, CAST(day AS CHAR) AS day, name, list, CAST(address AS CHAR) AS address,
     CAST(said AS CHAR) AS said, \`all\`, raw, made`,
    );
    expect(row).toEqual({
      ...{ amount: '12345678901234567890.1234567891', big: '9007199254740993', yes: 1, bits: 5 },
      ...{ born: new Date('2026-01-02T01:04:05.678Z'), day: '2026-01-02', name: '1.50' },
      ...{ list: '[1.50,{"a":9007199254740993}]', address: '{"no":9007199254740993}', said: '"yes"' },
      ...{ all: expect.stringContaining('9007199254740993') as string, raw: Buffer.from(payload), made: 7 },
    });
  },
);

withServer('2,000 in batches, half of them twice', async (_, table) => {
  const sink = await aSink({ table, create_table: true });
  const all = Array.from({ length: 2_000 }, (_value, n) => aMessage({ n }, { id: `m${n}` }));
  for (let at = 0; at < all.length; at += 500)
    await sink.write(all.slice(Math.max(0, at - 250), at + 500), unending());
  expect(await rowsOf(table, 'count(*) AS count, count(DISTINCT id) AS ids')).toEqual([
    { count: '2000', ids: '2000' },
  ]);
});

withServer('rows that the table refuses are rejected, and no others', async (_, table) => {
  await pool.query(
    `CREATE TABLE ${table} (id VARCHAR(9) COLLATE utf8mb4_general_ci PRIMARY KEY, n INT NOT NULL CHECK (n < 100), mail VARCHAR(5) UNIQUE)`,
  );
  const sink = await aSink({ table, columns: ['id=id', 'n=payload.n', 'mail=payload.mail'] });
  const payloads = [
    ...[{ n: 1, mail: 'a' }, { n: 'many' }, { n: 2, mail: 'b' }, {}, { n: 100 }],
    ...[{ n: 3, mail: 'a' }, { n: 4, mail: 'too long' }, { n: 12345678901 }, { n: 5 }],
  ];
  const messages = payloads.map((payload, place) => aMessage(payload, { id: `m${place}` }));
  const rejected = await sink.write([...messages, aMessage({ n: 6 }, { id: 'M0' })], unending());
  const reason = (text: string) => expect.stringContaining(text) as string;
  expect(rejected.toSorted((one, other) => one.id.localeCompare(other.id, 'en'))).toEqual([
    // an id that the table takes for another one is no repetition
    { id: 'M0', reason: reason("Duplicate entry 'M0' for key 'PRIMARY' (1062)") },
    { id: 'm1', reason: reason('1366') },
    { id: 'm3', reason: reason("Column 'n' cannot be null") },
    { id: 'm4', reason: reason('CONSTRAINT') },
    { id: 'm5', reason: reason("Duplicate entry 'a' for key 'mail'") },
    { id: 'm6', reason: reason('Data too long') },
    { id: 'm7', reason: reason('Out of range') },
  ]);
  expect((await rowsOf(table, 'n')).map(({ n }) => n)).toEqual([1, 2, 5]);
});

withServer(
  'what can be no row: bytes that are no text, what is larger than the server takes, or nested without end',
  async (_, table) => {
    const sink = await aSink({
      table,
      create_table: true,
      columns: ['id=id', 'payload=payload', 'a=payload.a'],
    });
    const deep = Buffer.from(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    const rejected = await sink.write(
      [
        aMessage(Buffer.from([0xff]), { id: 'bytes' }),
        aMessage('x'.repeat(2_200_000), { id: 'large' }),
        aMessage(deep, { id: 'deep' }),
        ...Array.from({ length: 5 }, (_value, n) => aMessage('x'.repeat(900_000), { id: `good${n}` })),
      ],
      unending(),
    );
    expect(rejected.map(({ id }) => id)).toEqual(['bytes', 'large', 'deep']);
    expect(await rowsOf(table, 'count(*) AS id')).toEqual([{ id: '5' }]);
  },
);

withServer(
  'a table that is gone, or lacks a column, fails the batch, and takes it once it is as it should be',
  async (_, table) => {
    const sink = await aSink({ table, create_table: true });
    const write = () => sink.write([aMessage(1, { id: 'a' })], unending());
    await pool.query(`ALTER TABLE ${table} DROP COLUMN topic`);
    await expect(write()).rejects.toThrow("Unknown column 'topic'");
    await pool.query(`RENAME TABLE ${table} TO ${table}_elsewhere`);
    await expect(write()).rejects.toThrow("doesn't exist");
    await pool.query(`RENAME TABLE ${table}_elsewhere TO ${table}`);
    await pool.query(`ALTER TABLE ${table} ADD COLUMN topic TEXT, ADD COLUMN must INT NOT NULL`);
    // about the table and not about one message
    await expect(write()).rejects.toThrow("Field 'must' doesn't have a default value");
    await pool.query(`ALTER TABLE ${table} DROP COLUMN must`);
    expect(await write()).toEqual([]);
    await expect(aSink({ table: 'missing' })).rejects.toThrow('is not there');
  },
);

withServer('a server that is killed is tried again, and has each row once', async (on, table) => {
  const sink = await aSink({ table, create_table: true });
  const batch = [aMessage(1, { id: 'a' }), aMessage(2, { id: 'b' })];
  await sink.write(batch.slice(0, 1), unending());
  await on.kill();
  await expect(sink.write(batch, unending())).rejects.toThrow(/ECONN|ended|lost|closed/i);
  await on.start();
  await eventually(() => sink.write(batch, unending()));
  expect((await rowsOf(table, 'id')).map(({ id }) => id)).toEqual(['a', 'b']);
});

withServer(
  'a table that is locked is left when time is up, and takes the batch later, once',
  async (_, table) => {
    const sink = await aSink({ table, create_table: true });
    const locker = await pool.getConnection();
    await locker.query(`LOCK TABLES ${table} WRITE`);
    const ending = new AbortController();
    const written = sink.write([aMessage(1, { id: 'a' })], ending.signal);
    const waiting = `SELECT 1 FROM information_schema.PROCESSLIST WHERE STATE LIKE 'Waiting for table metadata lock'`;
    await eventually(async () => expect((await pool.query(waiting))[0]).toHaveLength(1));
    ending.abort(new Error('time is up'));
    await expect(written).rejects.toThrow('time is up');
    await locker.query('UNLOCK TABLES');
    locker.release();
    expect(await sink.write([aMessage(1, { id: 'a' })], unending())).toEqual([]);
    expect(await rowsOf(table, 'id')).toEqual([{ id: 'a' }]);
  },
);

withServer(
  'TLS is verified, for a name; a login that is refused is said without the password',
  async (on, table) => {
    const secure = { host: 'localhost', tls: 'verify', table, create_table: true };
    const sink = await aSink({ ...secure, tls_ca: on.ca });
    expect(await sink.write([aMessage(1, { id: 'a' })], unending())).toEqual([]);
    await expect(aSink(secure)).rejects.toThrow(/certificate/);
    await expect(aSink({ ...secure, tls_ca: on.ca, host: '127.0.0.1' })).rejects.toThrow(ConfigRefused);
    const wrong: unknown = await aSink({ password: 'wr0ng-s3cret' }).catch((error: unknown) => error);
    expect(wrong).not.toBeInstanceOf(ConfigRefused);
    expect(String(wrong)).toContain('Access denied');
    expect(String(wrong)).not.toContain('wr0ng-s3cret');
  },
);

withServer(
  'a table where repetitions would not be noticed is refused, unless the configuration permits it',
  async (_, table) => {
    await pool.query(`CREATE TABLE ${table} (id VARCHAR(99), n INT, UNIQUE (id(5)), UNIQUE (id, n))`);
    const values = { table, columns: ['id=id', 'n=payload.n'] };
    await expect(aSink(values)).rejects.toThrow('has no unique index on id');
    await pool.query(`ALTER TABLE ${table} DROP INDEX id, DROP INDEX id_2`);
    const sink = await aSink({ ...values, id_column: '' });
    for (let again = 0; again < 2; again++) await sink.write([aMessage({ n: 1 }, { id: 'a' })], unending());
    expect(await rowsOf(table, 'id')).toEqual([{ id: 'a' }, { id: 'a' }]);
  },
);

withServer('a server with other modes has no say in what a value means', async (_, table) => {
  await pool.query("SET GLOBAL sql_mode = 'NO_BACKSLASH_ESCAPES,ANSI_QUOTES'");
  closing.push(() => pool.query('SET GLOBAL sql_mode = DEFAULT'));
  const sink = await aSink({ table, create_table: true });
  const text = `\\', NULL, NULL, NULL); DROP TABLE ${table}; -- `;
  await sink.write([aMessage(text, { id: 'a' })], unending());
  expect(await rowsOf(table, 'id, payload')).toEqual([{ id: 'a', payload: text }]);
});

withServer('a login that is refused for a while is tried again', async (_, table) => {
  const account = { username: 'eve', password: 'one-of-them' };
  const identified = (password: string) =>
    pool.query(`GRANT ALL ON *.* TO eve@'%' IDENTIFIED BY '${password}'`);
  await identified(account.password);
  const sink = await aSink({ ...account, table, create_table: true });
  await identified('another');
  const [threads] = await pool.query("SELECT id FROM information_schema.PROCESSLIST WHERE user = 'eve'");
  for (const { id } of threads as { id: string }[]) await pool.query(`KILL ${id}`);
  const write = () => sink.write([aMessage(1, { id: 'a' })], unending());
  await eventually(() => expect(write()).rejects.toThrow('Access denied'));
  await identified(account.password);
  expect(await write()).toEqual([]);
});

/** A server of the test's own, which is no MySQL. */
async function listening(onConnection: (socket: Socket) => void): Promise<number> {
  const other = createServer((socket) => onConnection(socket.on('error', () => {})));
  await once(other.listen(0, '127.0.0.1'), 'listening');
  closing.push(() => other.close());
  return (other.address() as AddressInfo).port;
}

test('a server that sends without end, or nothing at all, is left', async () => {
  const endless = await listening((socket) => {
    const packet = Buffer.alloc(1_048_576, 'x');
    packet.writeUIntLE(0xffffff, 0, 3);
    packet[3] = 0;
    for (let sent = 0; sent < 8; sent++) socket.write(packet);
  });
  await expect(aSink({ port: endless })).rejects.toThrow('too large');
  const heard = Promise.withResolvers<Socket>();
  const silent = await listening((socket) => heard.resolve(socket));
  const stopping = new AbortController();
  const opening = mysqlSink.open(
    configured({ port: silent }),
    await testContext({ stopping: stopping.signal }),
  );
  const socket = await heard.promise;
  stopping.abort(new Error('stopped'));
  await expect(opening).rejects.toThrow('stopped');
  await once(socket.resume(), 'close');
});

test.each<[Record<string, ConfigValue>, string]>([
  [{ columns: ['id=id', 'payload'] }, 'no source'],
  [{ columns: ['id=id', 'x=constructor'] }, 'no source'],
  [{ columns: ['id=id', 'x`; DROP TABLE y=topic'] }, 'no name'],
  [{ columns: ['id=id', 'x=topic.y'] }, 'no source'],
  [{ columns: ['id=payload.id'] }, 'not among columns as id=id'],
  [{ id_column: 'missing' }, 'not among columns'],
])('%j can never work', async (values, message) => {
  const refused: unknown = await aSink(values).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ConfigRefused);
  expect((refused as Error).message).toContain(message);
});

test('addresses that connectors may not reach are refused, also behind a name', async () => {
  const guarded = await testContext({ destinations: destinations({ allowed: [], refused: [] }) });
  await expect(mysqlSink.open(configured({}), guarded)).rejects.toThrow(ConfigRefused);
  await expect(mysqlSink.open(configured({ host: 'localhost' }), guarded)).rejects.toThrow(
    'may not connect to localhost',
  );
});
