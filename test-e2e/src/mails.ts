import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The protection code that was mailed last into the folder of a stack's mails. @throws Error when none has come yet */
export async function mailedCode(folder: string): Promise<string> {
  const mails = (await readdir(folder)).sort();
  const texts = await Promise.all(mails.map((mail) => readFile(join(folder, mail), 'utf8')));
  // in a line of its own: a part of the message's id can be eight digits as well
  const code = texts.flatMap((text) => /^ {4}(\d{8})\r?$/m.exec(text)?.[1] ?? []).at(-1);
  if (code === undefined) throw new Error('the mail has not come yet');
  return code;
}
