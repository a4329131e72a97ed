import {
  CreateBucketCommand,
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { client as clientOf, eventually, metricsOf, testAws, type TestAws } from '@sluice/testing';
import { auditService, entries, verified } from '#test/audit-service.ts';
import { anEvent, record } from '#test/events.ts';

const on = auditService({ per: 'test', sender: 'audit' });
const credentials = { AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any' };
let aws: TestAws | null = null;
let s3: S3Client;
beforeAll(async () => {
  aws = await testAws();
  Object.assign(process.env, credentials);
  const endpoint = aws?.endpoint ?? 'http://127.0.0.1:1';
  s3 = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true });
}, 300_000);
afterAll(async () => {
  for (const name of Object.keys(credentials)) Reflect.deleteProperty(process.env, name);
  s3.destroy();
  await aws?.stop();
});

/** a machine at load */
const inTime = 180_000;
const slow = { timeoutMs: 60_000 };
const start = (bucket: string, more: Record<string, string> = {}) =>
  on.start({
    ...{ AUDIT_HEADS_BUCKET: bucket, AUDIT_HEADS_ENDPOINT: aws?.endpoint ?? '' },
    ...{ AUDIT_HEADS_PREFIX: 'sluice/heads/', AUDIT_HEADS_MINUTES: '0.01', ...more },
  });
const versionsIn = async (Bucket: string) =>
  (await s3.send(new ListObjectVersionsCommand({ Bucket }))).Versions ?? [];
const seqsIn = async (bucket: string) =>
  (await versionsIn(bucket)).map(({ Key = '' }) =>
    Number(/\/1\/(\d{16})-[0-9a-f]{64}\.json$/.exec(Key)?.[1]),
  );

test(
  'heads in a bucket with object lock cannot be deleted, and what a deletion hides is read all the same',
  async () => {
    if (!aws) return;
    const Bucket = 'locked';
    await s3.send(new CreateBucketCommand({ Bucket, ObjectLockEnabledForBucket: true }));
    const audit = await start(Bucket, { AUDIT_HEADS_LOCK_DAYS: '30' });
    const key = await on.key();
    await record(on, anEvent(), anEvent(), anEvent());
    await eventually(async () => expect(await seqsIn(Bucket)).toContain(3), slow);
    expect(await verified(audit, key)).toMatchObject({ intact: true, published_heads: { refused: 0 } });
    expect(await metricsOf(audit.url)).toMatch(/^sluice_audit_heads_published_seconds \d{10}/m);
    await audit.stop();

    const before = await versionsIn(Bucket);
    for (const { Key, VersionId } of before) {
      await expect(s3.send(new DeleteObjectCommand({ Bucket, Key, VersionId }))).rejects.toThrow();
      await s3.send(new DeleteObjectCommand({ Bucket, Key }));
    }
    // as the owner of the database can, without a flaw
    await on.sql('ALTER TABLE log_entries DISABLE TRIGGER USER');
    await on.sql('DELETE FROM log_entries WHERE seq = 3');
    await on.sql('UPDATE log_heads SET seq = 2, hash = (SELECT hash FROM log_entries WHERE seq = 2)');
    const again = await start(Bucket, { AUDIT_HEADS_MINUTES: '600' });
    await record(on, anEvent());
    expect(await verified(again, key)).toMatchObject({
      intact: false,
      break: { seq: 3, reason: 'rewritten' },
    });
  },
  inTime,
);

test(
  'a head is put into a bucket once, and what another client puts there is counted',
  async () => {
    if (!aws) return;
    const Bucket = 'plain';
    await s3.send(new CreateBucketCommand({ Bucket }));
    const audit = await start(Bucket);
    const key = await on.key();
    await record(on, anEvent());
    await eventually(async () => expect(await seqsIn(Bucket)).toEqual([1]), slow);
    const other = await start(Bucket);
    await record(on, anEvent());
    await eventually(async () => expect(await seqsIn(Bucket)).toContain(2), slow);
    // both have published the first as well, many times
    const names = (await versionsIn(Bucket)).map(({ Key }) => Key);
    expect(new Set(names).size).toBe(names.length);
    await audit.stop();

    const forged = [
      ['forged', JSON.stringify({ tenant_id: 1, seq: 1, hash: 'f'.repeat(64), at: '', signature: '' })],
    ];
    for (const [name, Body] of [...forged, ['long', 'x'.repeat(10_000)]])
      await s3.send(new PutObjectCommand({ Bucket, Key: `sluice/heads/1/${name}.json`, Body }));
    const found = await verified(other, key);
    expect(found).toMatchObject({ intact: true, published_heads: { refused: 2 } });
    expect(found.published_heads.agreed).toBeGreaterThanOrEqual(1);
  },
  inTime,
);

test(
  'a bucket that does not answer delays no entry, and a log is not said to be whole meanwhile',
  async () => {
    if (!aws) return;
    const audit = await start('missing');
    const key = await on.key();
    await record(on, anEvent());
    const answer = await clientOf(audit.url, key).get('/audit/tenants/1/verify');
    expect([answer.status, answer.body]).toEqual([503, expect.objectContaining({ code: 'unavailable' })]);
    expect((await entries(audit, key)).items).toHaveLength(1);
  },
  inTime,
);
