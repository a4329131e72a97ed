import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { changes, destroys } from '@sluice/terminal/options';
import { placeWords } from './verbs.ts';

const which = 'a name, which is its newest version; NAME@2; NAME@active; or an id';

export default function configs(command: Command, cli: Cli): void {
  const read = () => import('./configs/read.ts');
  const change = () => import('./configs/change.ts');
  command.description(
    'Configurations of the broker and of connectors, in versions. One version of each kind is active; the broker takes it up with sluice tasks reconfigure broker.',
  );
  const add = (verb: string, description: string) => command.command(verb).description(description);
  const ofKind = (one: Command) =>
    one.option('--kind <kind>', 'broker, which it is unless given, or such as connector:sink:orders');
  const one = (verb: string, description: string) =>
    ofKind(add(verb, description)).argument('<config>', which).argument('[deployment]', placeWords);

  add('list', 'List the configurations of a deployment')
    .alias('ls')
    .argument('[deployment]', placeWords)
    .option('--kind <kind>', 'only those of this kind')
    .option('--versions-of <name>', 'all versions of this name')
    .action(async (at, options) => (await read()).list(cli, at, options));

  ofKind(add('schema', 'Show what can be configured'))
    .argument('[deployment]', placeWords)
    .action(async (at, options) => (await read()).schema(cli, at, options));

  one('show', 'Show a version with its values').action(async (text, at, options) =>
    (await read()).show(cli, text, at, options),
  );

  one('diff', 'Show how two versions differ, or a version and a file')
    .option('--with <config>', 'the other version; without it the active one is compared with the first')
    .option('--file <file>', 'the values to compare with, as YAML or JSON; - for stdin')
    .action(async (text, at, options) => (await read()).diff(cli, text, at, options));

  changes(one('edit', 'Change the values in an editor, which makes a new version'))
    .option('--file <file>', 'the values that it shall have, as YAML or JSON; - for stdin')
    .option('--activate', 'make the new version the active one')
    .action(async (text, at, options) => (await change()).edit(cli, text, at, options));

  changes(one('activate', 'Make a version the active one')).action(async (text, at, options) =>
    (await change()).activate(cli, text, at, options),
  );

  changes(ofKind(add('rollback', 'Make the version active that was active before')))
    .argument('[deployment]', placeWords)
    .action(async (at, options) => (await change()).rollback(cli, at, options));

  destroys(one('delete', 'Delete a version')).action(async (text, at, options) =>
    (await change()).destroy(cli, text, at, options),
  );
}
