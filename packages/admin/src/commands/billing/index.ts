import type { Command } from 'commander';
import type { Admin } from '../../admin.ts';
import { payments } from './payments.ts';
import { prices } from './prices.ts';
import { usage } from './usage.ts';

export default function billing(command: Command, admin: Admin): void {
  prices(command, admin);
  usage(command, admin);
  payments(command, admin);
}
