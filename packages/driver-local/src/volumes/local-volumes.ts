import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { NodeId } from '@sluice/contracts';
import {
  findProcesses,
  isErrorCode,
  isRoot,
  syncFolder,
  unprivilegedUser,
  withArgument,
} from '@sluice/system';
import { nodeFiles } from '../compute/node-folder.ts';
import type { RestoredVolume, SealedCopy, VolumeCall, VolumeDriver } from '@sluice/drivers';
import {
  bytesOf,
  copyFolder,
  digestOf,
  firstDifference,
  parseManifest,
  readManifest,
  writeManifest,
} from './copied-files.ts';

export interface LocalVolumesOptions {
  nodesFolder: string;
  backupsFolder: string;
}

/** a manifest of a million files */
const longestManifest = 256 * 2 ** 20;

/**
 * A volume is the folder in which a node's broker stores its data; a copy is a folder with a manifest of it. What is begun has another
 * name than what is whole, so that a copy is never half. What is put beside a volume lies outside of the node's own folder, where the
 * node cannot put a link in its place.
 */
export async function createLocalVolumes(options: LocalVolumesOptions): Promise<VolumeDriver> {
  await mkdir(options.nodesFolder, { recursive: true, mode: 0o700 });
  await mkdir(options.backupsFolder, { recursive: true, mode: 0o700 });
  const nodesFolder = await realpath(options.nodesFolder);
  const backupsFolder = await realpath(options.backupsFolder);
  const besideFolder = join(nodesFolder, '.restores');

  const folderOf = (node: NodeId) => join(nodesFolder, String(node));
  const storeOf = (node: NodeId) => nodeFiles(folderOf(node)).brokerStore;
  const copyOf = (copy: string) => {
    const whole = join(backupsFolder, copy);
    const unfinished = `${whole}.part`;
    return { whole, unfinished };
  };
  const besideOf = ({ node, run }: RestoredVolume) => {
    const path = join(besideFolder, `${run}.${node}`);
    return { staging: `${path}.part`, staged: path, former: `${path}.former` };
  };

  /** One that is lost is made anew by its compute driver, and never in part by this one. */
  async function requireThere(node: NodeId): Promise<void> {
    if (!(await exists(folderOf(node)))) throw new Error(`node ${node} is gone`);
  }

  async function requireStopped(node: NodeId): Promise<void> {
    const running = await findProcesses(withArgument(nodeFiles(folderOf(node)).brokerConfiguration));
    if (running.length > 0) throw new Error(`the broker of node ${node} runs`);
  }

  return {
    volumeOf: String,

    async copy({ node, copy }, call) {
      const { whole, unfinished } = copyOf(copy);
      if (await exists(whole)) return;
      // another replica may be sealing it
      await call.confirm();
      await remove(unfinished);
      await requireThere(node);
      await requireStopped(node);
      await mkdir(unfinished, { mode: 0o700 });
      if (await exists(storeOf(node))) await copyFolder(storeOf(node), join(unfinished, 'data'), call.signal);
      else await mkdir(join(unfinished, 'data'), { mode: 0o700 });
      // a broker that was started meanwhile has made this a mixture
      await requireStopped(node);
    },

    async seal({ copy }, call) {
      const { whole, unfinished } = copyOf(copy);
      if (await exists(whole)) return await sealedAs(whole);
      try {
        const text = writeManifest(await readManifest(join(unfinished, 'data'), call.signal));
        await writeFile(join(unfinished, 'manifest.json'), text, { mode: 0o600, flush: true });
        await syncFolder(unfinished);
        await call.confirm();
        await rename(unfinished, whole);
      } catch (error) {
        // the replica that had it before has sealed it just now
        if (!isErrorCode(error, 'ENOENT') || !(await exists(whole))) throw error;
      }
      await syncFolder(backupsFolder);
      return await sealedAs(whole);
    },

    async stage(volume, digest, call) {
      const { staging, staged } = besideOf(volume);
      if (await exists(staged)) return;
      const { whole } = copyOf(volume.copy);
      await remove(staging);
      await mkdir(besideFolder, { recursive: true, mode: 0o700 });
      await stageChecked(whole, digest, staging, call);
      await giveToNode(staging);
      await call.confirm();
      await rename(staging, staged);
      await syncFolder(besideFolder);
    },

    async swap(volume, call) {
      const { staged, former } = besideOf(volume);
      const store = storeOf(volume.node);
      if (!(await exists(staged))) {
        if (await exists(former)) return;
        throw new Error(`what was to be restored on node ${volume.node} is gone`);
      }
      await requireThere(volume.node);
      await requireStopped(volume.node);
      await call.confirm();
      // a node that has stored nothing has an empty folder to go back to
      if (!(await exists(former))) await mkdir(store, { recursive: true, mode: 0o700 });
      if (await exists(store)) await rename(store, former);
      await rename(staged, store);
      await syncFolder(folderOf(volume.node));
      await syncFolder(besideFolder);
    },

    async swapBack(volume, call) {
      const { staged, former } = besideOf(volume);
      const store = storeOf(volume.node);
      // not swapped, or swapped back
      if (!(await exists(former))) return;
      await requireThere(volume.node);
      await requireStopped(volume.node);
      await call.confirm();
      if (await exists(store)) await rename(store, staged);
      await rename(former, store);
      await syncFolder(folderOf(volume.node));
      await syncFolder(besideFolder);
    },

    async clear(run) {
      for (const name of await namesIn(besideFolder))
        if (runOf(name) === run) await remove(join(besideFolder, name));
    },

    async remove(copy) {
      const { whole, unfinished } = copyOf(copy);
      // it is whole no more from here on
      if (await exists(whole)) await remove(unfinished).then(() => rename(whole, unfinished));
      await remove(unfinished);
    },

    async list() {
      const unfinished = (await namesIn(backupsFolder)).flatMap(
        (name) => unfinishedName.exec(name)?.[1] ?? [],
      );
      return { unfinished, runs: [...new Set((await namesIn(besideFolder)).map(runOf))] };
    },
  };
}

