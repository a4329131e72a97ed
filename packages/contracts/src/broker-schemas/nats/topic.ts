import { setting, unavailable, type BrokerSection } from '../broker-schema.ts';

const perStream =
  'a broker product whose topics have settings of their own; here a topic is what clients publish to';

export const topic: BrokerSection = {
  name: 'Topics',
  description: 'What messages are published to',
  schema: [
    setting({
      key: 'BROKER_TOPIC_MAX_TOKENS',
      name: 'Most parts of a topic',
      description: 'How many parts between dots a subscription may have; as many as it likes without a value',
      kind: 'int',
      path: ['max_subscription_tokens'],
      min: 3,
      max: 255,
      restart: true,
    }),
    unavailable(
      {
        key: 'BROKER_TOPIC_PARTITIONS',
        name: 'Partitions',
        description: 'Partitions of a new topic',
        kind: 'int',
      },
      perStream,
    ),
    unavailable(
      {
        key: 'BROKER_TOPIC_AUTO_CREATE',
        name: 'Make topics by themselves',
        description: 'Whether the first message makes its topic',
        kind: 'bool',
      },
      perStream,
    ),
  ],
};
