import { databaseUrl, type Log, type Writer } from '@sluice/service';
import type { AuditEnvironment } from '../config.ts';
import type { Tables } from './tables.ts';

/**
 * What the running service does with its tables, and so all that it may do: with the log, add and read. A right more comes with a migration,
 * one less goes a release later than its use, since replicas of two releases share the role (decision 080).
 */
const tables = {
  log_entries: 'SELECT, INSERT',
  log_heads: 'SELECT, INSERT, UPDATE (seq, hash, recorded_at, moved_at)',
  log_anchors: 'SELECT',
  log_counts: 'SELECT, INSERT, DELETE',
  log_counted: 'SELECT, INSERT, UPDATE (seq)',
  tenant_features: 'SELECT, INSERT, UPDATE',
  // pruned: what is deleted is locked before, which takes the right to change something of it
  deleted_tenants: 'SELECT, DELETE, UPDATE (deleted_at)',
  sinks: 'SELECT, INSERT, UPDATE, DELETE',
} satisfies Record<keyof Tables, string>;

/** What takes the owner's rights, with the rules of when it may be done. */
const functions = ['make_log_partition(date)', 'drop_log_partition()', 'close_log(bigint, integer)'];

/** As whom the service works; undefined: as the owner of its database. */
export function writerOf(environment: AuditEnvironment, log: Log): Writer | undefined {
  const { DATABASE_WRITER_URL: DATABASE_URL } = environment;
  if (DATABASE_URL !== undefined) {
    const url = databaseUrl({ ...environment, DATABASE_URL });
    return { url, tables, functions, lock: 'make_log_partition' };
  }
  log.warn(
    'DATABASE_WRITER_URL is not set: the service works as the owner of the audit log, whom only triggers keep from changing it',
  );
  return undefined;
}
