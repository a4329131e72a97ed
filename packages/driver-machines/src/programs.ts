import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { access, constants, mkdir, mkdtemp, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack, type Pack } from 'tar-stream';
import { pageFilesOf, treeOf, type ProgramFile, type ProgramTree } from './program-files.ts';

export interface Programs {
  path: string;
  digest: string;
  size: number;
  /** what machines have to be, such as linux-x64 */
  platform: string;
}

export interface ProgramsOptions {
  /** the folder that has `services/node-agent` and what it depends on */
  root: string;
  brokerProgram: string;
  /** the folder with the built page of streams; without it nodes serve none */
  streamPage?: string | undefined;
}

/** The same files make the same archive on every replica: each can hand out what another has named the checksum of. */
const always = { mtime: new Date(0), uid: 0, gid: 0, uname: '', gname: '' };

const known = new Map<string, () => Promise<Programs>>();

/**
 * Answers the archive, which is made once, when it is first asked for, and kept on this machine.
 * @throws Error when it cannot be made
 */
export function nodePrograms(options: ProgramsOptions): () => Promise<Programs> {
  const key = JSON.stringify(options);
  const programs = known.get(key) ?? madeOnce(options);
  known.set(key, programs);
  return programs;
}

function madeOnce(options: ProgramsOptions): () => Promise<Programs> {
  let made: Promise<Programs> | undefined;
  return () => {
    made ??= makePrograms(options).catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

async function makePrograms({ root, brokerProgram, streamPage }: ProgramsOptions): Promise<Programs> {
  const home = await realpath(root);
  const tree = await treeOf(home, join(home, 'services/node-agent'));
  const programs = [
    await programFile('node', process.execPath),
    await programFile('nats-server', await findProgram(brokerProgram)),
  ];
  const page = streamPage === undefined ? [] : await pageFilesOf(streamPage);
  const folder = await keptFolder(home);
  const key = await keyOf({ ...tree, files: [...tree.files, ...page] }, programs);
  const kept = await findKept(folder, key);
  if (kept) return kept;
  const unfinished = join(folder, `${key}-${process.pid}.part`);
  try {
    await write(unfinished, tree, [...programs, ...page]);
    const digest = await digestOf(unfinished);
    const path = join(folder, `${key}-${digest}.tar.gz`);
    await rename(unfinished, path);
    return await describe(path, digest);
  } finally {
    await rm(unfinished, { force: true });
  }
}

const describe = async (path: string, digest: string): Promise<Programs> => ({
  ...{ path, digest, size: (await stat(path)).size },
  platform: `${process.platform}-${process.arch}`,
});

async function programFile(name: string, path: string): Promise<ProgramFile> {
  return { name, path, size: (await stat(path)).size, executable: true };
}

async function findProgram(program: string): Promise<string> {
  const places = isAbsolute(program)
    ? [program]
    : (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, program));
  for (const place of places) {
    const found = await access(place, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return await realpath(place);
  }
  throw new Error(`the program ${program} is not there`);
}

/** Where archives are kept: beside the sources, or where these cannot be written to, until this process ends. */
async function keptFolder(root: string): Promise<string> {
  const folder = join(root, '.cache/node-programs');
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK);
    return folder;
  } catch {
    const own = await mkdtemp(join(tmpdir(), 'sluice-node-programs-'));
    process.once('exit', () => rmSync(own, { recursive: true, force: true }));
    return own;
  }
}

/** What an archive is made of, without reading the large programs. */
async function keyOf({ files, links }: ProgramTree, programs: readonly ProgramFile[]): Promise<string> {
  const hash = createHash('sha256').update(process.version);
  for (const { path, size } of programs) hash.update(`${path} ${size} ${(await stat(path)).mtimeMs}\n`);
  for (const { name, target } of links) hash.update(`${name} ${target}\n`);
  for (const { name, path, size } of files) {
    hash.update(`${name} ${size}\n`);
    for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  }
  return hash.digest('hex').slice(0, 16);
}

/** One that is damaged is made anew; those of other sources go, unless another release may be at work beside this. */
async function findKept(folder: string, key: string): Promise<Programs | undefined> {
  for (const name of await readdir(folder)) {
    const [, of, digest = ''] = /^([0-9a-f]{16})-([0-9a-f]{64})\.tar\.gz$/.exec(name) ?? [];
    const path = join(folder, name);
    if (of === key && (await digestOf(path)) === digest) return await describe(path, digest);
    if (of === key || (of !== undefined && (await ageOf(path)) > keepMilliseconds))
      await rm(path, { force: true });
  }
  return undefined;
}

const keepMilliseconds = 24 * 60 * 60 * 1_000;
const ageOf = async (path: string) => Date.now() - (await stat(path)).mtimeMs;

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return hash.digest('hex');
}

async function write(path: string, tree: ProgramTree, programs: readonly ProgramFile[]): Promise<void> {
  const archive = pack();
  const filled = fill(archive, tree, programs).catch((error: unknown) => {
    archive.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  });
  // most of it are two programs: a higher level takes several times as long for some percent
  const written = pipeline(archive, createGzip({ level: 4 }), createWriteStream(path, { mode: 0o600 }));
  await Promise.all([filled, written]);
}

async function fill(archive: Pack, tree: ProgramTree, programs: readonly ProgramFile[]): Promise<void> {
  for (const file of programs) await addFile(archive, file.name, file);
  for (const { name, target } of tree.links)
    await add(archive, { ...always, name: `sluice/${name}`, type: 'symlink', linkname: target, mode: 0o777 });
  for (const file of tree.files) await addFile(archive, `sluice/${file.name}`, file);
  archive.finalize();
}

type Entry = Parameters<Pack['entry']>[0];

const add = (archive: Pack, header: Entry) =>
  new Promise<void>((resolve, reject) => {
    archive.entry(header, (error) => (error ? reject(error) : resolve()));
  });

async function addFile(archive: Pack, name: string, { path, size, executable }: ProgramFile): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const header = { ...always, name, size, mode: executable ? 0o755 : 0o644 };
  const entry = archive.entry(header, (error) => (error ? reject(error) : resolve()));
  await Promise.all([pipeline(createReadStream(path), entry), promise]);
}
