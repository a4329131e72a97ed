import type { Command } from 'commander';
import type { Cli } from '../cli.ts';

export default function exporting(command: Command, cli: Cli): void {
  command.action(async () => (await import('./apply/apply.ts')).exportAll(cli));
}
