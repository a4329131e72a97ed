import type { Command } from 'commander';
import type { Cli } from '../cli.ts';

export default function login(command: Command, cli: Cli): void {
  command
    .description(
      'Sign in in the browser, or with an API key. What signs you in is kept in the keyring of the system, or else in a file that only you can read.',
    )
    .option('--url <address>', 'the address of the Main API, such as https://api.example.com')
    .option('--device', 'show the address and the code only: for a browser on another machine')
    .option('--with-key', 'ask for an API key, or read it from stdin')
    .option('--key-file <file>', 'the file with an API key, or - for stdin')
    .addHelpText(
      'after',
      '\nOver SSH and without a display the address and the code are shown, as with --device. Where stdin is no terminal, an API key is read from it; keys are never taken from arguments, which others can see.\nThe context gets the name of the host, or that of --context.',
    )
    .action(async (options) => (await import('./login/login.ts')).login(cli, options));
}
