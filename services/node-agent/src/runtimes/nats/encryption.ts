import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfPresent, writePrivateFile } from '@sluice/system';
import { ConfigurationRefused, type StorageKeys } from '../runtime.ts';
import { Variable, type Block } from './syntax.ts';

/**
 * nats-server encrypts what JetStream stores. Its keys come by environment variables: a configuration that is loaded anew has the same
 * text, and no file has a key. The version that the data is encrypted with is kept beside the data, so that it is in every copy of it.
 */

const current = 'SLUICE_STORAGE_KEY';
const former = 'SLUICE_FORMER_STORAGE_KEY';
const versionFile = (store: string) => join(store, 'key-version');

export function encryptedBlock(keys: StorageKeys | null): Block {
  if (keys === null) return {};
  return { cipher: 'chachapoly', key: new Variable(current), prev_encryption_key: new Variable(former) };
}

/**
 * The environment of a process that finds data which is encrypted with version `stored`.
 * @param stored null where there is no data, or none that is encrypted: the server encrypts what it finds
 * @throws ConfigurationRefused when the key of the data is missing: the server would begin without the streams
 */
export function startEnvironment(keys: StorageKeys | null, stored: number | null): Record<string, string> {
  if (keys === null && stored === null) return {};
  if (keys === null)
    throw new ConfigurationRefused(`the data is encrypted with version ${stored} of a key that was not sent`);
  return keyEnvironment(keys, stored ?? keys.version);
}

export function keyEnvironment(keys: StorageKeys, stored: number): Record<string, string> {
  return { [current]: keyOf(keys, keys.version), [former]: keyOf(keys, stored) };
}

function keyOf({ keys }: StorageKeys, version: number): string {
  const found = keys.find((key) => key.version === version);
  if (!found) throw new ConfigurationRefused(`version ${version} of the key for the data was not sent`);
  // nats-server reads the value as it reads its configuration: one that begins with a digit may be a number to it
  return `k${found.key}`;
}

/** The version of the key that the data in a folder is encrypted with; null where it is not. */
export async function keptVersion(store: string): Promise<number | null> {
  const text = await readIfPresent(versionFile(store));
  if (text === null) return null;
  const version = Number(text);
  if (!Number.isSafeInteger(version)) throw new Error(`${versionFile(store)} is damaged`);
  return version;
}

export async function keepVersion(store: string, version: number): Promise<void> {
  await mkdir(store, { recursive: true, mode: 0o700 });
  await writePrivateFile(versionFile(store), String(version));
}
