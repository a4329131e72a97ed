import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { CreateBucketCommand, ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import {
  eventually,
  ownPostgres,
  postgresClient,
  serverCertificates,
  showCertificate,
  testAws,
  testFolder,
  type OwnServer,
  type ServerCertificates,
} from '@sluice/testing';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import pg from 'pg';
import { settingsOf } from './config.ts';
import { createDumps, listDumps, restoreDump, verifyDump } from './dumps.ts';
import { openStore } from './open-store.ts';

let programs: string[] | null;
let identity: string;
let certificates: ServerCertificates;
let source: OwnServer;
let target: OwnServer;
const path = process.env['PATH'];
beforeAll(async () => {
  programs = await postgresClient();
  process.env['PATH'] = [...(programs ?? []), path].join(delimiter);
  identity = await generateX25519Identity();
  certificates = await serverCertificates(await testFolder());
  [source, target] = await Promise.all([ownPostgres(), ownPostgres()]);
  for (const server of [source, target]) {
    await showCertificate(server, certificates.valid);
    await query(
      server,
      'postgres',
      `CREATE ROLE main_api LOGIN PASSWORD 'with @/: in it'`,
      `CREATE ROLE reader`,
      `CREATE DATABASE main_api OWNER main_api`,
    );
  }
  await query(source, 'main_api', `SET ROLE main_api`, ...someData);
}, 300_000);
afterAll(async () => {
  process.env['PATH'] = path;
  await Promise.all([source.remove(), target.remove()]);
});

const someData = [
  `CREATE TYPE state AS ENUM ('open', 'closed')`,
  `CREATE TABLE parents (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, state state NOT NULL, data jsonb, bytes bytea)`,
  `CREATE TABLE log (at timestamptz NOT NULL, parent bigint REFERENCES parents) PARTITION BY RANGE (at)`,
  `CREATE TABLE log_2026 PARTITION OF log FOR VALUES FROM ('2026-01-01') TO ('2027-01-01')`,
  `CREATE FUNCTION changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN RETURN NEW; END $$`,
  `CREATE TRIGGER changed BEFORE UPDATE ON parents FOR EACH ROW EXECUTE FUNCTION changed()`,
  `GRANT SELECT ON parents TO reader`,
  `INSERT INTO parents (state, data, bytes) SELECT 'open', jsonb_build_object('n', n, 'text', 'ä' || md5(n::text)), sha256(n::text::bytea)
   FROM generate_series(1, 20000) AS n`,
  `INSERT INTO log SELECT '2026-05-01', id FROM parents WHERE id % 3 = 0`,
];

async function query(server: OwnServer, database: string, ...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client({
    connectionString: Object.assign(new URL(server.url), { pathname: database }).href,
  });
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}

/** All that is in the database, rights and all. */
const contents = (server: OwnServer) =>
  query(
    server,
    'main_api',
    `SELECT (SELECT json_agg(parents ORDER BY id)::text FROM parents) AS parents,
            (SELECT json_agg(log ORDER BY parent)::text FROM log) AS log,
            (SELECT json_agg(json_build_array(relname, relkind, relowner::regrole, relacl) ORDER BY relname)::text
             FROM pg_class WHERE relnamespace = 'public'::regnamespace) AS objects,
            (SELECT json_agg(tgname)::text FROM pg_trigger WHERE NOT tgisinternal) AS triggers`,
  );

async function environmentFor(server: OwnServer, more: NodeJS.ProcessEnv = {}): Promise<NodeJS.ProcessEnv> {
  const folder = await testFolder();
  const url = Object.assign(new URL(server.url), {
    ...{ username: 'main_api', password: encodeURIComponent('with @/: in it'), pathname: 'main_api' },
  });
  await writeFile(join(folder, 'DATABASE_URL.main-api'), `${url.href}\n`);
  return {
    DATABASE_URLS_DIR: folder,
    DATABASE_TLS_CA_FILE: certificates.ca,
    DUMPS_RECIPIENTS: await identityToRecipient(identity),
    DUMPS_IDENTITY: `# public key: age1…\n${identity}\n`,
    ...more,
  };
}

const lines: string[] = [];
const options = { say: (line: string) => void lines.push(line), signal: new AbortController().signal };
const create = (environment: NodeJS.ProcessEnv, more = {}) =>
  createDumps(settingsOf.create(environment), [], { ...options, ...more });
const restore = (environment: NodeJS.ProcessEnv, wanted = 'latest') =>
  restoreDump(settingsOf.restore(environment), 'main-api', wanted);
/** Without a database. */
const verify = ({ DATABASE_URLS_DIR: _, ...environment }: NodeJS.ProcessEnv, wanted = 'latest') =>
  verifyDump(settingsOf.verify(environment), 'main-api', wanted);
const emptyTarget = () =>
  query(target, 'postgres', 'DROP DATABASE main_api WITH (FORCE)', 'CREATE DATABASE main_api OWNER main_api');
const isEmpty = async () =>
  (await query(target, 'main_api', `SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace`))
    .length === 0;

/** Each file below a folder, with its content. */
async function filesIn(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(await Promise.all(files.map(async (file) => [file, await readFile(file)] as const)));
}

test('a dump is restored on another server as it was, by a role without further rights; nothing of it lies readable on a disk', async () => {
  if (!programs) return;
  const DUMPS_DIR = await testFolder();
  await create(await environmentFor(source, { DUMPS_DIR }));
  const [[file = '', content] = []] = await filesIn(DUMPS_DIR);
  expect(file).toMatch(/main-api\/[\dTZ-]+\.dump\.age$/);
  expect(content?.subarray(0, 21).toString()).toBe('age-encryption.org/v1');
  expect(content?.includes('PGDMP')).toBe(false);
  const environment = await environmentFor(target, { DUMPS_DIR });
  await emptyTarget();
  const name = await verify(environment);
  expect(name).toMatch(/^main-api\//);
  expect(await restore(environment)).toBe(name);
  expect(await contents(target)).toEqual(await contents(source));
  // what has data is not overwritten
  await expect(restore(environment)).rejects.toThrow(/not empty/);
});

test('another key, a truncated and a changed dump are refused, and leave the database empty', async () => {
  if (!programs) return;
  const DUMPS_DIR = await testFolder();
  await create(await environmentFor(source, { DUMPS_DIR }));
  const [[file = '', whole = Buffer.alloc(0)] = []] = await filesIn(DUMPS_DIR);
  expect(whole.length).toBeGreaterThan(200_000);
  await emptyTarget();
  const environment = await environmentFor(target, { DUMPS_DIR });
  const otherKey = { ...environment, DUMPS_IDENTITY: await generateX25519Identity() };
  await expect(restore(otherKey)).rejects.toThrow(/no identity matched/);
  await expect(verify(otherKey)).rejects.toThrow(/no identity matched/);
  const chunk = 64 * 1024 + 16;
  const header = whole.indexOf('\n---') + 1;
  const start = whole.indexOf('\n', header) + 1 + 16;
  for (const [what, changed] of [
    ['its last byte', whole.subarray(0, -1)],
    ['its last chunk', whole.subarray(0, start + Math.floor((whole.length - start - 1) / chunk) * chunk)],
    ['half', whole.subarray(0, whole.length / 2)],
    ['a bit', Buffer.from(whole).fill((whole[150_000] ?? 0) ^ 1, 150_000, 150_001)],
    ['the last bit', Buffer.from(whole).fill((whole.at(-1) ?? 0) ^ 1, whole.length - 1)],
    [
      'two chunks',
      Buffer.concat([
        whole.subarray(0, start),
        whole.subarray(start + chunk, start + 2 * chunk),
        whole.subarray(start, start + chunk),
        whole.subarray(start + 2 * chunk),
      ]),
    ],
  ] as const) {
    await writeFile(file, changed);
    await expect(verify(environment).catch((error: unknown) => `${what}: ${String(error)}`)).resolves.toMatch(
      new RegExp(`^${what}: `),
    );
    await expect(
      restore(environment).catch((error: unknown) => `${what}: ${String(error)}`),
    ).resolves.toMatch(new RegExp(`^${what}: `));
    expect([what, await isEmpty()]).toEqual([what, true]);
  }
  await writeFile(file, whole);
  await restore(environment);
  expect(await contents(target)).toEqual(await contents(source));
}, 120_000);

test('a dump that fails on its way leaves nothing that looks whole, and the one before stays', async () => {
  if (!programs) return;
  const DUMPS_DIR = await testFolder();
  const environment = await environmentFor(source, { DUMPS_DIR });
  await create(environment);
  const before = [...(await filesIn(DUMPS_DIR)).keys()];
  // pg_dump that ends with an error after a part of its output
  const broken = await testFolder();
  const program = `#!/bin/sh\nPATH='${process.env['PATH']}'\npg_dump "$@" | head -c 300000\necho 'server closed the connection' >&2\nexit 1\n`;
  await writeFile(join(broken, 'pg_dump'), program, { mode: 0o755 });
  const working = process.env['PATH'];
  process.env['PATH'] = `${broken}${delimiter}${working}`;
  try {
    await expect(create(environment)).rejects.toThrow('There is no new dump of main-api.');
  } finally {
    process.env['PATH'] = working;
  }
  expect(lines.at(-1)).toMatch(/failed: pg_dump ended with 1: server closed the connection/);
  expect([...(await filesIn(DUMPS_DIR)).keys()]).toEqual(before);
  // the pod is ended
  const stopping = new AbortController();
  const stopped = create(environment, { signal: stopping.signal });
  stopping.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow();
  expect([...(await filesIn(DUMPS_DIR)).keys()]).toEqual(before);
});

test('an empty database, such as one that is about to be restored, is not dumped', async () => {
  if (!programs) return;
  const DUMPS_DIR = await testFolder();
  await create(await environmentFor(source, { DUMPS_DIR }));
  const before = await listDumps(settingsOf.list({ DUMPS_DIR }));
  await emptyTarget();
  await expect(create(await environmentFor(target, { DUMPS_DIR }))).rejects.toThrow(
    'There is no new dump of main-api.',
  );
  expect(lines.at(-1)).toMatch(/failed: the database is empty$/);
  expect(await listDumps(settingsOf.list({ DUMPS_DIR }))).toEqual(before);
});

test('no dump goes by a connection that is not secured as asked', async () => {
  if (!programs) return;
  const environment = await environmentFor(source, {
    DUMPS_DIR: await testFolder(),
    DATABASE_TLS_CA_FILE: certificates.otherCa,
  });
  await expect(create(environment)).rejects.toThrow('There is no new dump of main-api.');
  expect(lines.at(-1)).toMatch(/certificate verify failed/);
  await showCertificate(source, undefined);
  await expect(create({ ...environment, DATABASE_TLS_CA_FILE: certificates.ca })).rejects.toThrow();
  expect(lines.at(-1)).toMatch(/server does not support SSL/);
  await showCertificate(source, certificates.valid);
});

test('a dump is removed after its days, once there is a newer one, and nothing else is', async () => {
  if (!programs) return;
  const DUMPS_DIR = await testFolder();
  const environment = await environmentFor(source, { DUMPS_DIR, DUMPS_KEEP_DAYS: '2' });
  const folder = join(DUMPS_DIR, 'main-api');
  await mkdir(folder);
  const others = ['2020-01-01T00-00-00-000Z.dump.age.copy', 'notes.txt'];
  for (const name of others) await writeFile(join(folder, name), 'of an operator');
  const at = (day: number) => create(environment, { now: () => new Date(Date.UTC(2026, 0, day, 3)) });
  for (const day of [1, 2, 3, 4]) await at(day);
  const names = await listDumps(settingsOf.list({ DUMPS_DIR }), 'main-api');
  expect(names.map((name) => name.slice(9, 19))).toEqual(['2026-01-02', '2026-01-03', '2026-01-04']);
  expect((await readdir(folder)).filter((name) => others.includes(name)).sort()).toEqual(others.sort());
});

test('a bucket has whole dumps only, and keeps no parts of those that failed', async () => {
  const aws = programs && (await testAws());
  if (!aws) return;
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any' });
  const s3 = new S3Client({ endpoint: aws.endpoint, region: 'us-east-1', forcePathStyle: true });
  try {
    const Bucket = 'dumps';
    await s3.send(new CreateBucketCommand({ Bucket }));
    const place = { DUMPS_BUCKET: Bucket, DUMPS_PREFIX: 'sluice/', DUMPS_ENDPOINT: aws.endpoint };
    await create(await environmentFor(source, place));
    await emptyTarget();
    await restore(await environmentFor(target, place));
    expect(await contents(target)).toEqual(await contents(source));

    // of several parts
    const store = openStore(settingsOf.list(place));
    const { Readable } = await import('node:stream');
    const { signal } = options;
    const parts = (count: number, end?: Error) =>
      Readable.from(
        (function* () {
          for (let part = 0; part < count; part++) yield Buffer.alloc(8 * 1024 * 1024, part);
          if (end) throw end;
        })(),
      );
    expect(await store.write('whole', parts(5), signal)).toBe(40 * 1024 * 1024);
    await expect(store.write('half', parts(5, new Error('it fails')), signal)).rejects.toThrow('it fails');
    expect(await store.list('')).toEqual([expect.stringMatching(/^main-api\//), 'whole']);
    const uploads = async () => (await s3.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads ?? [];
    await eventually(async () => expect(await uploads()).toEqual([]));
  } finally {
    s3.destroy();
    await aws.stop();
  }
}, 300_000);

test.each<[string, NodeJS.ProcessEnv, RegExp]>([
  ['no place', {}, /DUMPS_DIR or DUMPS_BUCKET/],
  ['two places', { DUMPS_DIR: '/x', DUMPS_BUCKET: 'dumps' }, /DUMPS_DIR or DUMPS_BUCKET/],
  ['a secret key as recipient', { DUMPS_DIR: '/x', DUMPS_RECIPIENTS: 'AGE-SECRET-KEY-1X' }, /public keys/],
])('%s is refused', async (_what, more, reason) => {
  const environment = await environmentFor(source, more);
  expect(() => settingsOf.create(environment)).toThrow(reason);
});
