import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createLog, readConfig, type RunningService } from '@sluice/service';
import { freePort, testFolder } from '@sluice/testing';
import { own, refusal, send, tab, writeWebApp } from '#test/console.ts';
import { startConsole } from '../../app.ts';
import { consoleEnvironment } from '../../config.ts';

const host = '127.0.0.1:7606';
const onlyOfOther = '/assets/other-1b2c3d4e.js';
let replica: RunningService;
let other: RunningService;
let folder: string;
let folderOfOther: string;
/** what reaches a server in the place of all other replicas */
let reached: IncomingMessage[] = [];
const silent = createServer((request) => reached.push(request));

const start = async (files: string, CONSOLE_REPLICAS?: string) =>
  await startConsole(
    readConfig(consoleEnvironment, {
      ...{ PORT: '0', LOG_LEVEL: 'error', PUBLIC_URL: `http://${host}`, CONSOLE_FILES: files },
      ...{ MAIN_API_URL: 'http://127.0.0.1:1', AUDIT_URL: 'http://127.0.0.1:1' },
      ...(CONSOLE_REPLICAS !== undefined && { CONSOLE_REPLICAS }),
    }),
    createLog('console', 'error'),
  );
const ask = (path: string, headers: Record<string, string> = {}, of = replica) =>
  send(of.port, 'GET', path, { host, ...own, 'sec-fetch-dest': 'script', ...headers });

beforeAll(async () => {
  [folder, folderOfOther] = [await testFolder(), await testFolder()];
  await Promise.all([folder, folderOfOther].map(writeWebApp));
  await writeFile(join(folderOfOther, onlyOfOther), 'the other build');
  await writeFile(join(folderOfOther, `${onlyOfOther}.br`), 'packed');
  await writeFile(join(folderOfOther, 'other.svg'), '<svg/>');
  other = await start(folderOfOther);
  replica = await start(folder, `http://localhost:${other.port}`);
  await once(silent.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  reached.forEach(({ socket }) => socket.destroy());
  reached = [];
});
afterAll(async () => {
  silent.close();
  await Promise.all([replica, other].map((one) => one.stop()));
  await Promise.all([folder, folderOfOther].map((one) => rm(one, { recursive: true })));
});

test('a file of another build comes from the replica that has it, as that sends it', async () => {
  const plain = await ask(onlyOfOther);
  expect([plain.status, plain.text, plain.headers['cache-control']]).toEqual([
    200,
    'the other build',
    'public, max-age=31536000, immutable',
  ]);
  expect(plain.headers['content-type']).toContain('javascript');
  const packed = await ask(onlyOfOther, { 'accept-encoding': 'br' });
  expect([packed.text, packed.headers['content-encoding']]).toEqual(['packed', 'br']);
});

test('what is in no build, has no hash, or is asked for by a replica is not looked for', async () => {
  for (const path of ['/assets/none-00000000.js', '/other.svg', '/assets/..%2fother-1b2c3d4e.js'])
    expect(refusal(await ask(path))).toBe('404 unknown_path');
  expect(refusal(await ask(onlyOfOther, { 'sluice-console-replica': 'yes' }))).toBe('404 unknown_path');
});

test('a document and what other sites ask for are answered here', async () => {
  const document = await send(replica.port, 'GET', onlyOfOther, { host, ...tab });
  expect([document.status, document.text]).toEqual([200, 'the other build']);
  expect(refusal(await ask(onlyOfOther, { 'sec-fetch-site': 'cross-site' }))).toBe('403 foreign_origin');
});

test.each([
  ['are away', async () => await freePort()],
  ['do not answer', async () => (silent.address() as AddressInfo).port],
])('where the others %s a file that is not here is not found', async (_case, portOf) => {
  const alone = await start(folder, `http://localhost:${await portOf()}`);
  try {
    expect(refusal(await ask(onlyOfOther, {}, alone))).toBe('404 unknown_path');
    expect((await ask('/assets/app-0a1b2c3d.js', {}, alone)).status).toBe(200);
  } finally {
    await alone.stop();
  }
});
