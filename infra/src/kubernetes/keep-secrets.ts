import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  isConflict,
  isForbidden,
  type ApiObject,
  type KubernetesApi,
  type Wanted,
} from '@sluice/driver-kubernetes/api';
import { readIfPresent, writePrivateFile } from '@sluice/system';
import { z } from 'zod';
import { kubernetesSecrets, type InstallationSecrets, type KubernetesSecret } from './secrets.ts';

/** The keys of an installation, as the folder of `kubernetes-secrets` has them: an entry for each file. */
const keysSecret = { name: 'keys', namespace: 'sluice' } as const;
/** who the API server says has written the Secrets */
export const keysManager = 'sluice-keys';

export type InstallationKeys = Omit<InstallationSecrets, 'smtpUrl'>;

const mostAttempts = 20;
const dataSchema = z.record(z.string(), z.base64()).default({});
const decoded = (value: string) => Buffer.from(value, 'base64').toString();
const encoded = (value: string) => Buffer.from(value).toString('base64');
const nameOf = ({ name, namespace }: { name: string; namespace: string }) => `Secret ${namespace}/${name}`;

/**
 * Has the Secrets of an installation be in the cluster. What is random in them stands in the Secret `keys`, which is written before the
 * others and only as it was read, so of two runs at once one makes a key, and a run that is killed is continued by the next one.
 * @param say a line about what was done, without anything secret
 * @throws Error where Secrets are there whose keys are not, and when some could not be written, after all others were
 */
export async function keepSecrets(
  api: KubernetesApi,
  installation: InstallationKeys,
  say: (line: string) => void,
): Promise<void> {
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const before = await readKeys(api);
    const { keys, secrets } = await complete(before.keys, installation);
    if (!before.live && (await hasForeign(api, secrets))) continue;
    const made = [...keys].filter(([name, value]) => before.keys.get(name) !== value).map(([name]) => name);
    if (made.length > 0) {
      if (!(await writeKeys(api, before.live, keys))) continue;
      say(`${nameOf(keysSecret)}: made ${made.join(', ')}`);
    }
    await applyAll(api, secrets, say);
    // another run may have got newer keys, and this one have written what is older over it
    const after = await readKeys(api);
    if (sameEntries(after.keys, keys)) return;
  }
  throw new Error(`${nameOf(keysSecret)} changes all the time: run this again when nothing else writes it`);
}

interface Keys {
  live: ApiObject | undefined;
  keys: ReadonlyMap<string, string>;
}

async function readKeys(api: KubernetesApi): Promise<Keys> {
  const live = await api.read({ kind: 'Secret', ...keysSecret });
  const data = dataSchema.parse(live?.['data']);
  return { live, keys: new Map(Object.entries(data).map(([name, value]) => [name, decoded(value)])) };
}

const sameEntries = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>) =>
  one.size === other.size && [...one].every(([name, value]) => other.get(name) === value);

/** What is lacking is made, in a folder that lasts as long as this call. */
async function complete(kept: ReadonlyMap<string, string>, installation: InstallationKeys) {
  const folder = await mkdtemp(join(tmpdir(), 'keys-'));
  const path = (...names: string[]) => join(folder, ...names);
  try {
    await mkdir(path('secrets'), { mode: 0o700 });
    for (const [name, value] of kept) await writePrivateFile(path('secrets', name), value);
    const smtpUrl = (await readIfPresent(path('secrets', 'smtp.url')))?.trim() ?? 'smtp://localhost';
    const secrets = await kubernetesSecrets({ path }, { ...installation, smtpUrl });
    const keys = new Map<string, string>();
    for (const name of await readdir(path('secrets')))
      keys.set(name, await readFile(path('secrets', name), 'utf8'));
    return { keys, secrets };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Whether another run has made the keys meanwhile.
 * @throws Error for a Secret that is there without them: a new key in its place would lock its service out
 */
async function hasForeign(api: KubernetesApi, secrets: readonly KubernetesSecret[]): Promise<boolean> {
  for (const { metadata } of secrets) {
    const found = await api.read({ kind: 'Secret', ...metadata }).catch((error: unknown) => {
      if (isForbidden(error)) return undefined;
      throw error;
    });
    if (!found) continue;
    if ((await readKeys(api)).live) return true;
    throw new Error(
      `${nameOf(metadata)} is there, but not ${nameOf(keysSecret)} with the keys that it was made of: make that of their folder, or remove the Secrets of all services if they were never used`,
    );
  }
  return false;
}

const wanted = (metadata: ApiObject['metadata'], entries: Iterable<readonly [string, string]>): Wanted => ({
  ...{ apiVersion: 'v1', kind: 'Secret', metadata },
  data: Object.fromEntries([...entries].map(([name, value]) => [name, encoded(value)])),
});

/** @returns whether the keys are as before still, so that these are in their place now */
async function writeKeys(
  api: KubernetesApi,
  live: ApiObject | undefined,
  keys: ReadonlyMap<string, string>,
): Promise<boolean> {
  const { resourceVersion } = live?.metadata ?? {};
  try {
    if (resourceVersion === undefined) await api.create(wanted(keysSecret, keys));
    else await api.apply(wanted({ ...keysSecret, resourceVersion }, keys));
    return true;
  } catch (error) {
    if (!isConflict(error)) throw error;
    await sleep(100 + Math.random() * 400);
    return false;
  }
}

async function applyAll(
  api: KubernetesApi,
  secrets: readonly KubernetesSecret[],
  say: (line: string) => void,
): Promise<void> {
  const missed: string[] = [];
  for (const { metadata, stringData } of secrets) {
    try {
      const before = await api.read({ kind: 'Secret', ...metadata });
      const { metadata: now } = await api.apply(wanted(metadata, Object.entries(stringData)));
      const { resourceVersion } = before?.metadata ?? {};
      if (resourceVersion !== now.resourceVersion) say(`${nameOf(metadata)}: ${before ? 'changed' : 'made'}`);
    } catch (error) {
      missed.push(`${nameOf(metadata)}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (missed.length > 0) throw new Error(`not all Secrets are there:\n${missed.join('\n')}`);
}
