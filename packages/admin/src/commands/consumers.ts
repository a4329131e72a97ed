import { requestDeadLetter } from '@sluice/messaging';
import { changes, integer } from '@sluice/terminal/options';
import type { Command } from 'commander';
import type { Admin } from '../admin.ts';
import { consumerName } from '../arguments.ts';

export default function consumers(command: Command, admin: Admin): void {
  changes(command.command('put-aside'))
    .description('Have the next attempt at a message be none: it becomes a dead letter')
    .argument('<consumer>', 'the consumer that stands still before it', consumerName)
    .argument('<sequence>', 'the sequence of the message in its stream', integer)
    .action((consumer: string, sequence: number) =>
      admin.withDatabase(async (sql) => {
        if (admin.isDry)
          return admin.say(`Would have message ${sequence} become a dead letter of ${consumer}.`);
        await requestDeadLetter(sql, consumer, sequence);
        admin.say(
          `Message ${sequence} becomes a dead letter of ${consumer} at the next attempt within a day.`,
        );
      }),
    )
    .addHelpText('after', '\nExample:\n  $ sluice-admin --service=audit consumers put-aside audit 4711');
}
