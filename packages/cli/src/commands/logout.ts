import type { Command } from 'commander';
import type { Cli } from '../cli.ts';

export default function logout(command: Command, cli: Cli): void {
  command
    .description('Forget the key of a context. Its address and its place are kept for the next sign-in.')
    .option('--revoke', 'delete the key on the server, too, so that no copy of it works')
    .action(async (options) => (await import('./login/logout.ts')).logout(cli, options));
}
