import { createHash } from 'node:crypto';
import { constants, type Dirent } from 'node:fs';
import { copyFile, mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '@sluice/system';
import { z } from 'zod';

/** A folder as it was copied: each file with what it held. Paths are relative, with `/`, in the order of their characters. */
const manifestSchema = z.strictObject({
  folders: z.array(z.string()),
  files: z.array(z.strictObject({ path: z.string(), bytes: z.int().min(0), sha256: z.string() })),
});
export type Manifest = z.infer<typeof manifestSchema>;

const chunkBytes = 2 ** 20;

interface Entries {
  folders: string[];
  files: string[];
}

/** What there is below a folder; nothing but files and folders, and no link is followed. */
async function entriesOf(root: string, below = ''): Promise<Entries> {
  const found: Entries = { folders: [], files: [] };
  for (const entry of (await readdir(join(root, below), { withFileTypes: true })).sort(byName)) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isFile()) found.files.push(path);
    if (!entry.isDirectory()) continue;
    const inner = await entriesOf(root, path);
    found.folders.push(path, ...inner.folders);
    found.files.push(...inner.files);
  }
  return found;
}

const byName = (one: Dirent, other: Dirent) => (one.name < other.name ? -1 : 1);

/**
 * Copies a folder into one that does not exist; file systems that can do so share the contents, so that it costs no time.
 * @throws what the signal is aborted with
 */
export async function copyFolder(from: string, to: string, signal: AbortSignal): Promise<void> {
  const { folders, files } = await entriesOf(from);
  await mkdir(to, { mode: 0o700 });
  for (const path of folders) await mkdir(join(to, path), { mode: 0o700 });
  for (const path of files) {
    signal.throwIfAborted();
    await copyOne(join(from, path), join(to, path));
  }
}

/** The file that is meant, and not what a link that took its place leads to: these are the node's own folders. */
async function copyOne(from: string, to: string): Promise<void> {
  const source = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const path = process.platform === 'linux' ? `/proc/self/fd/${source.fd}` : from;
    await copyFile(path, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  } finally {
    await source.close();
  }
}

/** Reads all that is in a folder, and has it written to the disk. @throws what the signal is aborted with */
export async function readManifest(folder: string, signal: AbortSignal): Promise<Manifest> {
  const { folders, files } = await entriesOf(folder);
  const manifest: Manifest = { folders, files: [] };
  const chunk = Buffer.allocUnsafe(chunkBytes);
  for (const path of files)
    manifest.files.push({ path, ...(await sumUp(join(folder, path), chunk, signal)) });
  for (const path of [...folders.toReversed(), '.']) await syncFolder(join(folder, path));
  return manifest;
}

/** Not by a stream: one whose signal is aborted as it is made throws where only the process can catch it, which ends by that. */
async function sumUp(path: string, chunk: Buffer, signal: AbortSignal) {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
      if (bytesRead === 0) break;
      hash.update(chunk.subarray(0, bytesRead));
      bytes += bytesRead;
    }
    await file.sync();
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

export const bytesOf = ({ files }: Manifest) => files.reduce((sum, { bytes }) => sum + bytes, 0);
export const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
export const writeManifest = (manifest: Manifest) => `${JSON.stringify(manifest)}\n`;

export function parseManifest(text: string): Manifest {
  return manifestSchema.parse(JSON.parse(text));
}

/** The first thing in which a folder is not as its manifest says; null when it is. */
export function firstDifference(expected: Manifest, found: Manifest): string | null {
  const there = new Map(found.files.map((file) => [file.path, file]));
  for (const { path, bytes, sha256 } of expected.files) {
    const file = there.get(path);
    if (!file) return `${path} is missing`;
    if (file.bytes !== bytes || file.sha256 !== sha256) return `${path} is not as it was`;
    there.delete(path);
  }
  const [more] = there.keys();
  if (more !== undefined) return `${more} was not there`;
  const folders = new Set(found.folders);
  const missing = expected.folders.find((path) => !folders.delete(path)) ?? [...folders][0];
  return missing === undefined ? null : `the folder ${missing} is missing, or was not there`;
}
