import { copyFile, stat, truncate } from 'node:fs/promises';

/** Keeps a log below two times `most` bytes. Its writer has to append: then it goes on at the start. */
export async function trimLog(path: string, most: number): Promise<void> {
  const size = await stat(path).then(
    (log) => log.size,
    () => 0,
  );
  if (size < most) return;
  // On a full disk making room goes before keeping the old lines.
  await copyFile(path, `${path}.1`).catch(() => undefined);
  await truncate(path);
}
