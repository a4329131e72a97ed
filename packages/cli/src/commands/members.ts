import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { changes, list } from '@sluice/terminal/options';
import { addVerbs } from './verbs.ts';

export default function members(command: Command, cli: Cli): void {
  addVerbs(command, cli, {
    one: 'member',
    load: async () => (await import('./members/members.ts')).members,
    list: 'List the members of the tenant',
    show: 'Show a member',
    remove: ['remove', 'Remove a member, and their keys, from the tenant'],
  });

  changes(command.command('edit').description('Change a member'))
    .argument('<member>', 'their address or their id')
    .option('--roles <roles>', 'all the roles that they shall have; with commas, or several times', list)
    .option('--no-roles', 'they shall have no role')
    .option('--active', 'their sessions and keys work')
    .option('--no-active', 'their sessions and keys are refused')
    .action(async (text, options) => (await import('./members/members.ts')).edit(cli, text, options));
}
