/** Made by the migrations of packages/service and their bookkeeping: no service has their types. */
export const platformTables = [
  'consumer_progress',
  'consumer_turns',
  'database_identity',
  'idempotent_requests',
  'inbox',
  'message_attempts',
  'object_changes',
  'outbox',
  'outbox_dead_letters',
  'outbox_sent',
  'schema_migrations',
];
