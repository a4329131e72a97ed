/** A mistake of the caller: the message is for them, and there is no stack to see. */
export class UsageError extends Error {}

const commands = {
  'dead-letters': `
  dead-letters list [--consumer <name>] [--after <number>] [--limit <1..500>] [--json]
  dead-letters show <number> [--json]
  dead-letters redrive <number>…     has their consumer try them again, and no other
  dead-letters drop <number>…        removes them for good`,
  consumers: `
  consumers put-aside <consumer> <sequence>
                                     has the next attempt at a message be none: it becomes a dead letter`,
  outbox: `
  outbox list [--after <id>] [--limit <1..500>] [--json]
  outbox show <id> [--json]          messages that NATS refused, in a service's database
  outbox redrive <id>…               sends them again, at their former places
  outbox drop <id>…                  removes them for good`,
  restore: `
  restore review [--after <id>] [--limit <1..500>] [--json]
                                     what differs after a restore of main-api's database, and is to be decided
  restore apply <id>… | --all        takes what is newer than the copy; a frozen key works again
  restore reject <id>… | --all       keeps what the copy has, without what is frozen
  restore audit-log                  compares with the audit log, where NATS has lost events since the copy`,
  region: `
  region list [--json]               the regions that have registered, and how many deployments each has
  region drain <cloud>/<region> [--reason <text>]
                                     no deployments are created there any more; those there continue. Tenants see the reason
  region undrain <cloud>/<region>    deployments can be created there again
  region remove <cloud>/<region>     forgets a drained region without deployments, whose supervisor was removed`,
  maintenance: `
  maintenance plan --node <id> [--node <id>…] --at <time> [--minutes <number>] [--reason <text>]
                                     tells tenants of work on the machines of these nodes, and stops their brokers at that
                                     time (2026-12-01T02:00:00Z, or now); of a cluster one node, once the others are well
  maintenance list [--after <id>] [--limit <1..500>] [--json]
  maintenance show <id> [--json]     with its nodes, and what each waits for
  maintenance end <id>               starts the brokers that ran before
  maintenance cancel <id>            calls off one that has not begun`,
  billing: `
  billing prices diff --file <catalogue.yaml> [--tenant <id>]
                                     what differs between the prices of a file (- for stdin) and those that are valid
  billing prices publish --file <catalogue.yaml> | --list <number> | --list general  --from <time> [--tenant <id>] [--dry-run]
                                     announces a price list, valid from that second on, at least ten minutes ahead
  billing explain <deployment> [--month 2026-11] [--json]
                                     the intervals behind what a deployment has cost in a month
  billing reconcile [--month 2026-11] [--dry-run] [--json]
                                     regions that are behind, and times that deployments ran without usage, which is asked for again`,
  billing agreement set <tenant id> --term <days> [--dry-run]
                                     the tenant pays by invoice, so many days after its issue, and not by card
  billing agreement end <tenant id> [--dry-run]
  billing paid <invoice> [--dry-run] an invoice, as INV-000042, was paid by transfer
  billing suspend <tenant id> --reason <text> [--dry-run]
                                     stops the deployments of a tenant, which keep their data, and lets it create none
  billing resume <tenant id> [--dry-run]
                                     starts them again`,
} as const;

const settings = `
dead-letters reads NATS_URL, NATS_NAMESPACE and how to connect (NATS_NKEY_SEED or NATS_CREDENTIALS_FILE, NATS_TLS_*) from the
environment. The others work in the database of the service whose consumer or outbox it is, restore, region and billing in that of main-api,
maintenance in that of the region's supervisor:

  --service <name>                   by its file DATABASE_URL.<name> in the folder DATABASE_URLS_DIR

Without this folder they read DATABASE_URL, and restore audit-log also AUDIT_DATABASE_URL, of the audit service.`;

/** All commands, or those of one group. */
export const usageOf = (group?: keyof typeof commands): string =>
  [
    'sluice-admin: looks after dead letters, regions, maintenance and billing, and decides after a restore.\n',
    ...Object.entries(commands).flatMap(([name, text]) =>
      group === undefined || name === group ? [text.slice(1)] : [],
    ),
    settings,
  ].join('\n');
