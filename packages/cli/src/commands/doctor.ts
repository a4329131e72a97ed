import type { Command } from 'commander';
import type { Cli } from '../cli.ts';

export default function doctor(command: Command, cli: Cli): void {
  command
    .description(
      'Check the context, the addresses of all APIs and their certificates, the clock, the key and its rights, and every region.',
    )
    .action(async () => (await import('./doctor/doctor.ts')).doctor(cli));
}
