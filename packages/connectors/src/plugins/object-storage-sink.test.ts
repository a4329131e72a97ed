import { gunzipSync } from 'node:zlib';
import { CreateBucketCommand, GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import type { ConfigValue } from '@sluice/contracts';
import { eventually, testAws, type TestAws } from '@sluice/testing';
import { RecordingServer } from '../../test/fixtures/http-server.ts';
import { aMessage, configOf, testContext, unending } from '../../test/fixtures/plugin.ts';
import { connectorDestinations as destinations } from '../destination-guard.ts';
import { ConfigRefused, type Sink } from '../plugin.ts';
import { objectStorageSink } from './object-storage-sink.ts';

const server = new RecordingServer();
const open: Sink[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((sink) => sink.close()));
});

const keys = { access_key_id: 'AKIDEXAMPLE', secret_access_key: 'wJalrXUtnFEMI-s3cret' };

async function aSink(values: Record<string, ConfigValue>): Promise<Sink> {
  const config = configOf(objectStorageSink, { bucket: 'lake', path_style: true, ...keys, ...values });
  const sink = await objectStorageSink.open(config, await testContext());
  open.push(sink);
  return sink;
}

describe('on a server with the API of S3', () => {
  let s3: TestAws | null = null;
  let client: S3Client;

  beforeAll(async () => {
    s3 = await testAws();
    const credentials = { accessKeyId: 'any', secretAccessKey: 'any' };
    client = new S3Client({
      endpoint: s3?.endpoint ?? server.url,
      region: 'us-east-1',
      credentials,
      forcePathStyle: true,
    });
    if (s3) await client.send(new CreateBucketCommand({ Bucket: 'lake' }));
  }, 300_000);
  afterAll(async () => {
    client.destroy();
    await s3?.stop();
  });

  const list = async (Prefix: string) =>
    ((await client.send(new ListObjectsV2Command({ Bucket: 'lake', Prefix }))).Contents ?? []).map(
      ({ Key = '' }) => Key,
    );
  const read = async (Key: string) => (await client.send(new GetObjectCommand({ Bucket: 'lake', Key }))).Body;

  test('a batch is an object per prefix, and overwrites itself when it comes again', async () => {
    if (!s3) return;
    const sink = await aSink({ endpoint: s3.endpoint, prefix: 'a/{stream}/{topic}/{yyyy}-{mm}-{dd}T{hh}/' });
    const batch = [
      aMessage(Buffer.from('{"big": 9007199254740993}'), { id: '1' }),
      aMessage({ n: 2 }, { id: '2', topic: 'orders.>/../x' }),
      aMessage('text', { id: '3' }),
    ];
    expect(await sink.write(batch, unending())).toEqual([]);
    const objects = await list('a/');
    expect(await sink.write(batch, unending())).toEqual([]);
    expect(await list('a/')).toEqual(objects);
    expect(objects).toEqual([
      expect.stringMatching(/^a\/orders\/orders\.__\.\._x\/2026-03-01T12\/[0-9a-f]{40}\.ndjson$/) as string,
      expect.stringMatching(/^a\/orders\/orders\.new\/2026-03-01T12\/[0-9a-f]{40}\.ndjson$/) as string,
    ]);
    const about =
      '"stream":"orders","topic":"orders.new","headers":{},"published_at":"2026-03-01T12:00:00.000Z"';
    expect(await (await read(objects[1] ?? ''))?.transformToString()).toBe(
      `{"id":"1",${about},"payload":{"big": 9007199254740993}}\n{"id":"3",${about},"payload":"text"}\n`,
    );
  });

  test('payloads alone, compressed', async () => {
    if (!s3) return;
    const sink = await aSink({
      endpoint: s3.endpoint,
      prefix: 'b/',
      content: 'payload',
      compression: 'gzip',
    });
    const bad = aMessage(Buffer.from('no JSON'));
    const pretty = aMessage(Buffer.from('{\n  "n": "a\\nb"\n}'));
    expect(await sink.write([aMessage({ n: 1 }), bad, pretty], unending())).toEqual([
      { id: bad.id, reason: 'The payload is not JSON' },
    ]);
    const [object = ''] = await list('b/');
    expect(object).toMatch(/\.ndjson\.gz$/);
    const lines = gunzipSync(
      Buffer.from((await (await read(object))?.transformToByteArray()) ?? []),
    ).toString();
    expect(lines.split('\n').map((line) => (line ? (JSON.parse(line) as unknown) : null))).toEqual([
      { n: 1 },
      { n: 'a\nb' },
      null,
    ]);
  });

  test('a bucket that is not there fails the batch', async () => {
    if (!s3) return;
    const sink = await aSink({ endpoint: s3.endpoint, bucket: 'missing' });
    await expect(sink.write([aMessage()], unending())).rejects.toThrow('NoSuchBucket');
  });
});

