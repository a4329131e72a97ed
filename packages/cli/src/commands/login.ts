import type { Command } from 'commander';
import type { Cli } from '../cli.ts';

export default function login(command: Command, cli: Cli): void {
  command
    .description(
      'Sign in with an API key. The key is asked for, or read from --key-file or stdin; never from arguments, which others can see. It is kept in the keyring of the system, or else in a file that only you can read.',
    )
    .option('--url <address>', 'the address of the Main API, such as https://api.example.com')
    .option('--key-file <file>', 'the file with the key, or - for stdin')
    .addHelpText('after', '\nThe context gets the name of the host, or that of --context.')
    .action(async (options) => (await import('./login/login.ts')).login(cli, options));
}
