import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivate, readIfThere, writePrivately } from './files.ts';
import { notSignedIn } from '../errors.ts';

/** Where a key is: in the keyring of the operating system, or in a file that only its owner can read. */
export type KeyPlace = 'keyring' | 'file';

/** a keyring that waits for something that does not come, such as a password on a machine without a screen */
const keyringMs = 5_000;

/** Keys by context, each with the address that it may be sent to. `folder`: where the files are; it also tells apart what different folders keep in one keyring. */
export function keysIn(folder: string, env: NodeJS.ProcessEnv) {
  const fileOf = (context: string) => join(folder, 'keys', context);

  async function entry(context: string) {
    const { AsyncEntry } = await import('@napi-rs/keyring');
    return new AsyncEntry('sluice', `${folder}:${context}`);
  }

  async function inKeyring(context: string, secret: string): Promise<boolean> {
    if (env['SLUICE_KEYRING'] === 'off') return false;
    try {
      const signal = AbortSignal.timeout(keyringMs);
      const its = await entry(context);
      await its.setPassword(secret, signal);
      return (await its.getPassword(signal)) === secret;
    } catch {
      return false;
    }
  }

  async function ofKeyring<T>(
    context: string,
    use: (its: Awaited<ReturnType<typeof entry>>, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    try {
      return await use(await entry(context), AbortSignal.timeout(keyringMs));
    } catch (error) {
      throw notSignedIn(
        `The keyring of the system cannot be used: ${(error as Error).message}`,
        `unlock it, or keep the key in a file: SLUICE_KEYRING=off sluice login --context ${context}`,
      );
    }
  }

  async function fromFile(context: string): Promise<string | undefined> {
    const secret = await readIfThere(fileOf(context));
    if (secret !== undefined) await makePrivate(fileOf(context));
    return secret;
  }

  return {
    /** @returns where it is now */
    async write(context: string, url: string, key: string): Promise<KeyPlace> {
      const secret = `${url}\n${key}\n`;
      if (await inKeyring(context, secret)) {
        await rm(fileOf(context), { force: true });
        return 'keyring';
      }
      await writePrivately(fileOf(context), secret);
      return 'file';
    },
    /**
     * @returns undefined where it is gone, or is one for another address: another sign-in was cut off before it had written its context, or
     * runs right now
     * @throws CliError where the keyring cannot be used
     */
    async read(context: string, url: string, place: KeyPlace): Promise<string | undefined> {
      const secret =
        place === 'keyring'
          ? await ofKeyring(context, (its, signal) => its.getPassword(signal))
          : await fromFile(context);
      const [address, key] = secret?.split('\n') ?? [];
      return address === url ? key : undefined;
    },
    async remove(context: string, place: KeyPlace): Promise<void> {
      await rm(fileOf(context), { force: true });
      if (place === 'keyring') await ofKeyring(context, (its, signal) => its.deletePassword(signal));
    },
  };
}
