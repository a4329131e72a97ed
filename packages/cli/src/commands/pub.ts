import { Option, type Command } from 'commander';
import { onBroker } from './broker/options.ts';
import type { Cli } from '../cli.ts';
import { changes, gather, integer } from '@sluice/terminal/options';
import { placeWords } from './verbs.ts';

export default function pub(command: Command, cli: Cli): void {
  changes(onBroker(command))
    .description(
      'Publish messages. Each is stored by a stream before the command says so, unless --no-ack is given.',
    )
    .argument('<subject>', 'its subject, such as orders.new')
    .argument('[message]', 'its payload; without it --file, or stdin')
    .option('--deployment <place>', `where: ${placeWords}`)
    .addOption(new Option('--file <file>', 'the file with the payload, or - for stdin'))
    .option('--lines', 'each line of the file or of stdin is a message')
    .option('-H, --header <header>', 'such as "Content-Type: text/csv"; can be given several times', gather)
    .option(
      '--id <id>',
      'by which the stream knows a repetition (Nats-Msg-Id); of several messages the id with -1, -2 …',
    )
    .option('--count <count>', 'publish it so many times', integer, 1)
    .option('--no-ack', 'send it to those who listen, and do not ask whether a stream has stored it')
    .addHelpText(
      'after',
      `
Examples:
  sluice pub orders.new '{"total": 12}' --header 'Content-Type: application/json' --id order-17
  sluice pub orders.import --file orders.csv --lines
  echo hello | sluice pub greetings --deployment payments/dev/orders`,
    )
    .action(async (subject, message, options) =>
      (await import('./pub/pub.ts')).publish(cli, subject, message, options),
    );
}
