import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { destroys } from '@sluice/terminal/options';
import { addVerbs, placeWords } from './verbs.ts';

export default function nodes(command: Command, cli: Cli): void {
  addVerbs(command, cli, {
    one: 'node',
    place: 'deployment',
    load: async () => (await import('./nodes/nodes.ts')).nodes,
    list: 'List the nodes of a deployment',
    show: 'Show a node: its programs, its addresses, its machine',
  });

  destroys(command.command('accept-loss').description('Let a node whose data is gone start empty'))
    .argument('<node>', 'its name or its id')
    .argument('[deployment]', placeWords)
    .action(async (text, at, options) =>
      (await import('./nodes/nodes.ts')).acceptLoss(cli, text, at, options),
    );
}
