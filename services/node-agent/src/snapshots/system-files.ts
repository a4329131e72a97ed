import { readFile } from 'node:fs/promises';
import { isErrorCode } from '@sluice/system';

/** @throws Error that names the file where the system does not have it, or the agent may not read it */
export async function systemFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isErrorCode(error, 'ENOENT')) throw new Error(`this system does not have ${path}`, { cause: error });
    if (isErrorCode(error, 'EACCES') || isErrorCode(error, 'EPERM'))
      throw new Error(`the agent may not read ${path}`, { cause: error });
    throw error;
  }
}

/** Undefined where there is no such file, or it may not be read. */
export async function systemFileIfAny(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').catch(() => undefined);
}

/** `name value` or `name: value` a line. */
export function numbersOf(text: string): Map<string, number> {
  const pairs = text.split('\n').map((line) => /^([\w()]+):?\s+(\d+)/.exec(line));
  return new Map(pairs.flatMap((found) => (found ? [[found[1] ?? '', Number(found[2])]] : [])));
}

const root = '/sys/fs/cgroup';

/**
 * A file of this process's control group: by its name in version 2, and by controller and name in version 1. In a container the path that
 * the kernel tells may not be there, and the group is the root.
 */
export async function controlGroupFile(
  controller: string,
  { v1, v2 }: { v1: string; v2: string },
): Promise<string | undefined> {
  const lines = (await systemFile('/proc/self/cgroup')).split('\n').map((line) => line.split(':'));
  const unified = lines.find(([id]) => id === '0')?.[2];
  const own = lines.find(([, controllers]) => controllers?.split(',').includes(controller))?.[2];
  const paths = [
    ...(own === undefined ? [] : [`${root}/${controller}${own}/${v1}`, `${root}/${controller}/${v1}`]),
    ...(unified === undefined ? [] : [`${root}${unified}/${v2}`, `${root}/${v2}`]),
  ];
  for (const path of paths) {
    const text = await systemFileIfAny(path);
    if (text !== undefined) return text;
  }
  return undefined;
}
