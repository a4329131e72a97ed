import { takeLock } from '@sluice/system';
import { realpath } from 'node:fs/promises';
import type { Options } from './options.ts';
import { prepare } from './preconditions.ts';
import { withRegistry } from './registry.ts';
import { releaseSteps, type Step } from './steps.ts';

/**
 * Makes a release of a checkout, or finishes one.
 * @param root the checkout
 * @param say gets what is done, a line at a time
 * @throws Error that says what to do; until the first step nothing is changed
 */
export async function release(root: string, options: Options, say: (line: string) => void): Promise<void> {
  const unlock = await takeLock('release', await realpath(root));
  if (unlock === null) throw new Error('Another release of this checkout is running: wait for its end.');
  try {
    const prepared = await prepare(root, options);
    const { version, onBranch } = prepared.target;
    say(`${options.dryRun ? 'Dry run: ' : ''}${onBranch ? 'continues' : 'makes'} the release ${version}.`);
    if (options.dryRun) {
      for (const { title } of releaseSteps(root, options, prepared)) say(`  ${title}`);
      return;
    }
    const work = async (pushTo: string) => await runSteps(releaseSteps(root, options, prepared, pushTo), say);
    await (options.layout ? withRegistry(work) : work(options.registry));
  } finally {
    await unlock();
  }
}

async function runSteps(steps: readonly Step[], say: (line: string) => void): Promise<void> {
  for (const [index, { title, run }] of steps.entries()) {
    say(`[${index + 1}/${steps.length}] ${title}`);
    await run();
  }
}
