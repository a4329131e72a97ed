import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { SnapshotArchivePiece } from '@sluice/contracts';
import { fromBufferPromise } from 'yauzl';
import { archivePieces } from './archive.ts';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'sluice-archived-'))));
afterEach(() => rm(folder, { recursive: true }));

const mebibyte = 2 ** 20;

async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function archived(mostBytes: number, folders = [{ path: folder, name: '' }]) {
  const pieces = await collected(archivePieces(folders, mostBytes));
  const bytes = Buffer.concat(pieces.map(({ content }) => Buffer.from(content, 'base64')));
  const zip = await fromBufferPromise(bytes);
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  return { pieces, bytes, files };
}

test('has all files of a folder, in numbered pieces that a request takes', async () => {
  await mkdir(join(folder, 'streams/orders'), { recursive: true });
  const [large, small] = [randomBytes(300_000), Buffer.from('{"name":"orders"}')];
  await writeFile(join(folder, 'streams/orders/1.blk'), large);
  await writeFile(join(folder, 'streams/orders/meta.inf'), small);
  const { pieces, files } = await archived(mebibyte);
  expect(pieces.map(({ number }) => number)).toEqual(pieces.map((_, index) => index + 1));
  expect(pieces.map(({ last }) => last).indexOf(true)).toBe(pieces.length - 1);
  expect(Math.max(...pieces.map(({ content }) => content.length))).toBeLessThanOrEqual(61_440);
  expect(files.get('streams/orders/1.blk')?.equals(large)).toBe(true);
  expect(files.get('streams/orders/meta.inf')?.equals(small)).toBe(true);
});

test('has files of several folders, each under its name', async () => {
  await mkdir(join(folder, 'broker/streams'), { recursive: true });
  await mkdir(join(folder, 'files'));
  await writeFile(join(folder, 'broker/streams/a'), 'a');
  await writeFile(join(folder, 'files/b'), 'b');
  const named = (path: string, name: string) => ({ path: join(folder, path), name });
  const { files } = await archived(mebibyte, [named('broker', ''), named('files', 'connectors/7')]);
  expect([...files.keys()].sort()).toEqual(['connectors/7/b', 'contents.txt', 'streams/a']);
});

test('leaves the largest files out where there is too much, and names them', async () => {
  for (const [name, size] of [
    ['a', 400_000],
    ['b', 500_000],
    ['c', 600_000],
  ] as const)
    await writeFile(join(folder, name), randomBytes(size));
  const { bytes, files } = await archived(mebibyte);
  expect([...files.keys()]).toEqual(['contents.txt', 'a', 'b']);
  expect(bytes.length).toBeLessThanOrEqual(mebibyte);
  const list = files.get('contents.txt')!.toString();
  expect(list).toContain('3 files, of which 1 were left out');
  expect(list).toMatch(/left out\s+600000 c/);
});

test('follows no link, and bears files that shrink or go meanwhile', async () => {
  await writeFile(join(folder, 'gone'), 'x'.repeat(1_000));
  await writeFile(join(folder, 'shrunk'), randomBytes(200_000));
  await symlink('/etc/hostname', join(folder, 'link'));
  const pieces = archivePieces([{ path: folder, name: '' }], mebibyte);
  const all: SnapshotArchivePiece[] = [];
  for await (const piece of pieces) {
    if (all.length === 0) await truncate(join(folder, 'shrunk'), 10);
    all.push(piece);
  }
  const zip = await fromBufferPromise(
    Buffer.concat(all.map(({ content }) => Buffer.from(content, 'base64'))),
  );
  const names: string[] = [];
  for await (const { fileName } of zip.eachEntry()) names.push(fileName);
  expect(names).toEqual(['contents.txt', 'gone', 'shrunk']);
});

test('of a folder that is not there says so by its list alone', async () => {
  const pieces = await collected(archivePieces([{ path: join(folder, 'missing'), name: '' }], mebibyte));
  expect(pieces).toMatchObject([{ number: 1, last: true }]);
});
