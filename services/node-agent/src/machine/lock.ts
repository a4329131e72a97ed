import { createHash } from 'node:crypto';
import { stat, unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isErrorCode } from './files.ts';

/**
 * Makes this process the only agent of `home` until it ends. The lock is a unix socket, since the kernel closes it
 * with its process, however that ends. `home` has to be a real path.
 * @returns false when another agent has it
 */
export async function takeLock(home: string): Promise<boolean> {
  const name = `sluice-agent-${createHash('sha256').update(home).digest('hex').slice(0, 32)}`;
  // Linux has socket names outside the file system, which leave nothing behind.
  if (process.platform === 'linux') return await listenOn(`\0${name}`);
  return await listenOnFile(join(tmpdir(), `${name}.sock`));
}

/**
 * A socket file stays when its process is killed: one on which nobody answers is removed. Two agents may find the
 * same dead file at once, so it is removed only as long as it is still the one that did not answer.
 */
async function listenOnFile(path: string): Promise<boolean> {
  if (await listenOn(path)) return true;
  const found = await stat(path);
  if (await answers(path)) return false;
  if ((await stat(path)).ino !== found.ino) return false;
  await unlink(path);
  return await listenOn(path);
}

async function listenOn(name: string): Promise<boolean> {
  const server: Server = createServer((socket) => socket.destroy());
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  server.once('error', (error) => (isErrorCode(error, 'EADDRINUSE') ? resolve(false) : reject(error)));
  server.listen(name, () => resolve(true));
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
