import type { Command } from 'commander';
import type { Admin } from '../../admin.ts';
import { payments } from './payments.ts';
import { prices } from './prices.ts';
import { usage } from './usage.ts';

export default function billing(command: Command, admin: Admin): void {
  for (const build of [prices, usage, payments]) build(command, admin);
  command.addHelpText(
    'after',
    `
Examples:
  $ sluice-admin billing prices publish --file catalogue.yaml --from 2027-01-01T00:00:00Z --dry-run
  $ sluice-admin billing explain 7 --month 2026-11
  $ sluice-admin billing suspend 7 --reason 'invoices are not paid'`,
  );
}
