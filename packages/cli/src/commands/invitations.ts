import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { changes, list } from '@sluice/terminal/options';
import { addVerbs } from './verbs.ts';

export default function invitations(command: Command, cli: Cli): void {
  addVerbs(command, cli, {
    one: 'invitation',
    load: async () => (await import('./members/invitations.ts')).invitations,
    list: 'List the invitations into the tenant',
    show: 'Show an invitation',
    remove: ['withdraw', 'Withdraw an invitation'],
  });

  changes(command.command('create').description('Invite a person by mail'))
    .argument('<email>', 'their address')
    .option('--roles <roles>', 'the roles that they get; with commas, or several times', list)
    .action(async (email, options) => (await import('./members/invitations.ts')).create(cli, email, options));
}
