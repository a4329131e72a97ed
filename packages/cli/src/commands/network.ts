import { Argument, type Command } from 'commander';
import type { Cli } from '../cli.ts';
import { changes, destroys, duration, list, waits } from '@sluice/terminal/options';
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

  waits(changes(add('create', 'Create a peering or a private link; the options are those of its cloud')))
    .addArgument(new Argument('<kind>', 'what to create').choices(['peering', 'private-link']))
    .argument('<name>', 'its name')
    .argument('[deployment]', placeWords)
    .option('--peer-vpc-id <id>', 'peering on cloud_a: your VPC')
    .option('--peer-owner-id <account>', 'peering on cloud_a: the account of your VPC')
    .option('--peer-region <region>', 'peering on cloud_a: the region of your VPC, where it is another')
    .option('--peer-vpc-name <name>', 'peering on cloud_b: your network')
    .option('--peer-project-id <project>', 'peering on cloud_b: the project of your network')
    .option('--peer-vpc-cidr <block>', 'peering: the addresses of your network, such as 172.16.0.0/16')
    .option(
      '--allowed-principals <accounts>',
      'private link on cloud_a: who may connect; unless given, any account',
      list,
    )
    .option('--no-acceptance-required', 'private link on cloud_a: endpoints need not be accepted')
    .option(
      '--consumer-accept-lists <projects>',
      'private link on cloud_b: who is let in; unless given, any project',
      list,
    )
    .option(
      '--connection-preference <preference>',
      'private link on cloud_b: accept_manual or accept_automatic, of other projects',
    )
    .option(
      '--enable-proxy-protocol',
      'private link on cloud_b: connections begin with a header of the PROXY protocol',
    )
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
