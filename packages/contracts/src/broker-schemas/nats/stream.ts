import { setting, unavailable, type BrokerSection } from '../broker-schema.ts';

/** The account that the deployment's clients are in, and with it everything that the broker stores. */
export const natsAccount = 'deployment';

/** Limits of the account: they change while the broker runs. */
const ofAccount = (name: string) => ['accounts', natsAccount, 'jetstream', name];
const mostBytes = Number.MAX_SAFE_INTEGER;

export const stream: BrokerSection = {
  name: 'Streams',
  description: 'What is stored, and how',
  schema: [
    setting({
      key: 'BROKER_STREAM_MAX_DISK',
      name: 'Volume for streams',
      description: 'Bytes that all streams of a broker may take on its volume',
      kind: 'size',
      path: ['jetstream', 'max_file_store'],
      min: 1,
      max: mostBytes,
      restart: true,
      capacity: 'file_store',
    }),
    setting({
      key: 'BROKER_STREAM_MAX_MEMORY',
      name: 'Memory for streams',
      description: 'Bytes that all streams that are kept in memory may take',
      kind: 'size',
      path: ['jetstream', 'max_memory_store'],
      min: 1,
      max: mostBytes,
      restart: true,
      capacity: 'memory_store',
    }),
    setting({
      key: 'BROKER_STREAM_SYNC_INTERVAL',
      name: 'Time between syncs',
      description:
        'How often what streams have written is forced to the volume: a crash of the machine can lose what came since',
      kind: 'duration',
      default_value: '2m',
      path: ['jetstream', 'sync_interval'],
      min: 1_000,
      max: 3_600_000,
      restart: true,
    }),
    setting({
      key: 'BROKER_STREAM_SYNC_ALWAYS',
      name: 'Sync every message',
      description:
        'A message is acknowledged once it is on the volume for certain. That costs most of the speed.',
      kind: 'bool',
      default_value: false,
      path: ['jetstream', 'sync_interval'],
      word: 'always',
      restart: true,
    }),
    setting({
      key: 'BROKER_STREAM_MAX_STREAMS',
      name: 'Most streams',
      description: 'Streams that clients may make; as many as they like without a value',
      kind: 'int',
      path: ofAccount('max_streams'),
      min: 1,
      max: 2 ** 31 - 1,
    }),
    setting({
      key: 'BROKER_STREAM_MAX_CONSUMERS',
      name: 'Most consumers',
      description: 'Consumers of one stream',
      kind: 'int',
      path: ofAccount('max_consumers'),
      min: 1,
      max: 2 ** 31 - 1,
    }),
    setting({
      key: 'BROKER_STREAM_MAX_ACK_PENDING',
      name: 'Most unacknowledged messages',
      description:
        'How many messages a consumer may have that it has not acknowledged; consumers cannot ask for more',
      kind: 'int',
      path: ofAccount('max_ack_pending'),
      min: 1,
      max: 2 ** 31 - 1,
    }),
    setting({
      key: 'BROKER_STREAM_MAX_STREAM_DISK',
      name: 'Largest stream',
      description: 'Bytes that one stream may take on the volume',
      kind: 'size',
      path: ofAccount('disk_max_stream_bytes'),
      min: 1,
      max: mostBytes,
    }),
    setting({
      key: 'BROKER_STREAM_MAX_STREAM_MEMORY',
      name: 'Largest stream in memory',
      description: 'Bytes that one stream may take in memory',
      kind: 'size',
      path: ofAccount('memory_max_stream_bytes'),
      min: 1,
      max: mostBytes,
    }),
    setting({
      key: 'BROKER_STREAM_MAX_BYTES_REQUIRED',
      name: 'Streams need a limit',
      description: 'A stream can be made only with the most bytes that it may take',
      kind: 'bool',
      default_value: false,
      path: ofAccount('max_bytes_required'),
    }),
    setting({
      key: 'BROKER_STREAM_MAX_DUPLICATE_WINDOW',
      name: 'Longest window for duplicates',
      description: 'For how long a stream may remember the ids of messages to store each once',
      kind: 'duration',
      path: ['jetstream', 'limits', 'duplicate_window'],
      min: 1_000,
      max: 30 * 86_400_000,
    }),
    setting({
      key: 'BROKER_STREAM_MAX_REQUEST_BATCH',
      name: 'Largest fetch',
      description: 'Messages that a consumer may ask for at once',
      kind: 'int',
      path: ['jetstream', 'limits', 'max_request_batch'],
      min: 1,
      max: 2 ** 31 - 1,
    }),
    setting({
      key: 'BROKER_STREAM_REQUEST_QUEUE',
      name: 'Most waiting requests',
      description: 'Requests about streams and consumers that wait; what comes beyond that is dropped',
      kind: 'int',
      default_value: 10_000,
      path: ['jetstream', 'request_queue_limit'],
      min: 100,
      max: 1_000_000,
      restart: true,
    }),
    unavailable(
      {
        key: 'BROKER_STREAM_COMPRESSION',
        name: 'Compression',
        description: 'Whether streams are stored compressed',
        kind: 'enum',
      },
      'nothing here: each stream says it when it is made',
    ),
  ],
};
