import { Option, type Command } from 'commander';
import type { Cli } from '../cli.ts';
import { changes, destroys, duration, integer, waits } from '@sluice/terminal/options';
import { addVerbs, placeWords } from './verbs.ts';

export default function backups(command: Command, cli: Cli): void {
  const actions = () => import('./backups/backups.ts');
  const place = ['[deployment]', placeWords] as const;

  addVerbs(command, cli, {
    one: 'backup',
    place: 'deployment',
    load: async () => (await actions()).backups,
    list: 'List the backups of a deployment',
    show: 'Show a backup',
    remove: ['delete', 'Delete a backup'],
  }).addOption(
    new Option('--type <type>', 'only those of this type').choices(['manual', 'scheduled', 'pre_upgrade']),
  );

  waits(changes(command.command('create').description('Back up what the brokers of a deployment store')))
    .argument('<name>', 'its name')
    .argument(...place)
    .option('--node <id>', 'only this node', integer)
    .option('--remarks <text>', 'a text for people')
    .option(
      '--expires-in <duration>',
      'in whole days: when it is deleted, such as 30d; without it as the plan has it',
      duration,
    )
    .action(async (name, at, options) => (await actions()).create(cli, name, at, options));

  waits(
    destroys(
      command
        .command('restore')
        .description('Put what a backup holds in the place of what the brokers store'),
    ),
  )
    .argument('<backup>', 'its name or its id')
    .argument(...place)
    .action(async (text, at, options) => (await actions()).restore(cli, text, at, options));

  changes(command.command('schedule').description('Show when backups are taken by themselves, or set it'))
    .argument(...place)
    .option('--cron <times>', 'minute, hour, day, month and day of the week in UTC, such as "0 3 * * *"')
    .option('--keep <count>', 'how many of them are kept', integer)
    .option('--on', 'switch it on')
    .addOption(new Option('--off', 'switch it off; its times stay').conflicts('on'))
    .action(async (at, options) => (await import('./backups/schedule.ts')).schedule(cli, at, options));
}
