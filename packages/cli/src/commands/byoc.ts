import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { changes, secretOut, waits } from '@sluice/terminal/options';
import { accounts, addCloudOptions } from './clouds/index.ts';
import { created, shaped } from './deployments/options.ts';
import { placeWords } from './verbs.ts';

export default function byoc(command: Command, cli: Cli): void {
  const actions = () => import('./byoc/byoc.ts');
  command.description(
    'Deployments in your own cloud account, or on your own machines. In this order: setup, validate, create; for machines create, then enrol for each node.',
  );
  const add = (verb: string, description: string) => command.command(verb).description(description);
  const placed = (one: Command) =>
    one
      .argument('[environment]', 'the environment that deployments shall be in')
      .requiredOption('--cloud <cloud>', 'its cloud, such as cloud_a')
      .requiredOption('--region <region>', 'its region');

  placed(add('setup', 'Show what to prepare in your account, step by step')).action(async (at, options) =>
    (await actions()).setup(cli, at, options),
  );

  access(placed(add('validate', 'Check the access to your account, and change nothing'))).action(
    async (at, options) => (await actions()).validate(cli, at, options),
  );

  waits(changes(access(created(shaped(add('create', 'Create a deployment in your account'))))))
    .argument('<place>', 'where it shall be and its name, such as payments/dev/orders')
    .action(async (at, options) => (await actions()).create(cli, at, options));

  secretOut(changes(add('enrol', 'Make the command that makes a machine of yours a node, for use once')))
    .argument('<node>', 'its name or its id')
    .argument('[deployment]', placeWords)
    .action(async (text, at, options) => (await actions()).enrol(cli, text, at, options));
}

/** How to get into an account; what a saved cloud account has can be left out. */
const access = (command: Command): Command =>
  addCloudOptions(
    command.option('--account-id <account>', accounts('your')),
    ({ access: { options } }) => options,
  );
