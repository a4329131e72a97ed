import { setting, type BrokerSection } from '../broker-schema.ts';

export const message: BrokerSection = {
  name: 'Messages',
  description: 'What a single message may be',
  schema: [
    setting({
      key: 'BROKER_MESSAGE_MAX_SIZE',
      name: 'Largest message',
      description: 'The most bytes of one message, headers included. A client gets it when it connects.',
      kind: 'size',
      default_value: '1MiB',
      path: ['max_payload'],
      min: 2 ** 10,
      max: 64 * 2 ** 20,
      at_most: 'BROKER_TCP_MAX_PENDING',
    }),
  ],
};
