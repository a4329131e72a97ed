/** Made by the kit's migrations and their bookkeeping: known to the kit alone, whose statements no service types. */
export const tablesOfTheKit = [
  'consumer_progress',
  'consumer_turns',
  'database_identity',
  'idempotent_requests',
  'inbox',
  'message_attempts',
  'outbox',
  'outbox_dead_letters',
  'outbox_sent',
  'schema_migrations',
];
