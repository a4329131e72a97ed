import { Option, type Command } from 'commander';
import type { Cli } from '../cli.ts';
import { changes, gather, list, waits } from '@sluice/terminal/options';
import { addVerbs, placeWords } from './verbs.ts';

const types = ['sink', 'source'];

export default function connectors(command: Command, cli: Cli): void {
  const actions = () => import('./connectors/connectors.ts');

  command
    .command('catalogue')
    .description('List the connectors that a deployment can have')
    .argument('[deployment]', placeWords)
    .addOption(new Option('--type <type>', 'only those of this type').choices(types))
    .action(async (at, options) => (await actions()).catalogue(cli, at, options));

  addVerbs(command, cli, {
    one: 'connector',
    place: 'deployment',
    load: async () => (await actions()).connectors,
    list: 'List the connectors of a deployment',
    show: 'Show a connector',
    remove: ['delete', 'Delete a connector with its configurations'],
  });

  waits(changes(command.command('activate').description('Give a deployment a connector, switched off')))
    .argument('<connector>', 'what the catalogue has: its key, such as postgres or sink/postgres')
    .argument('[deployment]', placeWords)
    .option('--name <name>', 'a name for people')
    .option('--key <key>', 'what it is called by in commands; one is made up without it')
    .action(async (text, at, options) => (await actions()).activate(cli, text, at, options));

  changes(command.command('configure').description('Change the configuration of a connector, at once'))
    .argument('<connector>', 'its key or its id')
    .argument('[deployment]', placeWords)
    .option(
      '--file <file>',
      'all its values, as YAML or JSON; - for stdin. Without options an editor is opened',
    )
    .option('--streams <names>', 'all streams that it is for; those that it has keep their settings', list)
    .option('--set <name=value>', 'a value of the plugin; JSON is read as such', gather)
    .option('--secret <name>', 'a secret of the plugin, which is asked for', gather)
    .option('--secret-file <name=file>', 'a secret of the plugin, from a file; - for stdin', gather)
    .option(
      '--secret-env <name=variable>',
      'a secret of the plugin, from a variable of the environment',
      gather,
    )
    .option('--on', 'switch it on')
    .addOption(new Option('--off', 'switch it off').conflicts('on'))
    .addHelpText(
      'after',
      '\nsluice configs schema --kind connector:TYPE:KEY shows its values; secrets that are not given stay.',
    )
    .action(async (text, at, options) =>
      (await import('./connectors/configure.ts')).configure(cli, text, at, options),
    );
}
