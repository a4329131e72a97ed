import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { changes, limited, protectable } from '@sluice/terminal/options';
import { filteredByLabel, labelled, relabelled } from './places/labels.ts';

export default function environments(command: Command, cli: Cli): void {
  const add = (verb: string, description: string) => command.command(verb).description(description);
  const actions = () => import('./places/environments.ts');
  const place = ['[environment]', 'its place, such as payments/dev, or its id'] as const;

  filteredByLabel(limited(add('list', 'List the environments that you may see')))
    .alias('ls')
    .argument('[division]', 'only those of this division')
    .action(async (division, options) => (await actions()).list(cli, division, options));

  add('show', 'Show an environment')
    .argument(...place)
    .action(async (at) => (await actions()).show(cli, at));

  labelled(changes(add('create', 'Create an environment')))
    .argument('<place>', 'where it shall be and its name, such as payments/dev')
    .option('--description <text>', 'a text for people')
    .action(async (at, options) => (await actions()).create(cli, at, options));

  relabelled(changes(add('edit', 'Change an environment')))
    .argument(...place)
    .option('--name <name>', 'its name')
    .option('--description <text>', 'a text for people')
    .option('--no-description', 'without a description')
    .option('--protected', 'its deletion needs a one-time code')
    .option('--no-protected', 'lower the protection, which only the owner of the tenant can do')
    .action(async (at, options) => (await actions()).edit(cli, at, options));

  protectable(add('delete', 'Delete an environment, which has no deployments'))
    .argument('<environment>', place[1])
    .action(async (at, options) => (await actions()).destroy(cli, at, options));
}
