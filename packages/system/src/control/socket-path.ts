import { join, relative } from 'node:path';

/** The socket of the program with this pid. Names of sockets are short, folders need not be. */
export function socketPath(folder: string, pid: number): string {
  const path = join(folder, `${pid}.sock`);
  const near = relative(process.cwd(), path);
  return near.length < path.length ? near : path;
}
