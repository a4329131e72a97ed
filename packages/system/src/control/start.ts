import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A program of this repository, and what it was built from. It lies five folders deep, as services have their programs. */
export interface Program {
  node: string;
  program: string;
  build: string;
}

/** How long a program may take to start, or to take over from another. Milliseconds. */
const startLimit = 15_000;

/**
 * Starts a program in a session of its own: `<program> <folder> <build> …`. Its socket is open once it has said the word that is
 * expected of it.
 */
export function startProgram(
  { node, program, build }: Program,
  folder: string,
  errors: number | 'inherit',
  ...more: readonly string[]
): ChildProcess {
  // the variable, unlike the function of node:module, spares also the first file the stripping of its types: without
  // that a gateway starts in half the time and takes 54 MB instead of 71
  const compiled = join(program, '../../../../../.cache/compiled');
  const child = fork(program, [folder, build, ...more], {
    execPath: node,
    execArgv: [],
    env: { ...process.env, NODE_COMPILE_CACHE: compiled },
    detached: true,
    stdio: ['ignore', 'ignore', errors, 'ipc'],
  });
  child.on('error', () => undefined);
  child.unref();
  return child;
}

/** Waits for the word of a program that was started. @throws Error when it ends before, or takes too long */
export async function says(child: ChildProcess, expected: string, name: string): Promise<void> {
  const limited = AbortSignal.timeout(startLimit);
  const [word] = (await Promise.race([
    once(child, 'message', { signal: limited }),
    once(child, 'exit', { signal: limited }).then((how) => [`it ended (${how.join(' ')})`]),
  ])) as [unknown];
  if (word !== expected) throw new Error(`the ${name} did not start: ${String(word)}`);
}

/** Tells the process that has started this one. */
export function tellStarter(word: string): void {
  if (process.connected) process.send?.(word);
}
