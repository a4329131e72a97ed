/** A mistake of the caller: the message is for them, and there is no stack to see. */
export class UsageError extends Error {}

export const usage = `sluice-admin: looks after dead letters, and decides after a restore.

  dead-letters list [--consumer <name>] [--after <number>] [--limit <1..500>] [--json]
  dead-letters show <number> [--json]
  dead-letters redrive <number>…     has their consumer try them again, and no other
  dead-letters drop <number>…        removes them for good
  consumers put-aside <consumer> <sequence>
                                     has the next attempt at a message be none: it becomes a dead letter
  outbox list [--after <id>] [--limit <1..500>] [--json]
  outbox show <id> [--json]          messages that NATS refused, in a service's database
  outbox redrive <id>…               sends them again, at their former places
  outbox drop <id>…                  removes them for good
  restore review [--after <id>] [--limit <1..500>] [--json]
                                     what differs after a restore of main-api's database, and is to be decided
  restore apply <id>… | --all        takes what is newer than the copy; a frozen key works again
  restore reject <id>… | --all       keeps what the copy has, without what is frozen
  restore audit-log                  compares with the audit log, where NATS has lost events since the copy

dead-letters reads NATS_URL, NATS_NAMESPACE and how to connect (NATS_NKEY_SEED or NATS_CREDENTIALS_FILE, NATS_TLS_*) from the
environment. The others work in the database of the service whose consumer or outbox it is, restore in that of main-api:

  --service <name>                   by its file DATABASE_URL.<name> in the folder DATABASE_URLS_DIR

Without this folder they read DATABASE_URL, and restore audit-log also AUDIT_DATABASE_URL, of the audit service.`;
