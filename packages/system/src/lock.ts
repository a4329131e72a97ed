import { createHash } from 'node:crypto';
import { stat, unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isErrorCode } from './errors.ts';

/** Gives a lock back before the process ends. */
export type Release = () => Promise<void>;

/**
 * Makes this process the only `program` of `folder`, a real path, until it ends. The lock is a unix socket, since the
 * kernel closes it with its process, however that ends; docs/decisions/019 tells why it is not a lock file.
 * @returns null when another process has it
 */
export async function takeLock(program: string, folder: string): Promise<Release | null> {
  const name = `sluice-${program}-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`;
  // Linux has socket names outside the file system, which leave nothing behind.
  const server =
    process.platform === 'linux'
      ? await listenOn(`\0${name}`)
      : await listenOnFile(join(tmpdir(), `${name}.sock`));
  if (server === null) return null;
  return () => new Promise((resolve) => server.close(() => resolve()));
}

/**
 * A socket file stays when its process is killed: one on which no process answers is removed. Two processes may find the
 * same dead file at once, so it is removed only as long as it is still the one that did not answer.
 */
async function listenOnFile(path: string): Promise<Server | null> {
  const first = await listenOn(path);
  if (first !== null) return first;
  const found = await stat(path);
  if (await answers(path)) return null;
  if ((await stat(path)).ino !== found.ino) return null;
  await unlink(path);
  return await listenOn(path);
}

/** Null when the name is taken. */
async function listenOn(name: string): Promise<Server | null> {
  const server = createServer((socket) => socket.destroy());
  const { promise, resolve, reject } = Promise.withResolvers<Server | null>();
  server.once('error', (error) => (isErrorCode(error, 'EADDRINUSE') ? resolve(null) : reject(error)));
  server.listen(name, () => resolve(server));
  server.unref();
  return await promise;
}

async function answers(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(path);
  socket.once('connect', () => resolve(true));
  socket.once('error', () => resolve(false));
  const answer = await promise;
  socket.destroy();
  return answer;
}
