import { Option, type Command } from 'commander';
import type { Cli } from '../cli.ts';
import { changes } from '@sluice/terminal/options';
import { accounts, addCloudOptions } from './clouds/index.ts';
import { addVerbs } from './verbs.ts';

export default function cloudAccounts(command: Command, cli: Cli): void {
  const actions = () => import('./cloud-accounts/cloud-accounts.ts');

  addVerbs(command, cli, {
    one: 'account',
    load: async () => (await actions()).cloudAccounts,
    list: 'List your cloud accounts',
    show: 'Show a cloud account with its settings',
    remove: ['delete', 'Delete a cloud account; deployments in it go on'],
  }).option('--cloud <cloud>', 'only those of this cloud');

  settings(changes(command.command('create').description('Save a cloud account for deployments in it')))
    .argument('<name>', 'its name')
    .requiredOption('--cloud <cloud>', 'its cloud, such as cloud_a')
    .requiredOption('--account-id <account>', accounts('the'))
    .action(async (name, options) => (await actions()).create(cli, name, options));

  settings(changes(command.command('edit').description('Change a cloud account; settings change as a whole')))
    .argument('<account>', 'its name or its id')
    .option('--name <name>', 'its new name')
    .option('--account-id <account>', accounts('the'))
    .addOption(
      new Option('--status <status>', 'only active ones take deployments').choices([
        'active',
        'inactive',
        'locked',
        'deleted',
      ]),
    )
    .option('--no-region', 'it has no default region any more')
    .option('--no-remarks', 'it has no remarks any more')
    .action(async (text, options) => (await actions()).edit(cli, text, options));
}

const settings = (command: Command): Command =>
  addCloudOptions(
    command.option('--region <region>', 'its default region'),
    ({ settings: { options } }) => options,
  ).option('--remarks <text>', 'a text for people');
