import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ConfigValue } from '@sluice/contracts';
import { eventually, smallDisk, testFolder } from '@sluice/testing';
import { aMessage, configOf, testContext, unending, type TestContext } from '../../test/fixtures/plugin.ts';
import { ConfigRefused, type Sink } from '../plugin.ts';
import { fileSink } from './file-sink.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function aSink(values: Record<string, ConfigValue> = {}, context?: TestContext) {
  const on = context ?? (await testContext());
  const sink = await fileSink.open(configOf(fileSink, values), on);
  closing.push(() => sink.close());
  return { sink, context: on, files: join(on.folder, 'files') };
}

const write = (sink: Sink, ...payloads: unknown[]) =>
  sink.write(
    payloads.map((payload) => aMessage(payload)),
    unending(),
  );
const namesIn = async (folder: string) => (await readdir(folder)).sort();
/** All lines in a folder, in order; each has its end. */
async function linesIn(folder: string): Promise<string[]> {
  const lines: string[] = [];
  for (const name of await namesIn(folder)) {
    const bytes = await readFile(join(folder, name));
    const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
    expect(text.at(-1)).toBe('\n');
    lines.push(...text.split('\n').slice(0, -1));
  }
  return lines;
}
/** `size` bytes as a line of JSON. */
const ofBytes = (size: number) => 'x'.repeat(size - 3);

test('each message is a line with all that is known of it, in a file that grows', async () => {
  const { sink, files } = await aSink();
  const message = aMessage(Buffer.from('{"n":\n 1.10}'), { id: 'a', headers: { Kind: 'new' } });
  expect(await sink.write([message, aMessage('text', { id: 'b' })], unending())).toEqual([]);
  expect((await linesIn(files))[0]).toBe(
    '{"id":"a","stream":"orders","topic":"orders.new","headers":{"Kind":"new"},"published_at":"2026-03-01T12:00:00.000Z","payload":{"n":  1.10}}',
  );
  await write(sink, 'more');
  expect(await linesIn(files)).toHaveLength(3);
  expect(await namesIn(files)).toEqual([
    expect.stringMatching(/^messages-00000001-\d{8}T\d{6}Z\.ndjson\.open$/),
  ]);
});

test('a payload alone has to be JSON, or one line of text', async () => {
  const json = await aSink({ content: 'payload', prefix: 'json' });
  const batch = [
    aMessage(Buffer.from([0xff]), { id: 'bytes' }),
    aMessage(Buffer.from('a\nb'), { id: 'lines' }),
    aMessage({ n: 1 }),
  ];
  expect((await json.sink.write(batch, unending())).map(({ id }) => id)).toEqual(['bytes', 'lines']);
  expect(await linesIn(json.files)).toEqual(['{"n":1}']);
  const text = await aSink({ content: 'text' });
  expect(await text.sink.write(batch, unending())).toEqual([
    { id: 'bytes', reason: 'The payload is not text' },
    { id: 'lines', reason: 'The payload has several lines' },
  ]);
  expect(await namesIn(text.files)).toEqual([expect.stringMatching(/\.txt\.open$/)]);
});

test('a file that is large enough is finished, and compressed; all lines stay in order', async () => {
  const { sink, files, context } = await aSink({
    content: 'payload',
    max_file: '64KiB',
    compression: 'gzip',
  });
  const payloads = Array.from({ length: 1_000 }, (_, n) => `${n} ${'x'.repeat(200)}`);
  for (let at = 0; at < 1_000; at += 100) await write(sink, ...payloads.slice(at, at + 100));
  expect(await sink.write([aMessage(ofBytes(65_537), { id: 'long' })], unending())).toEqual([
    { id: 'long', reason: 'Its line is longer than max_file' },
  ]);
  await eventually(async () =>
    expect((await namesIn(files)).map((name) => name.split('.').slice(1).join('.'))).toEqual([
      ...['ndjson.gz', 'ndjson.gz', 'ndjson.gz', 'ndjson.open'],
    ]),
  );
  expect((await linesIn(files)).map((line) => JSON.parse(line) as unknown)).toEqual(payloads);
  expect(context.told).toEqual([]);
});

