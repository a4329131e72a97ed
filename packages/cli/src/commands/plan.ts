import { Argument, type Command } from 'commander';
import type { Cli } from '../cli.ts';
import { changes } from '@sluice/terminal/options';

export default function plan(command: Command, cli: Cli): void {
  const actions = () => import('./plan/plan.ts');

  command
    .command('show')
    .description('Show the plan with what it has')
    .action(async () => (await actions()).show(cli));

  changes(command.command('change').description('Change the plan, which changes what you pay'))
    .addArgument(new Argument('<plan>', 'the plan').choices(['basic', 'pro', 'enterprise']))
    .action(async (name) => (await actions()).change(cli, name));
}