const runOf = (name: string) => name.split('.')[0] ?? '';
/** that of a copy, as backups name them: other files there are foreign */
const unfinishedName = /^(\d+-\d+-[0-9a-f]{8})\.part$/;

async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch((error: unknown) => {
    if (isErrorCode(error, 'ENOENT')) return [];
    throw error;
  });
}

async function sealedAs(whole: string): Promise<SealedCopy> {
  const text = await readFile(join(whole, 'manifest.json'), 'utf8');
  return { digest: digestOf(text), bytes: bytesOf(parseManifest(text)) };
}

/** Copies first and then checks what it has copied, which is what will be used. @throws Error that says what is wrong */
async function stageChecked(
  whole: string,
  digest: string,
  staging: string,
  { signal }: VolumeCall,
): Promise<void> {
  const path = join(whole, 'manifest.json');
  const size = (await stat(path).catch(() => undefined))?.size;
  if (size === undefined) throw new Error('the backup is damaged: its manifest is missing');
  if (size > longestManifest) throw new Error('the backup is damaged: its manifest is too long');
  const text = await readFile(path, 'utf8');
  if (digestOf(text) !== digest) throw new Error('the backup is damaged: its manifest is not as it was');
  await copyFolder(join(whole, 'data'), staging, signal);
  const difference = firstDifference(parseManifest(text), await readManifest(staging, signal));
  if (difference !== null) throw new Error(`the backup is damaged: ${difference}`);
}

/** Brokers do not run as root where their supervisor does. */
async function giveToNode(folder: string): Promise<void> {
  if (!isRoot) return;
  await promisify(execFile)('chown', ['-R', '-h', `${unprivilegedUser}:${unprivilegedUser}`, folder]);
}

/** @throws Error when that cannot be said */
async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isErrorCode(error, 'ENOENT')) return false;
    throw error;
  }
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}
