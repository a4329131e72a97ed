import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import type { PlanFlags } from './apply/apply.ts';
import { planned } from './apply/options.ts';

export default function diff(command: Command, cli: Cli): void {
  planned(command).action(async (flags: PlanFlags) => (await import('./apply/apply.ts')).diff(cli, flags));
}