test('a file that is old enough is finished, also while nothing comes', async () => {
  const { sink, files } = await aSink({ max_file_age: '1s' });
  await write(sink, 1);
  await eventually(async () =>
    expect(await namesIn(files)).toEqual([expect.stringMatching(/1-.*\.ndjson$/)]),
  );
  await write(sink, 2);
  expect(await namesIn(files)).toHaveLength(2);
});

const small = { content: 'payload', max_file: '64KiB', max_total: '192KiB' };

test('there are never more bytes than configured: the oldest files go, also those from before', async () => {
  const { sink, files, context } = await aSink(small);
  for (let n = 0; n < 20; n++) await write(sink, ofBytes(30_000), n);
  await sink.close();
  await writeFile(join(files, 'of-somebody-else'), 'x'.repeat(60_000));
  const { sink: next } = await aSink({ ...small, prefix: 'other' }, context);
  await write(next, ofBytes(30_000), 'last');
  const sizes = await Promise.all(
    (await namesIn(files)).map(async (name) => (await stat(join(files, name))).size),
  );
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(192 * 1_024);
  await rm(join(files, 'of-somebody-else'));
  const kept = await linesIn(files);
  expect(kept.slice(-3)).toEqual(['19', JSON.stringify(ofBytes(30_000)), '"last"']);
});

test('where nothing may be removed, messages wait until a person has taken files away', async () => {
  const { sink, files } = await aSink({ ...small, when_full: 'wait' });
  const full = async () => {
    for (let n = 0; n < 10; n++) await write(sink, ofBytes(30_000));
  };
  await expect(full()).rejects.toThrow('some have to be removed');
  const before = await linesIn(files);
  await expect(write(sink, ofBytes(30_000))).rejects.toThrow('of 196608 bytes');
  expect(await linesIn(files)).toEqual(before);
  const [oldest = ''] = await namesIn(files);
  const elsewhere = join(await testFolder(), oldest);
  await rename(join(files, oldest), elsewhere);
  expect(await write(sink, ofBytes(30_000), 'last')).toEqual([]);
  expect((await linesIn(files)).at(-1)).toBe('"last"');
});

test('files whose time is over are removed', async () => {
  const { sink, files, context } = await aSink({ max_file: '64KiB', keep: '1h' });
  for (let n = 0; n < 4; n++) await write(sink, ofBytes(40_000));
  const [first = '', second = ''] = await namesIn(files);
  await sink.close();
  const before = new Date(Date.now() - 2 * 3_600_000);
  await utimes(join(files, first), before, before);
  await aSink({ max_file: '64KiB', keep: '1h' }, context);
  await eventually(async () => expect((await namesIn(files))[0]).toBe(second));
});

test('a line without its end is cut off before the file grows on, and what is half compressed is made anew', async () => {
  const values = { content: 'payload', max_file: '64KiB', compression: 'gzip' };
  const { sink, files, context } = await aSink(values);
  await write(sink, 1, 2);
  await sink.close();
  const [name = ''] = await namesIn(files);
  await appendFile(join(files, name), `{"n": "${'x'.repeat(100_000)}`);
  const finished = 'messages-00000000-20260301T120000Z.ndjson';
  await writeFile(join(files, finished), '0\n');
  await writeFile(join(files, `${finished}.gz.tmp`), 'half of it');
  const { sink: next } = await aSink(values, context);
  expect(await write(next, 3)).toEqual([]);
  await eventually(async () => expect(await namesIn(files)).toEqual([`${finished}.gz`, name]));
  expect(await linesIn(files)).toEqual(['0', '1', '2', '3']);
  expect(context.told).toEqual([expect.stringContaining('a line without its end is cut off')]);
});

