import { execFile, spawnSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';

/** The user and group that servers run as when Sluice itself runs as root: those of the least privileged user on Linux. */
export const unprivilegedUser = 65534;

/** Whether this process is root, whose rights no server needs. */
export const isRoot = process.getuid?.() === 0;

/**
 * What a program keeps of root's rights. `dac_override`: reading and writing files regardless of their permissions;
 * `dac_read_search`: reading them and entering folders, because the repository and its data may lie below a folder that
 * only root can enter.
 */
export type Capability = 'dac_override' | 'dac_read_search';

let hasSetpriv: boolean | undefined;

/**
 * How to run a program without being root: as an ordinary user with one single capability, which it cannot extend. Not
 * as root it is simply run.
 * @throws Error when this is root and the machine has no `setpriv`: one sentence
 */
export function unprivileged(
  command: string,
  args: readonly string[],
  capability: Capability,
): [command: string, args: string[]] {
  if (!isRoot) return [command, [...args]];
  hasSetpriv ??= spawnSync('setpriv', ['--version'], { stdio: 'ignore' }).status === 0;
  if (!hasSetpriv) {
    throw new Error(
      'This is root, and there is no "setpriv" here to give its rights up: install util-linux or run as another user.',
    );
  }
  const user = String(unprivilegedUser);
  const kept = `-all,+${capability}`;
  return [
    'setpriv',
    [
      ...['--reuid', user, '--regid', user, '--clear-groups', '--no-new-privs'],
      ...['--inh-caps', kept, '--ambient-caps', `+${capability}`, '--bounding-set', kept],
      '--securebits=+no_setuid_fixup',
      command,
      ...args,
    ],
  ];
}

/**
 * Gives a folder of root's with all that is in it to the user of `unprivileged`; does nothing where this is not root, or
 * there is no such folder.
 */
export async function giveToUnprivileged(folder: string): Promise<void> {
  // what is in a folder of that user's is that user's own business
  if (!isRoot || (await stat(folder).catch(() => undefined))?.uid !== 0) return;
  await promisify(execFile)('chown', ['-R', '-h', `${unprivilegedUser}:${unprivilegedUser}`, folder]);
}
