import type { Command } from 'commander';
import type { Admin } from '../../admin.ts';
import { invoices } from './invoices.ts';
import { payments } from './payments.ts';
import { prices } from './prices.ts';
import { reductions } from './reductions.ts';
import { usage } from './usage.ts';

export default function billing(command: Command, admin: Admin): void {
  prices(command, admin);
  usage(command, admin);
  invoices(command, admin);
  reductions(command, admin);
  payments(command, admin);
}
