import { Option, type Command } from 'commander';
import type { Cli } from '../cli.ts';
import { placeWords } from './verbs.ts';

const languages = ['node', 'python', 'go', 'java', 'dotnet', 'rust'] as const;

export default function connect(command: Command, cli: Cli): void {
  command
    .description(
      'Show how a client connects to a deployment: lines to copy, with its address and its authority. The login is in them with --show-login only; without it they read NATS_USER and NATS_PASSWORD.',
    )
    .argument('[deployment]', placeWords)
    .addOption(new Option('--language <language>', 'lines in this language only').choices(languages))
    .addOption(new Option('--env', 'lines for a shell: NATS_URL and its like').conflicts('language'))
    .option('--show-login', 'with the login')
    .option('--ca-file <file>', 'write the certificates of the authority to this file')
    .option(
      '--nats-context <name>',
      'write a context of the nats tool, with the login, which only you can read',
    )
    .action(async (at, options) => (await import('./connect/connect.ts')).connect(cli, at, options));
}
