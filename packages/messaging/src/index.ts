export { attemptsRule, beginAttempt, requestDeadLetter } from './attempts.store.ts';
export { bucketOf, ensureBucket, sharedBucketOf, streamInfo } from './buckets.ts';
export { ConsumerLag } from './consumer-lag.ts';
export * from './consumer-options.ts';
export * from './consumer.ts';
export { DatabaseRecord } from './database-record.ts';
export { deadLetterHeaders } from './dead-letters.ts';
export type { Envelope } from './envelope.ts';
export * from './errors.ts';
export { inboxRule } from './inbox.ts';
export { keepConsumers } from './keep-consumers.ts';
export { type NatsEnvironment, isNatsUser, natsConnectionOptions } from './nats-options.ts';
export { closeNats, connectNats, natsAnswers, watchConnection } from './nats.ts';
export { addNewDurable, consumerAlreadyExists } from './new-durable.ts';
export {
  type OutboxDeadLetter,
  type SentPosition,
  dropOutboxDeadLetters,
  hasLost,
  isUnsent,
  keepAsSent,
  knownMessages,
  measureOutbox,
  newestSent,
  oldestRows,
  oldestSent,
  outboxDeadLetters,
  outboxRules,
  passBy,
  sendDeadLettersAgain,
  sendLostAgain,
  sentSince,
  tryRelayLock,
  waitingKinds,
} from './outbox.store.ts';
export * from './outbox.ts';
export { Relay, type RelayOptions } from './relay.ts';
export * from './requests.ts';
export { type SenderOf, checkSignatures, signAs } from './signatures.ts';
export { Streams } from './streams.ts';
