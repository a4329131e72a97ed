import { spawnSync } from 'node:child_process';
import { CannotStart } from './cannot-start.ts';

/** The user and group that PostgreSQL runs as when Sluice itself runs as root: "nobody" on Linux. */
export const unprivilegedUser = 65534;

/** Whether this process is root, as which PostgreSQL refuses to run. */
export const isRoot = process.getuid?.() === 0;

/**
 * How to run a program that refuses to be root. It becomes an ordinary user with one single capability: to read and
 * enter files and folders whatever their permissions, because the repository may lie below a folder that only root
 * can enter.
 */
export function unprivileged(command: string, args: readonly string[]): [command: string, args: string[]] {
  if (!isRoot) return [command, [...args]];
  if (spawnSync('setpriv', ['--version'], { stdio: 'ignore' }).status !== 0) {
    throw new CannotStart(
      'PostgreSQL does not run as root, and there is no "setpriv" here to give its rights up: install util-linux or run as another user.',
    );
  }
  const user = String(unprivilegedUser);
  const capability = '-all,+dac_override';
  return [
    'setpriv',
    [
      ...['--reuid', user, '--regid', user, '--clear-groups'],
      ...['--inh-caps', capability, '--ambient-caps', '+dac_override', '--bounding-set', capability],
      '--securebits=+no_setuid_fixup',
      command,
      ...args,
    ],
  ];
}
