import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { changes } from '../options.ts';
import { addVerbs } from './verbs.ts';

export default function roles(command: Command, cli: Cli): void {
  addVerbs(command, cli, {
    one: 'role',
    load: async () => (await import('./members/roles.ts')).roles,
    list: 'List the roles of the tenant',
    show: 'Show what a role grants',
    remove: ['delete', 'Delete a role that is in use by no member and no key'],
  });

  for (const [verb, description] of [
    ['assign', 'Give members a role'],
    ['unassign', 'Take a role from members'],
  ] as const)
    changes(command.command(verb).description(description))
      .argument('<role>', 'its name or its id')
      .argument('<members...>', 'their addresses or ids')
      .action(async (role, members) => (await import('./members/holders.ts'))[verb](cli, role, members));
}
