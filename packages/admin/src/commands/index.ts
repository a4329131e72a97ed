import type { Command } from 'commander';
import type { Admin } from '../admin.ts';

/*
 * How a group of commands is made. `commands/<group>.ts` has a default export `(command, admin) => void`, which adds the commands to the
 * Commander command that is given, and a line in this table, from which the help is written. A group of several features is a folder,
 * whose `index.ts` calls one such function per file.
 *
 *   export function priceLists(command: Command, admin: Admin): void {
 *     listed(command.command('price-lists').description('List the price lists')).action(({ after, limit }: ListFlags) =>
 *       admin.withDatabase(async (sql) => admin.output.list(await listPriceLists(sql, after, limit), view), 'main-api'),
 *     );
 *   }
 *
 * - `admin.withDatabase(work, 'main-api')`: a connection to the database of `--service`, by default that of main-api.
 * - `admin.output.list(items, view)` and `.item(item, view)` write data in the format of `-o`; `admin.say(text)` is for people, on stderr.
 * - arguments.ts: `listed` adds `--after` and `--limit`; `changes` (@sluice/terminal/options) adds `--dry-run`, which the command asks by
 *   `admin.isDry` under its locks; `ids`, `oneLine`, `region`, `comingTime` parse values. A value that is wrong throws before anything runs.
 * - Throw `usageError`, `notFound` or `conflict` of @sluice/terminal/errors: they are said, and are exit codes.
 * - What the command decides is carried out by a service (decision 160): store it, notify, and wait by `untilDone`.
 */

/** Adds the commands of a group. */
export type Build = (command: Command, admin: Admin) => void;

export interface Group {
  name: string;
  summary: string;
  load: () => Promise<{ default: Build }>;
}

export const groups: readonly Group[] = [
  {
    name: 'dead-letters',
    summary: 'Messages that a consumer has put aside',
    load: () => import('./dead-letters.ts'),
  },
  { name: 'consumers', summary: 'Consumers that stand still', load: () => import('./consumers.ts') },
  { name: 'outbox', summary: 'Messages that NATS has refused', load: () => import('./outbox.ts') },
  {
    name: 'restore',
    summary: "What differs after a restore of main-api's database",
    load: () => import('./restore.ts'),
  },
  {
    name: 'region',
    summary: 'Regions, and whether they take deployments',
    load: () => import('./region.ts'),
  },
  {
    name: 'maintenance',
    summary: 'Work on the machines of a region',
    load: () => import('./maintenance.ts'),
  },
  {
    name: 'incident',
    summary: 'Incidents on the public status page',
    load: () => import('./incident.ts'),
  },
  {
    name: 'billing',
    summary: 'Prices, usage, invoices, and how tenants pay',
    load: () => import('./billing/index.ts'),
  },
];
