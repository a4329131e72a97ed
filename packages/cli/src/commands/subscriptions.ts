import { Option, type Command } from 'commander';
import { consumerLagThresholds } from '@sluice/contracts/consumer-lag';
import type { Cli } from '../cli.ts';
import { changes, destroys, list } from '@sluice/terminal/options';
import { divisionWords } from './verbs.ts';

export default function subscriptions(command: Command, cli: Cli): void {
  const actions = () => import('./subscriptions/subscriptions.ts');
  command.description(
    'Which events a channel gets. With subscriptions these are the events that match at least one; without any, all.',
  );
  const add = (verb: string, description: string) => command.command(verb).description(description);
  const channel = ['<channel>', 'the channel: its name or its id'] as const;

  add('list', 'List the subscriptions of a channel')
    .alias('ls')
    .argument(...channel)
    .argument('[division]', divisionWords)
    .action(async (text, at) => (await actions()).list(cli, text, at));

  add('show', 'Show a subscription with all places that it names')
    .argument(...channel)
    .argument('<subscription>', 'its id')
    .argument('[division]', divisionWords)
    .action(async (text, id, at) => (await actions()).show(cli, text, id, at));

  add('types', 'List the types of events').action(async () => (await actions()).types(cli));

  changes(add('create', 'Subscribe a channel to types of events'))
    .argument(...channel)
    .argument('[division]', divisionWords)
    .requiredOption('--types <types>', 'types of events; with commas, or several times', list)
    .addOption(
      new Option(
        '--lag <messages>',
        'of consumer_lag_high: from how many messages on; 10000 unless given',
      ).choices(consumerLagThresholds.map(String)),
    )
    .option('--at <places>', 'only what happens there: divisions, environments, deployments', list)
    .action(async (text, at, options) => (await actions()).create(cli, text, at, options));

  destroys(add('delete', 'Delete a subscription'))
    .argument(...channel)
    .argument('<subscription>', 'its id')
    .argument('[division]', divisionWords)
    .action(async (text, id, at, options) => (await actions()).destroy(cli, text, id, at, options));
}
