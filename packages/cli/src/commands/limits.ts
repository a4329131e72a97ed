import { Option, type Command } from 'commander';
import type { Cli } from '../cli.ts';

export default function limits(command: Command, cli: Cli): void {
  command
    .addOption(
      new Option('--scope <scope>', 'only those of each of these').choices([
        'tenant',
        'division',
        'role',
        'api_key',
        'channel',
        'deployment',
      ]),
    )
    .action(async (options) => (await import('./limits/limits.ts')).limits(cli, options));
}
