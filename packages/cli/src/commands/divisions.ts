import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { changes, limited, protectable } from '@sluice/terminal/options';
import { filteredByLabel, labelled, relabelled } from './places/labels.ts';

export default function divisions(command: Command, cli: Cli): void {
  const add = (verb: string, description: string) => command.command(verb).description(description);
  const actions = () => import('./places/divisions.ts');
  const place = ['[division]', 'its name or id'] as const;
  const subdomain = [
    '--email-subdomain <labels>',
    'labels below the e-mail domain of the tenant, such as eng',
  ] as const;

  filteredByLabel(limited(add('list', 'List the divisions that you may see')))
    .alias('ls')
    .action(async (options) => (await actions()).list(cli, options));

  add('show', 'Show a division')
    .argument(...place)
    .action(async (at) => (await actions()).show(cli, at));

  labelled(changes(add('create', 'Create a division')))
    .argument('<name>', 'its name')
    .option('--description <text>', 'a text for people')
    .option('--email <address>', 'its address for mails')
    .option(...subdomain)
    .action(async (name, options) => (await actions()).create(cli, name, options));

  relabelled(changes(add('edit', 'Change a division')))
    .argument(...place)
    .option('--name <name>', 'its name')
    .option('--description <text>', 'a text for people')
    .option('--no-description', 'without a description')
    .option('--email <address>', 'its address for mails')
    .option('--no-email', 'without an address')
    .option(...subdomain)
    .option('--no-email-subdomain', 'without labels')
    .option('--protected', 'its deletion needs a one-time code')
    .option('--no-protected', 'lower the protection, which only the owner of the tenant can do')
    .action(async (at, options) => (await actions()).edit(cli, at, options));

  protectable(add('delete', 'Delete a division with its environments'))
    .argument('<division>', place[1])
    .action(async (at, options) => (await actions()).destroy(cli, at, options));
}
