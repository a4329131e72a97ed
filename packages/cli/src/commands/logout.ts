import type { Command } from 'commander';
import type { Cli } from '../cli.ts';

export default function logout(command: Command, cli: Cli): void {
  command
    .description(
      'End the session of a context at the server and forget it, or forget its key. Address and place are kept for the next sign-in.',
    )
    .option('--revoke', 'delete a key on the server, too, so that no copy of it works')
    .action(async (options) => (await import('./login/logout.ts')).logout(cli, options));
}
