import type { Cli } from '../../cli.ts';
import { showSteps, type Steps } from '../../steps.ts';

/** Shows what is waited for until it is there, or is not. */
export async function withSteps<T>(cli: Cli, wait: (steps: Steps) => Promise<T>): Promise<T> {
  const steps = showSteps(cli);
  try {
    const result = await wait(steps);
    await steps.end('done');
    return result;
  } catch (error) {
    await steps.end('failed');
    throw error;
  }
}
