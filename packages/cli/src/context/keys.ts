import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivate, readIfThere, writePrivately } from './files.ts';

/** Where a key is: in the keyring of the operating system, or in a file that only its owner can read. */
export type KeyPlace = 'keyring' | 'file';

/** a keyring that waits for something that does not come, such as a password on a machine without a screen */
const keyringMs = 5_000;

/** Keys by context. `folder`: where the files are; it also tells apart what different folders keep in one keyring. */
export function keysIn(folder: string, env: NodeJS.ProcessEnv) {
  const fileOf = (context: string) => join(folder, 'keys', context);

  async function entry(context: string) {
    const { AsyncEntry } = await import('@napi-rs/keyring');
    return new AsyncEntry('sluice', `${folder}:${context}`);
  }

  async function inKeyring(context: string, key: string): Promise<boolean> {
    if (env['SLUICE_KEYRING'] === 'off') return false;
    try {
      const signal = AbortSignal.timeout(keyringMs);
      const its = await entry(context);
      await its.setPassword(key, signal);
      return (await its.getPassword(signal)) === key;
    } catch {
      return false;
    }
  }

  return {
    /** @returns where it is now */
    async write(context: string, key: string): Promise<KeyPlace> {
      if (await inKeyring(context, key)) {
        await rm(fileOf(context), { force: true });
        return 'keyring';
      }
      await writePrivately(fileOf(context), `${key}\n`);
      return 'file';
    },
    /** @returns undefined where it is gone */
    async read(context: string, place: KeyPlace): Promise<string | undefined> {
      if (place === 'keyring')
        return (await (await entry(context)).getPassword(AbortSignal.timeout(keyringMs))) ?? undefined;
      const text = await readIfThere(fileOf(context));
      if (text !== undefined) await makePrivate(fileOf(context));
      return text?.trim();
    },
    async remove(context: string, place: KeyPlace): Promise<void> {
      await rm(fileOf(context), { force: true });
      if (place === 'keyring') await (await entry(context)).deletePassword(AbortSignal.timeout(keyringMs));
    },
  };
}
