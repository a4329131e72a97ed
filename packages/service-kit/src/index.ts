export * from './config.ts';
export * from './database/kysely.ts';
export * from './database/migrations.ts';
export * from './database/notifications.ts';
export * from './database/postgres.ts';
export * from './database/pruning.ts';
export { moveSequencesOn, moveSequencesPastTime } from './database/sequences.ts';
export * from './database/sql.ts';
export { grantToWriter, type Writer } from './database/writer.ts';
export * from './runtime.ts';
export { GrantCache, type GrantCacheOptions } from './grants/cache.ts';
export * from './grants/book.ts';
export * from './grants/bucket.ts';
export * from './grants/confirmation.ts';
export * from './grants/leases.ts';
export * from './grants/caller.ts';
export * from './grants/session.ts';
export * from './http/answers.ts';
export * from './http/api.ts';
export * from './http/app.ts';
export * from './http/idempotency.ts';
export * from './http/key-authorizer.ts';
export * from './http/pagination.ts';
export * from './http/query-times.ts';
export * from './http/rate-limit.ts';
export type { RawContent } from './http/raw-answer.ts';
export * from './http/key-usage.ts';
export * from './http/session-cookie.ts';
export * from './http/typed.ts';
export * from '@sluice/system';
export * from './log.ts';
export * from './metrics/figures.ts';
export * from './metrics/lookups.ts';
export { ensureBucket, sharedBucketOf } from './messaging/buckets.ts';
export * from './messaging/consumer.ts';
export * from './messaging/consumer-options.ts';
export type { Envelope } from './messaging/envelope.ts';
export { keepConsumers } from './messaging/keep-consumers.ts';
export { watchConnection } from './messaging/nats.ts';
export * from './messaging/outbox.ts';
export * from './messaging/requests.ts';
export * from './messaging/errors.ts';
export { wishAside } from './messaging/attempts.store.ts';
export { deadLetterHeaders } from './messaging/dead-letters.ts';
export { isNatsUser, natsConnectionOptions, type NatsEnvironment } from './messaging/nats-options.ts';
export {
  dropOutboxDeadLetters,
  knownMessages,
  newestSent,
  oldestSent,
  outboxDeadLetters,
  sendDeadLettersAgain,
  sentSince,
  type OutboxDeadLetter,
  type SentPosition,
} from './messaging/outbox.store.ts';
export { checkSignatures, type SenderOf } from './messaging/signatures.ts';
export type { RefusalsOptions } from './http/refusals.ts';
export { auditOf, type Audited } from './openapi/audit.ts';
export * from './openapi/document.ts';
export * from './openapi/load.ts';
export { resolveReferences } from './openapi/references.ts';
export * from './origin.ts';
export * from './problem.ts';
export * from './repeatedly.ts';
export * from './request-context.ts';
export * from '@sluice/system/secrets';
export * from './service.ts';
