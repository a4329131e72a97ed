import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '@sluice/testing';

/**
 * Starts a server that is installed on this machine, and waits until `ready` no longer throws.
 * @returns what ends it; null, after a line that says so, where it is not installed
 */
export async function startProgram(
  command: string,
  args: readonly string[],
  ready: () => Promise<unknown>,
): Promise<(() => Promise<void>) | null> {
  const child = spawn(command, args, { stdio: 'ignore' });
  const failed = await new Promise<Error | null>((resolve) => {
    child.once('error', resolve);
    child.once('spawn', () => resolve(null));
  });
  if (failed) {
    console.warn(`Tests against ${command} are left out: ${failed.message}`);
    return null;
  }
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  await eventually(ready).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return stop;
}