test('a request is signed with the keys of the configuration, and holds the object as it is', async () => {
  const sink = await aSink({ endpoint: server.url, prefix: '' });
  await sink.write([aMessage({ n: 1 }, { id: 'a' })], unending());
  expect(server.received).toHaveLength(1);
  const { method, path, headers, body } = server.received[0] ?? { headers: {} };
  expect([method, path]).toEqual(['PUT', expect.stringMatching(/^\/lake\/[0-9a-f]{40}\.ndjson/)]);
  expect(headers.authorization).toContain('Credential=AKIDEXAMPLE/');
  expect(JSON.parse(body ?? '')).toMatchObject({ id: 'a', payload: { n: 1 } });
});

test('what a storage says against a request is told without secrets, and all is tried again', async () => {
  server.answers(
    403,
    `<Error><Code>SignatureDoesNotMatch</Code><Message>not by ${keys.secret_access_key}</Message></Error>`,
    { 'content-type': 'application/xml' },
  );
  const failed: unknown = await (
    await aSink({ endpoint: server.url })
  )
    .write([aMessage()], unending())
    .catch((e: unknown) => e);
  expect((failed as Error).message).toBe('The storage answered SignatureDoesNotMatch: not by ***');
});

test('a storage that hangs is left when time is up', async () => {
  server.received.length = 0;
  server.answer = () => undefined;
  const ending = new AbortController();
  const written = (await aSink({ endpoint: server.url })).write([aMessage()], ending.signal);
  await eventually(() => expect(server.received).toHaveLength(1));
  ending.abort(new Error('time is up'));
  await expect(written).rejects.toThrow('time is up');
});

test('an answer that never ends is not read', async () => {
  server.answer = (_, response) => {
    response.writeHead(500, { 'content-type': 'application/xml' });
    const more = () =>
      void (response.destroyed || response.write('x'.repeat(50_000), () => setImmediate(more)));
    more();
  };
  await expect((await aSink({ endpoint: server.url })).write([aMessage()], unending())).rejects.toThrow(
    'too long',
  );
  await eventually(async () => expect(await server.connections()).toBe(0));
});

test('a storage that is away fails the batch', async () => {
  await expect(
    (await aSink({ endpoint: 'http://127.0.0.1:1' })).write([aMessage()], unending()),
  ).rejects.toThrow('ECONNREFUSED');
});

test('addresses of the node are refused, as such and by name', async () => {
  const context = await testContext({ destinations: destinations({ allowed: [], refused: [] }) });
  const openAt = (endpoint: string) =>
    objectStorageSink.open(
      configOf(objectStorageSink, { bucket: 'lake', path_style: true, ...keys, endpoint }),
      context,
    );
  await expect(openAt('http://169.254.169.254')).rejects.toThrow(ConfigRefused);
  await expect(openAt('https://storage.example:0')).rejects.toThrow('must not have port 0');
  const sink = await openAt('http://localhost:9000');
  open.push(sink);
  await expect(sink.write([aMessage()], unending())).rejects.toThrow('may not connect to localhost');
});

test.each<[Record<string, ConfigValue>]>([
  [{ bucket: 'arn:aws:s3:::x' }],
  [{ prefix: '{month}/' }],
  [{ region: 'x/../y' }],
  [{ endpoint: 'https://ada:s3cret@storage.example' }],
])('the schema refuses %j', (values) => {
  expect(() => configOf(objectStorageSink, { bucket: 'lake', ...keys, ...values })).toThrow('has to match');
});
