import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { changes, protectable } from '@sluice/terminal/options';

export default function tenants(command: Command, cli: Cli): void {
  const add = (verb: string, description: string) => command.command(verb).description(description);
  const actions = () => import('./places/tenants.ts');

  add('list', 'List the tenants that you are a member of; with a key the one that it is of')
    .alias('ls')
    .action(async () => (await actions()).list(cli));

  add('show', 'Show the tenant').action(async () => (await actions()).show(cli));

  changes(add('create', 'Found a tenant, which you own; for people, not for keys'))
    .argument('<name>', 'its name')
    .option('--description <text>', 'a text for people')
    .option('--email <address>', 'its address for mails; unless given, yours')
    .option('--division <name>', 'the name of its first division')
    .action(async (name, options) => (await actions()).create(cli, name, options));

  changes(add('edit', 'Change the tenant'))
    .option('--name <name>', 'its name')
    .option('--description <text>', 'a text for people')
    .option('--no-description', 'without a description')
    .option('--email <address>', 'its address for mails')
    .option('--protected', 'its deletion needs a one-time code')
    .option('--no-protected', 'lower the protection, which only the owner can do')
    .action(async (options) => (await actions()).edit(cli, options));

  changes(add('leave', 'Leave the tenant; your keys in it are deleted'))
    .option('-y, --yes', 'do not ask; needed without a terminal')
    .action(async (options) => (await actions()).leave(cli, options));

  protectable(add('delete', 'Delete the tenant with everything in it')).action(async (options) =>
    (await actions()).destroy(cli, options),
  );
}
