import { Argument, type Command } from 'commander';
import type { Cli } from '../cli.ts';
import { changes, destroys, duration, waits } from '@sluice/terminal/options';
import { addCloudOptions } from './clouds/index.ts';
import { addVerbs, placeWords } from './verbs.ts';

export default function network(command: Command, cli: Cli): void {
  const actions = () => import('./network/network.ts');
  command.description(
    'How a deployment is reached, and its private ways: peerings with your networks, and links that endpoints of yours are made for.',
  );
  const add = (verb: string, description: string) => command.command(verb).description(description);

  add('info', 'Show the addresses and ports of a deployment')
    .argument('[deployment]', placeWords)
    .action(async (at) => (await actions()).info(cli, at));

  addVerbs(command, cli, {
    one: 'link',
    place: 'deployment',
    load: async () => (await actions()).links,
    list: 'List the peerings and private links of a deployment',
  }).option('--all', 'those that were deleted in the last hour, too');

  add('show', 'Show a peering or private link, and what there is to do, step by step')
    .argument('<link>', 'its name or its id')
    .argument('[deployment]', placeWords)
    .action(async (text, at) => (await actions()).show(cli, text, at));

  const create = waits(
    changes(add('create', 'Create a peering or a private link; the options are those of its cloud')),
  )
    .addArgument(new Argument('<kind>', 'what to create').choices(['peering', 'private-link']))
    .argument('<name>', 'its name')
    .argument('[deployment]', placeWords);
  addCloudOptions(create, ({ links }) => links?.peering.options ?? [], 'peering');
  addCloudOptions(create, ({ links }) => links?.['private-link'].options ?? [], 'private link')
    .option('--remarks <text>', 'a text for people')
    .action(async (kind, name, at, options) => (await actions()).create(cli, kind, name, at, options));

  add('wait', 'Wait until a peering or private link can be used')
    .argument('<link>', 'its name or its id')
    .argument('[deployment]', placeWords)
    .option('--timeout <duration>', 'how long to wait, such as 90s or 15m', duration, 600_000)
    .action(async (text, at, options) => (await actions()).wait(cli, text, at, options));

  waits(destroys(add('delete', 'Delete a peering or private link')))
    .argument('<link>', 'its name or its id')
    .argument('[deployment]', placeWords)
    .action(async (text, at, options) => (await actions()).destroy(cli, text, at, options));
}
