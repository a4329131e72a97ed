import { unprivileged } from '@sluice/system';
import { CannotStart } from './cannot-start.ts';

/** How to run a server without being root. Throws `CannotStart` where that is not possible. */
export function leavingRoot(...program: Parameters<typeof unprivileged>): ReturnType<typeof unprivileged> {
  try {
    return unprivileged(...program);
  } catch (error) {
    throw new CannotStart(error instanceof Error ? error.message : String(error));
  }
}
