import type { Command } from 'commander';
import { onBroker } from './broker/options.ts';
import type { Cli } from '../cli.ts';
import { integer } from '@sluice/terminal/options';
import { placeWords } from './verbs.ts';

export default function sub(command: Command, cli: Cli): void {
  onBroker(command)
    .description(
      'Show messages as they are published, until Ctrl-C. No consumer is made and nothing is acknowledged; what streams have stored shows sluice messages.',
    )
    .argument('<subjects...>', 'such as orders.new, "orders.*" or ">"')
    .option('--deployment <place>', `where: ${placeWords}`)
    .option('--count <count>', 'end after so many messages', integer)
    .action(async (subjects, options) => (await import('./sub/sub.ts')).subscribe(cli, subjects, options));
}
