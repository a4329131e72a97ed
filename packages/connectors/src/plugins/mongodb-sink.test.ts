import type { ConfigValue } from '@sluice/contracts';
import { eventually } from '@sluice/testing';
import { MongoServer } from '../../test/fixtures/mongo-server.ts';
import { aMessage, configOf, testContext, unending } from '../../test/fixtures/plugin.ts';
import { connectorDestinations as destinations } from '../destination-guard.ts';
import { ConfigRefused, type PluginContext, type Sink } from '../plugin.ts';
import { mongodbSink } from './mongodb-sink.ts';

const server = new MongoServer();
const open: Sink[] = [];
beforeEach(() => server.forget());
afterEach(async () => {
  await Promise.all(open.splice(0).map((sink) => sink.close()));
});

async function aSink(
  values: Record<string, ConfigValue> = {},
  more: Partial<PluginContext> = {},
): Promise<Sink> {
  const where = { hosts: [server.host], tls: 'disable', database: 'shop', collection: 'orders' };
  const sink = await mongodbSink.open(
    configOf(mongodbSink, { ...where, ...values }),
    await testContext(more),
  );
  open.push(sink);
  return sink;
}

test('each message is a document with its id, and stays one when it comes again', async () => {
  const sink = await aSink();
  const batch = [aMessage({ n: 1 }, { id: 'a' }), aMessage('text', { id: 'b' })];
  expect(await sink.write(batch, unending())).toEqual([]);
  expect(await sink.write([...batch, aMessage(Buffer.from([0xff]), { id: 'c' })], unending())).toEqual([]);
  const about = {
    stream: 'orders',
    topic: 'orders.new',
    headers: {},
    published_at: new Date('2026-03-01T12:00:00Z'),
  };
  expect([...server.documents.values()]).toEqual([
    { _id: 'a', ...about, payload: { n: 1 } },
    { _id: 'b', ...about, payload: 'text' },
    { _id: 'c', ...about, payload_base64: '/w==' },
  ]);
});

test('payloads alone have to be objects, and get the id of their message', async () => {
  const sink = await aSink({ content: 'payload' });
  const payloads = [{ n: 1, 'a.b': { $c: 2 }, _id: 'own' }, [1], 'text', null];
  const batch = payloads.map((payload, at) => aMessage(payload, { id: `m${at}` }));
  expect((await sink.write(batch, unending())).map(({ id }) => id)).toEqual(['m1', 'm2', 'm3']);
  expect([...server.documents.values()]).toEqual([{ n: 1, 'a.b': { $c: 2 }, _id: 'm0' }]);
});

test('documents that the collection refuses are rejected, and no others', async () => {
  server.refuse = ({ _id }) => {
    if (_id === 'm1') return { code: 121, errmsg: 'Document failed validation' };
    const other = 'E11000 duplicate key error collection: shop.orders index: email_1 dup key: { email: "a" }';
    return _id === 'm2' ? { code: 11_000, errmsg: other } : null;
  };
  const batch = [0, 1, 2, 3].map((n) => aMessage({ n }, { id: `m${n}` }));
  const rejected = await (await aSink()).write(batch, unending());
  expect(rejected.map(({ id, reason }) => [id, reason])).toEqual([
    ['m1', 'Document failed validation (121)'],
    ['m2', expect.stringContaining('index: email_1 dup key') as string],
  ]);
  expect([...server.documents.keys()]).toEqual(['m0', 'm3']);
});

test('any other error is tried again, with nothing rejected meanwhile', async () => {
  server.refuse = ({ _id }) =>
    _id === 'a'
      ? { code: 121, errmsg: 'invalid' }
      : { code: 11_602, errmsg: 'interrupted by s3cret-password' };
  const sink = await aSink({ username: '', password: 's3cret-password' });
  await expect(sink.write([aMessage(1, { id: 'a' }), aMessage(2, { id: 'b' })], unending())).rejects.toThrow(
    'The server answered interrupted by *** (11602)',
  );
});

test('a server that hangs is left when time is up, with all its connections', async () => {
  server.hangs = true;
  const sink = await aSink();
  const ending = new AbortController();
  const written = sink.write([aMessage()], ending.signal);
  await eventually(() => expect(server.commands).toEqual(['insert']));
  ending.abort(new Error('time is up'));
  await expect(written).rejects.toThrow('time is up');
  await eventually(() => expect(server.connections).toBe(0));
  server.hangs = false;
  expect(await sink.write([aMessage(1, { id: 'a' })], unending())).toEqual([]);
});

test('a connection that is cut is made again', async () => {
  const sink = await aSink();
  await sink.write([aMessage(1, { id: 'a' })], unending());
  server.disconnect();
  await eventually(() => sink.write([aMessage(2, { id: 'b' })], unending()));
  expect([...server.documents.keys()]).toEqual(['a', 'b']);
});

test('addresses of the node are refused, as such, by name, and when a server names them', async () => {
  const guarded = destinations({ allowed: [], refused: [] });
  await expect(aSink({}, { destinations: guarded })).rejects.toThrow(ConfigRefused);
  const port = server.host.split(':')[1];
  const byName = await aSink({ hosts: [`localhost:${port}`] }, { destinations: guarded });
  await expect(byName.write([aMessage()], unending())).rejects.toThrow('may not connect to localhost');
  // a replica set whose other member is at an address that may not be connected to
  server.hello = {
    setName: 'rs',
    hosts: [server.host, '127.9.9.9:27017'],
    me: server.host,
    primary: server.host,
  };
  const only = destinations({ allowed: ['127.0.0.1'], refused: [] });
  const led = await aSink({ replica_set: 'rs' }, { destinations: only });
  await expect(led.write([aMessage()], unending())).rejects.toThrow('may not connect to 127.9.9.9');
});

test.each<[Record<string, ConfigValue>]>([
  [{ hosts: ['ada:s3cret@db.example'] }],
  [{ hosts: ['db.example/?authMechanism=MONGODB-AWS'] }],
  [{ hosts: ['/tmp/mongodb.sock'] }],
  [{ collection: 'system.users' }],
  [{ database: 'a.b' }],
])('the schema refuses %j', async (values) => {
  await expect(aSink(values)).rejects.toThrow('has to match');
});
