import { gunzipSync } from 'node:zlib';
import { CreateBucketCommand, GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { client as clientOf, eventually, testAws, type TestAws } from '@sluice/testing';
import { auditService } from '#test/audit-service.ts';
import { allowExport, named, record } from '#test/events.ts';

const on = auditService({ replicas: 1, environment: { SINKS_PLAIN_TEXT: 'true' } });
let aws: TestAws | null = null;
let s3: S3Client;
beforeAll(async () => {
  aws = await testAws();
  const credentials = { accessKeyId: 'any', secretAccessKey: 'any' };
  const endpoint = aws?.endpoint ?? 'http://127.0.0.1:1';
  s3 = new S3Client({ endpoint, region: 'us-east-1', credentials, forcePathStyle: true });
  if (aws) await s3.send(new CreateBucketCommand({ Bucket: 'logs' }));
}, 300_000);
afterAll(async () => {
  s3.destroy();
  await aws?.stop();
});

const path = '/audit/tenants/1/sink';
const settings = (more: object = {}) => ({
  ...{ endpoint: aws?.endpoint, bucket: 'logs', prefix: 'acme/', path_style: true },
  ...{ access_key_id: 'AKIDEXAMPLE', secret_access_key: 'wJalrXUtnFEMI-s3cret', ...more },
});
const keys = async () =>
  ((await s3.send(new ListObjectsV2Command({ Bucket: 'logs' }))).Contents ?? []).map(({ Key = '' }) => Key);
const linesOf = async (Key: string) => {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: 'logs', Key }));
  const text = gunzipSync((await Body?.transformToByteArray()) ?? '').toString();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { seq: number });
};
const slow = { timeoutMs: 45_000 };

test('a bucket gets each entry, in objects that are named after the first of them', async () => {
  if (!aws) return;
  const api = clientOf(on.replica().url, await on.key());
  await allowExport(on);
  await record(on, named('a'), named('b'), named('c'));
  expect((await api.put(path, { s3: settings(), interval_seconds: 1, start: 'beginning' })).status).toBe(204);
  expect((await api.get(path)).body).toMatchObject({
    kind: 's3',
    s3: { secret_access_key: '***', bucket: 'logs' },
  });
  // with the entry of the sink itself
  const written = async () => (await Promise.all((await keys()).map(linesOf))).flat().map(({ seq }) => seq);
  await eventually(async () => expect(await written()).toEqual([1, 2, 3, 4]), slow);
  expect((await keys())[0]).toBe('acme/0000000000000001.ndjson.gz');
  // what was written and not noted takes its own place
  const before = await keys();
  await on.sql('UPDATE sinks SET position = 0, due_at = now()');
  await eventually(
    async () => expect((await on.sql('SELECT position::int FROM sinks'))[0]).toEqual({ position: 4 }),
    slow,
  );
  expect(before).toEqual(expect.arrayContaining((await keys()).slice(0, 1)) as unknown);
  expect(new Set(await written())).toEqual(new Set([1, 2, 3, 4]));

  expect((await api.post(`${path}/test`)).body).toEqual({ taken: true, reason: null });
  expect(await keys()).toContain('acme/sluice-test.ndjson.gz');
  await on.sql('UPDATE sinks SET tested_at = NULL');
  await api.put(path, { s3: settings({ bucket: 'missing' }), enabled: false });
  expect((await api.post(`${path}/test`)).body).toMatchObject({
    taken: false,
    reason: expect.stringContaining('NoSuchBucket') as string,
  });
});
