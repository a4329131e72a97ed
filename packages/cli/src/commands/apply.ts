import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import type { ApplyFlags } from './apply/apply.ts';
import { duration } from '@sluice/terminal/options';
import { planned } from './apply/options.ts';

export default function apply(command: Command, cli: Cli): void {
  planned(command)
    .option('--dry-run', 'show the plan, and change nothing')
    .option('-y, --yes', 'do not ask; needed without a terminal')
    .option('--code <code>', 'the one-time code that deleting something protected needs')
    .option(
      '--timeout <duration>',
      'how long to wait for a deployment, such as 90s or 15m',
      duration,
      600_000,
    )
    .action(async (flags: ApplyFlags) => (await import('./apply/apply.ts')).apply(cli, flags));
}
