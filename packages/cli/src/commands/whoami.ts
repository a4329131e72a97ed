import type { Command } from 'commander';
import type { Cli } from '../cli.ts';

export default function whoami(command: Command, cli: Cli): void {
  command
    .description(
      'Show who you are, until when your key or session works, what you may do, and the limits of the tenant.',
    )
    .action(async () => (await import('./login/whoami.ts')).whoami(cli));
}
