import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { changes } from '@sluice/terminal/options';
import { addVerbs } from './verbs.ts';

export default function roles(command: Command, cli: Cli): void {
  const change = () => import('./members/change-roles.ts');
  addVerbs(command, cli, {
    one: 'role',
    load: async () => (await import('./members/roles.ts')).roles,
    list: 'List the roles of the tenant',
    show: 'Show what a role grants',
    remove: ['delete', 'Delete a role that is in use by no member and no key'],
  });

  changes(command.command('create').description('Create a role, in an editor or from a file'))
    .argument('<name>', 'its name')
    .option('--file <file>', 'what it grants, as YAML or JSON; - for stdin')
    .option('--like <role>', 'begin with what this role grants: its name or its id')
    .action(async (name, options) => (await change()).create(cli, name, options));

  changes(command.command('edit').description('Change what a role grants, in an editor or from a file'))
    .argument('<role>', 'its name or its id')
    .option('--file <file>', 'all that it shall grant, as YAML or JSON; - for stdin')
    .option('--name <name>', 'its new name; what it grants stays without --file')
    .action(async (text, options) => (await change()).edit(cli, text, options));

  for (const [verb, description] of [
    ['assign', 'Give members a role'],
    ['unassign', 'Take a role from members'],
  ] as const)
    changes(command.command(verb).description(description))
      .argument('<role>', 'its name or its id')
      .argument('<members...>', 'their addresses or ids')
      .action(async (role, members) => (await import('./members/holders.ts'))[verb](cli, role, members));

  command
    .command('explain')
    .description('Show who may do what, where, and why: by which role, its default or an override')
    .argument('[place]', 'only there: a division, an environment or a deployment')
    .option('--permission <permission>', 'only who holds this, such as deployment:manage')
    .option('--member <member>', 'only this member: their address or their id')
    .option('--key <key>', 'only this API key: its name or its id')
    .addHelpText(
      'after',
      '\nOwnership is no role: the owner may also delete the tenant and lower protection, with any role or none.',
    )
    .action(async (at, options) => (await import('./roles/explain.ts')).explain(cli, at, options));
}