test('of two that work for one instance the second waits for the end of the first', async () => {
  const { sink, files, context } = await aSink({ content: 'payload' });
  const { sink: next } = await aSink({ content: 'payload' }, context);
  const second = write(next, 'second');
  for (let n = 0; n < 20; n++) await write(sink, n);
  await sink.close();
  await expect(write(sink, 'late')).rejects.toThrow('closed');
  await second;
  expect(await linesIn(files)).toEqual([...Array.from({ length: 20 }, (_, n) => String(n)), '"second"']);
});

test('links are not followed', async () => {
  const outside = await testFolder();
  const context = await testContext();
  await symlink(outside, join(context.folder, 'files'));
  const { sink } = await aSink({}, context);
  await expect(write(sink, 1)).rejects.toThrow('no folder');
  expect(await readdir(outside)).toEqual([]);
  await rm(join(context.folder, 'files'));
  await mkdir(join(context.folder, 'files'));
  const target = join(outside, 'target');
  await writeFile(target, 'untouched');
  await symlink(target, join(context.folder, 'files', 'messages-00000007-20260301T120000Z.ndjson.open'));
  await write(sink, 1);
  expect(await readFile(target, 'utf8')).toBe('untouched');
});

test('a volume that is nearly full is left to the broker', async () => {
  const context = await testContext();
  const disk = smallDisk(context.folder, 4);
  if (!disk) return console.warn('A small volume cannot be made: its test is left out');
  closing.push(() => disk.remove());
  const { sink, files } = await aSink({ content: 'payload' }, context);
  await write(sink, 1);
  disk.fill();
  await expect(write(sink, 2)).rejects.toThrow('nearly full');
  await disk.free();
  expect(await write(sink, 2)).toEqual([]);
  expect(await linesIn(files)).toEqual(['1', '2']);
  await sink.close();
});

test('whenever it is killed: what was acknowledged is there, in order, and no line is broken', async () => {
  const folder = await testFolder();
  let acknowledged = 0;
  for (const more of [500, 1_500]) {
    const program = join(import.meta.dirname, '../../test/fixtures/file-sink-program.ts');
    const child = spawn(process.execPath, [program, folder, String(acknowledged)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    let said = '';
    const until = acknowledged + more;
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      said += chunk.toString();
      acknowledged = Number(said.slice(0, said.lastIndexOf('\n')).split('\n').at(-1));
      if (acknowledged >= until) child.kill('SIGKILL');
    }
    await ended;
    // what a write that was cut short leaves
    const growing = (await namesIn(join(folder, 'files'))).find((name) => name.endsWith('.open'));
    if (growing) await appendFile(join(folder, 'files', growing), '{"n": 1');
  }
  const { sink, files } = await aSink(
    { content: 'payload', compression: 'gzip' },
    { ...(await testContext()), folder },
  );
  await write(sink, { n: 'last' });
  await eventually(async () => {
    const names = await namesIn(files);
    expect(names.filter((name) => !name.endsWith('.gz'))).toHaveLength(1);
  });
  const numbers = (await linesIn(files)).map((line) => (JSON.parse(line) as { n: number | 'last' }).n);
  expect(numbers.at(-1)).toBe('last');
  const seen = new Set<number>();
  for (const n of numbers) if (typeof n === 'number') seen.add(n);
  expect([...seen].sort((one, other) => one - other).slice(0, acknowledged)).toEqual(
    Array.from({ length: acknowledged }, (_, n) => n),
  );
});

test('a total that has no room for two files is refused', async () => {
  await expect(aSink({ max_file: '1MiB', max_total: '1MiB' })).rejects.toThrow(ConfigRefused);
  for (const prefix of ['../x', 'a/b', '.x', ''])
    expect(() => configOf(fileSink, { prefix })).toThrow(/prefix/);
});
