import type { StreamSpec } from '../runtimes/broker-client.ts';

const day = 24 * 3_600_000;

/**
 * The streams that the runtime creates in the deployment's broker, where all its nodes see them and where they end with the deployment.
 * People may create them before, with other limits, and may delete them.
 */
export const deadLetters: StreamSpec = {
  name: 'sluice-dead-letters',
  description: 'Messages that connectors could not hand on, with the reasons',
  topics: ['sluice.dead_letters.*'],
  maxAgeMs: 7 * day,
  maxBytes: 64 * 2 ** 20,
  // one instance does not push out what others have
  maxMessagesPerTopic: 10_000,
};

/** A source's stream that is not there: a log of the last week, up to a size. */
export const sourceStream = (name: string, topics: readonly string[]): StreamSpec => ({
  ...{ name, topics },
  description: 'Made by a source of a connector',
  maxAgeMs: 7 * day,
  maxBytes: 256 * 2 ** 20,
});
