import { readFile } from 'node:fs/promises';
import { readIfPresent, reasonOf, writePrivateFile } from '@sluice/system';
import { secretBox, secretKeysSchema, type SecretBox } from '@sluice/system/secrets';

/** Secrets in the agent's folder, sealed with a key that is kept elsewhere: a copy of the folder reveals none of them. */
export interface Sealing extends Pick<SecretBox, 'seal'> {
  /**
   * What was sealed; `renewed` is what to store in its place where it was sealed with a former key.
   * @throws Error when it is damaged, or of another key
   */
  open(text: string): Promise<{ text: string; renewed?: string }>;
  writeFile(path: string, text: string): Promise<void>;
  /** Null where there is none. @throws Error like `open` */
  readFile(path: string): Promise<string | null>;
}

export async function sealingWith(keyFile: string): Promise<Sealing> {
  const text = await readFile(keyFile, 'utf8').catch((error: unknown) => {
    throw new Error(`the sealing key cannot be read: ${reasonOf(error)}`, { cause: error });
  });
  const keys = secretKeysSchema.safeParse(text);
  if (!keys.success) throw new Error(`${keyFile} ${keys.error.issues[0]?.message ?? 'holds no key'}`);
  const box = secretBox(keys.data);
  const sealing: Sealing = {
    seal: (plain) => box.seal(plain),
    async open(kept) {
      const opened = await box.open(kept);
      return { text: opened, ...(!box.isNewest(kept) && { renewed: await box.seal(opened) }) };
    },
    writeFile: async (path, plain) => writePrivateFile(path, await box.seal(plain)),
    async readFile(path) {
      const kept = await readIfPresent(path);
      if (kept === null) return null;
      const opened = await sealing.open(kept);
      if (opened.renewed !== undefined) await writePrivateFile(path, opened.renewed);
      return opened.text;
    },
  };
  return sealing;
}
