import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { NodeId } from '@sluice/contracts';
import { giveToUnprivileged, readIfPresent, writePrivateFile } from '@sluice/system';
import { newSealingKey } from '@sluice/drivers';
import { hasSealedIdentity } from './node-folder.ts';

export interface NodeSecrets {
  key: string;
  /** where its broker reads secrets as files: its agent writes them anew when they are gone */
  runtime: string;
}

const memory = '/dev/shm';

/** @param runtimeFolder default: in memory where this machine has such a folder, else beside the keys */
export async function nodeSecrets(
  nodesFolder: string,
  keysFolder: string,
  runtimeFolder?: string,
): Promise<(node: NodeId) => NodeSecrets> {
  await mkdir(keysFolder, { recursive: true, mode: 0o700 });
  const inMemory = await access(memory, constants.W_OK).then(
    () => true,
    () => false,
  );
  const base = runtimeFolder ?? (inMemory ? memory : keysFolder);
  await mkdir(base, { recursive: true, mode: 0o711 });
  // others may have nodes there as well
  const mark = createHash('sha256').update(nodesFolder).digest('hex').slice(0, 16);
  return (node) => ({
    key: join(keysFolder, String(node)),
    runtime: join(base, `sluice-node-${mark}-${node}`),
  });
}

/** Whether the folder has an identity that cannot be opened any more. */
export async function isKeyLost(folder: string, { key }: NodeSecrets): Promise<boolean> {
  return (await readIfPresent(key)) === null && (await hasSealedIdentity(folder));
}

/** Makes what an agent needs before it starts. @throws Error when its key is lost */
export async function prepareSecrets(folder: string, secrets: NodeSecrets): Promise<void> {
  if (await isKeyLost(folder, secrets))
    throw new Error(`${secrets.key}, the sealing key of the node, is gone`);
  if ((await readIfPresent(secrets.key)) === null) await writePrivateFile(secrets.key, newSealingKey());
  await mkdir(secrets.runtime, { recursive: true, mode: 0o700 });
  await giveToUnprivileged(secrets.runtime);
}

export async function removeSecrets({ key, runtime }: NodeSecrets): Promise<void> {
  await rm(runtime, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  await rm(key, { force: true });
}
