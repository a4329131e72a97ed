import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { changes, dollars, duration, integer, limited, protectable, waits } from '@sluice/terminal/options';
import { created, shaped } from './deployments/options.ts';
import { filteredByLabel, labelled, relabelled } from './places/labels.ts';

const place = ['[deployment]', 'its place, such as payments/dev/orders, or its id'] as const;

export default function deployments(command: Command, cli: Cli): void {
  const add = (verb: string, description: string) => command.command(verb).description(description);

  filteredByLabel(limited(add('list', 'List the deployments that you may see')))
    .alias('ls')
    .argument('[place]', 'only those in this division or environment')
    .option('-q, --search <text>', 'only those whose name contains this')
    .option('--cloud <cloud>', 'only those on this cloud')
    .option('--region <region>', 'only those in this region')
    .option('--tier <tier>', 'only those of this tier')
    .option('--status <status>', 'only those with this status')
    .option('--sort <order>', 'created_at or name; -name for descending')
    .action(async (at, options) => (await import('./deployments/read.ts')).list(cli, at, options));

  add('show', 'Show a deployment: what it is, how it is reached, its nodes')
    .argument(...place)
    .action(async (at) => (await import('./deployments/read.ts')).show(cli, at));

  limited(add('history', 'List the statuses that a deployment has had, with their times and reasons'), 20)
    .argument(...place)
    .action(async (at, options) => (await import('./deployments/read.ts')).history(cli, at, options));

  waits(changes(created(shaped(add('create', 'Create a deployment on the infrastructure of Sluice')))))
    .argument('<place>', 'where it shall be and its name, such as payments/dev/orders')
    .action(async (at, options) => (await import('./deployments/create.ts')).create(cli, at, options));

  waits(changes(labelled(add('starter', 'Create a free deployment for development'))))
    .argument(
      '[place]',
      'division or environment, such as payments or payments/dev; the environment may be new',
      undefined,
    )
    .requiredOption('--cloud <cloud>', 'its cloud, such as cloud_a')
    .requiredOption('--region <region>', 'its region')
    .option('--name <name>', 'its name; one is made up without it')
    .action(async (at, options) => (await import('./deployments/create.ts')).starter(cli, at, options));

  shaped(add('preview', 'Show what a deployment would cost in a month'))
    .argument('[environment]', 'the environment that it would be in')
    .option('--nodes <count>', 'how many nodes', integer)
    .action(async (at, options) => (await import('./deployments/create.ts')).preview(cli, at, options));

  waits(changes(add('upgrade', 'Give a deployment another tier or more storage')))
    .argument(...place)
    .option('--tier <tier>', 'the tier that it shall have')
    .option('--storage-size <gigabytes>', 'the storage that it shall have', integer)
    .action(async (at, options) => (await import('./deployments/change.ts')).upgrade(cli, at, options));

  waits(changes(add('extend', 'Add nodes to a cluster')))
    .argument(...place)
    .requiredOption('--nodes <count>', 'how many', integer)
    .action(async (at, options) => (await import('./deployments/change.ts')).extend(cli, at, options));

  add('wait', 'Wait until a deployment has a status')
    .argument(...place)
    .option('--for <status>', 'the status, or "gone"', 'initialized')
    .option('--timeout <duration>', 'how long to wait, such as 90s or 15m', duration, 600_000)
    .action(async (at, options) => (await import('./deployments/operate.ts')).wait(cli, at, options));

  waits(changes(add('retry', 'Try again at once what a deployment has failed with')))
    .argument(...place)
    .action(async (at, options) => (await import('./deployments/operate.ts')).retry(cli, at, options));

  for (const [verb, description] of Object.entries(activities))
    waits(changes(add(verb, description)))
      .argument(...place)
      .option('--node <id>', 'only this node; can be given several times', (text, ids: number[] = []) => [
        ...ids,
        integer(text),
      ])
      .action(async (at, options) =>
        (await import('./deployments/operate.ts')).activity(cli, verb, at, options),
      );

  waits(changes(add('rotate-key', 'Make a new version of the key that encrypts what a deployment stores')))
    .argument(...place)
    .action(async (at, options) => (await import('./deployments/operate.ts')).rotateKey(cli, at, options))
    .addHelpText('after', '\nIts broker restarts and encrypts what it has stored with the new version.');

  relabelled(changes(add('edit', 'Change the description, the labels or the protection of a deployment')))
    .argument(...place)
    .option('--description <text>', 'a text for people')
    .option('--no-description', 'without a description')
    .option('--protected', 'its deletion needs a one-time code')
    .option('--no-protected', 'lower the protection, which only the owner of the tenant can do')
    .action(async (at, options) => (await import('./deployments/change.ts')).edit(cli, at, options));

  changes(add('protect', 'Have the deletion of a deployment need a one-time code'))
    .argument(...place)
    .option('--off', 'lower the protection, which only the owner of the tenant can do')
    .action(async (at, options) => (await import('./deployments/change.ts')).protect(cli, at, options));

  changes(add('describe', 'Change the description of a deployment'))
    .argument('<deployment>', place[1])
    .argument('[text]', 'the description; without it there is none any more')
    .action(async (at, text) => (await import('./deployments/change.ts')).describe(cli, at, text));

  changes(add('spend-limit', 'Set what a deployment may cost in a month'))
    .argument(...place)
    .option('--dollars <amount>', 'the limit', dollars)
    .option('--none', 'take the limit away')
    .action(async (at, options) => (await import('./deployments/change.ts')).spendLimit(cli, at, options));

  changes(add('retention', 'Set for how long metrics, logs and heartbeats are kept'))
    .argument(...place)
    .requiredOption('--days <count>', 'how many days', integer)
    .action(async (at, options) => (await import('./deployments/change.ts')).retention(cli, at, options));

  waits(protectable(add('delete', 'Delete a deployment with everything in it')))
    .argument('<deployment>', place[1])
    .action(async (at, options) => (await import('./deployments/delete.ts')).destroy(cli, at, options));
}

const activities = {
  start: 'Start the broker of a stopped deployment',
  stop: 'Stop the broker of a deployment; its data stays',
  restart: 'Restart the broker of a deployment, one node at a time',
};
