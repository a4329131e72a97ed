import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { changes } from '@sluice/terminal/options';
import { addVerbs } from './verbs.ts';

export default function joinRequests(command: Command, cli: Cli): void {
  const actions = () => import('./join-requests/join-requests.ts');

  addVerbs(command, cli, {
    one: 'request',
    load: async () => (await actions()).joinRequests,
    list: 'List who has asked to become a member, newest first',
    show: 'Show a request',
  }).option('--pending', 'only those that are not decided');

  for (const [verb, description] of [
    ['approve', 'Make a person a member, with the role viewer'],
    ['reject', 'Refuse a person'],
  ] as const)
    changes(command.command(verb).description(description))
      .argument('<request>', 'their address, or the id of the request')
      .action(async (text) => (await actions())[verb](cli, text));
}
