import { Argument, type Command } from 'commander';
import type { Cli } from '../cli.ts';
import { changes, waits } from '@sluice/terminal/options';
import { addVerbs, placeWords } from './verbs.ts';

export default function tasks(command: Command, cli: Cli): void {
  const actions = () => import('./work/tasks.ts');
  addVerbs(command, cli, {
    one: 'task',
    place: 'deployment',
    load: async () => (await actions()).tasks,
    list: 'List what the nodes of a deployment were given to do, newest first',
    show: 'Show a task',
  });

  waits(
    changes(command.command('reconfigure').description('Have the nodes take in their configuration again')),
  )
    .addArgument(new Argument('<runtime>', 'the broker or the connectors').choices(['broker', 'connectors']))
    .argument('[deployment]', placeWords)
    .action(async (runtime, at, options) => (await actions()).reconfigure(cli, runtime, at, options));
}
