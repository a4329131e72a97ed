import { chmod, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { idOf, type NodeId } from '@sluice/contracts';
import { testFolder } from '@sluice/testing';
import type { SealedCopy } from '@sluice/drivers';
import { createLocalVolumes } from './local-volumes.ts';

const node = idOf<NodeId>(7);
const volume = { node, copy: '1-7-00c0ffee', run: 'a2b8c1c4-5d4f-4a53-9a3e-3f0a5a4f6d01' };
const call = { signal: new AbortController().signal, confirm: () => Promise.resolve() };

/** A node that has stored `old`, and a copy of it. */
async function aVolume() {
  const [nodesFolder, backupsFolder] = [await testFolder(), await testFolder()];
  const volumes = await createLocalVolumes({ nodesFolder, backupsFolder });
  const store = join(nodesFolder, '7', 'broker');
  await mkdir(join(store, 'streams', 'empty'), { recursive: true });
  await writeFile(join(store, 'streams', '1.blk'), 'old');
  await volumes.copy(volume, call);
  const { digest } = (await volumes.seal(volume, call)) as SealedCopy;
  await writeFile(join(store, 'streams', '1.blk'), 'new');
  const beside = join(nodesFolder, '.restores', `${volume.run}.7`);
  return {
    ...{ volumes, store, digest, beside, besides: join(nodesFolder, '.restores') },
    copy: join(backupsFolder, volume.copy),
    stored: () => readFile(join(store, 'streams', '1.blk'), 'utf8'),
  };
}

test('a copy is what was stored when it was made, and the same however often it is made', async () => {
  const { volumes, copy, digest, store } = await aVolume();
  expect(await readFile(join(copy, 'data', 'streams', '1.blk'), 'utf8')).toBe('old');
  await volumes.copy(volume, call);
  expect(await volumes.seal(volume, call)).toEqual({ digest, bytes: 3 });
  expect(await readdir(join(copy, 'data', 'streams'))).toEqual(['1.blk', 'empty']);
  expect(await readdir(store)).toEqual(['streams']);
});

test('a copy that was cut short is no copy, and is begun anew', async () => {
  const { volumes, copy, digest } = await aVolume();
  await rename(copy, `${copy}.part`);
  await rm(join(`${copy}.part`, 'manifest.json'));
  await rm(join(`${copy}.part`, 'data', 'streams', '1.blk'));
  await expect(volumes.stage(volume, digest, call)).rejects.toThrow('its manifest is missing');
  expect(await volumes.list()).toEqual({ unfinished: [volume.copy], runs: [] });
  await volumes.copy(volume, call);
  await volumes.seal(volume, call);
  expect(await readFile(join(copy, 'data', 'streams', '1.blk'), 'utf8')).toBe('new');
});

test('a copy that whoever had it before seals at the same time is sealed', async () => {
  const { volumes, copy } = await aVolume();
  const other = { ...volume, copy: '2-7-00c0ffee' };
  const whole = join(dirname(copy), other.copy);
  await volumes.copy(other, call);
  const former = () => rename(`${whole}.part`, whole);
  expect(await volumes.seal(other, { ...call, confirm: former })).toMatchObject({ bytes: 3 });
});

test.each<[string, RegExp, (copy: string) => Promise<unknown>]>([
  [
    'a changed byte',
    /streams\/1.blk is not as it was/,
    (copy) => writeFile(join(copy, 'data/streams/1.blk'), 'olb'),
  ],
  ['a missing file', /streams\/1.blk is missing/, (copy) => rm(join(copy, 'data/streams/1.blk'))],
  [
    'a further file',
    /streams\/2.blk was not there/,
    (copy) => writeFile(join(copy, 'data/streams/2.blk'), ''),
  ],
  [
    'a missing folder',
    /folder streams\/empty is missing/,
    (copy) => rm(join(copy, 'data/streams/empty'), { recursive: true }),
  ],
  [
    'another manifest',
    /its manifest is not as it was/,
    (copy) => writeFile(join(copy, 'manifest.json'), '{}'),
  ],
])('%s is found before anything is put beside', async (_, reason, damage) => {
  const { volumes, copy, digest, stored, besides } = await aVolume();
  await damage(copy);
  await expect(volumes.stage(volume, digest, call)).rejects.toThrow(reason);
  expect(await stored()).toBe('new');
  await volumes.clear(volume.run);
  expect(await readdir(besides)).toEqual([]);
});

test('what is staged takes the place of what is stored, which can come back until it is cleared', async () => {
  const { volumes, digest, stored, besides } = await aVolume();
  await volumes.stage(volume, digest, call);
  await volumes.stage(volume, digest, call);
  expect(await stored()).toBe('new');
  for (let time = 0; time < 2; time++) {
    await volumes.swap(volume, call);
    await volumes.swap(volume, call);
    expect(await stored()).toBe('old');
    await volumes.swapBack(volume, call);
    await volumes.swapBack(volume, call);
    expect(await stored()).toBe('new');
  }
  await volumes.swap(volume, call);
  await volumes.clear(volume.run);
  expect(await readdir(besides)).toEqual([]);
  await volumes.swapBack(volume, call);
  expect(await stored()).toBe('old');
});

test('a swap that was cut short between its two halves goes on, or back', async () => {
  const { volumes, digest, stored, store, beside } = await aVolume();
  await volumes.stage(volume, digest, call);
  await rename(store, `${beside}.former`);
  await volumes.swapBack(volume, call);
  expect(await stored()).toBe('new');
  await rename(store, `${beside}.former`);
  await volumes.swap(volume, call);
  expect(await stored()).toBe('old');
  // the way back, cut short
  await rename(store, beside);
  await volumes.swapBack(volume, call);
  expect(await stored()).toBe('new');
});

test('a node that has stored nothing goes back to nothing', async () => {
  const { volumes, digest, store } = await aVolume();
  await rm(store, { recursive: true });
  await volumes.stage(volume, digest, call);
  await volumes.swap(volume, call);
  expect(await readdir(store)).toEqual(['streams']);
  await volumes.swapBack(volume, call);
  expect(await readdir(store)).toEqual([]);
});

test('a link in a volume is not followed', async () => {
  const { volumes, store, copy } = await aVolume();
  const secret = join(await testFolder(), 'secret');
  await writeFile(secret, 'secret');
  await chmod(secret, 0o600);
  await symlink(secret, join(store, 'streams', '2.blk'));
  await symlink(join(secret, '..'), join(store, 'folder'));
  const other = { ...volume, copy: '2-7-00c0ffee' };
  await volumes.copy(other, call);
  await volumes.seal(other, call);
  const files = await readdir(join(copy, '..', other.copy, 'data'), { recursive: true });
  expect(files.sort()).toEqual(['streams', 'streams/1.blk', 'streams/empty']);
});

test('what is given up changes nothing', async () => {
  const { volumes, digest, stored, beside } = await aVolume();
  const lost = { ...call, confirm: () => Promise.reject(new Error('lost')) };
  await expect(volumes.stage(volume, digest, lost)).rejects.toThrow('lost');
  await volumes.stage(volume, digest, call);
  await expect(volumes.swap(volume, lost)).rejects.toThrow('lost');
  expect(await stored()).toBe('new');
  await volumes.swap(volume, call);
  await expect(volumes.swapBack(volume, lost)).rejects.toThrow('lost');
  expect(await stored()).toBe('old');
  expect(await readdir(`${beside}.former`)).toEqual(['streams']);
});

test('a node that is gone is not made in part', async () => {
  const { volumes, digest, store } = await aVolume();
  await volumes.stage(volume, digest, call);
  await rm(join(store, '..'), { recursive: true });
  await expect(volumes.swap(volume, call)).rejects.toThrow('node 7 is gone');
  await expect(volumes.copy({ node, copy: '2-7-00c0ffee' }, call)).rejects.toThrow('node 7 is gone');
  expect(await readdir(join(store, '..', '..'))).toEqual(['.restores']);
});

test('what is given up before it begins is refused, and ends nothing else', async () => {
  const { volumes, digest, store } = await aVolume();
  const given = { ...call, signal: AbortSignal.abort(new Error('given up')) };
  const other = { ...volume, copy: '2-7-00c0ffee' };
  await expect(volumes.copy(other, given)).rejects.toThrow('given up');
  await volumes.copy(other, call);
  await expect(volumes.seal(other, given)).rejects.toThrow('given up');
  await expect(volumes.stage(volume, digest, given)).rejects.toThrow('given up');
  await writeFile(join(store, 'large.blk'), Buffer.alloc(3 * 2 ** 20, 7));
  await volumes.copy(other, call);
  expect(await volumes.seal(other, call)).toMatchObject({ bytes: 3 + 3 * 2 ** 20 });
});
