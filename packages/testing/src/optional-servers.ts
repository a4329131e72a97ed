import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort, launch, waitUntilReady } from '@sluice/embedded';
import { repository } from './repository.ts';
import { issueLocalhost } from './localhost-certificate.ts';

/** What servers have in common that only some tests need: they are fetched once, and can be killed and started again. */

/**
 * A folder of `.cache` that is made at its first use. Several at once are safe: the first that is ready is kept.
 * @param sign a file of it that is there when it is whole
 * @param make makes it in an empty folder @returns the folder to keep, if that is another
 */
export async function keptInCache(
  name: string,
  sign: string,
  make: (workshop: string) => Promise<string | void>,
): Promise<string> {
  const cache = join(repository, '.cache');
  const kept = join(cache, name);
  const isThere = () =>
    access(join(kept, sign)).then(
      () => true,
      () => false,
    );
  if (await isThere()) return kept;
  await mkdir(cache, { recursive: true });
  const workshop = await mkdtemp(join(cache, 'fetching-'));
  try {
    const made = (await make(workshop)) ?? workshop;
    await rename(made, kept).catch(async (error: unknown) => {
      if (!(await isThere())) throw error;
    });
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
  return kept;
}

/** Free ports, no two of them the same. */
export async function distinctPorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

/** Starts a program. @param answers whether it is ready */
export async function restartable(program: Parameters<typeof launch>[0], answers: () => Promise<boolean>) {
  const begin = async () => {
    const launched = launch(program);
    await waitUntilReady(program, launched.exited, answers);
    return launched;
  };
  let current = await begin();
  return {
    /** ends it as a power cut would */
    kill: async () => {
      current.child.kill('SIGKILL');
      await current.exited;
    },
    /** starts it again with the same data */
    start: async () => {
      current = await begin();
    },
  };
}

/** Whether a server takes a connection, and says what it should: to `asked`, or by itself where that is empty. */
export async function answersOn(port: number, says?: RegExp, asked = ''): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1');
  socket.once('connect', () => (says ? socket.write(asked) : resolve(true)));
  socket.once('data', (data) => resolve(says?.test(data.toString('latin1')) ?? true));
  socket.once('error', () => resolve(false)).once('close', () => resolve(false));
  const answered = await promise;
  socket.destroy();
  return answered;
}

/** Writes a certificate for localhost into a folder, as `key.pem` and `certificate.pem`. @returns its authority */
export async function writeLocalhostPair(folder: string): Promise<string> {
  const { ca, key, certificate } = await issueLocalhost();
  await writeFile(join(folder, 'key.pem'), key, { mode: 0o600 });
  await writeFile(join(folder, 'certificate.pem'), certificate);
  return ca;
}
