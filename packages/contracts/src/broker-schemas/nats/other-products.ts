import { unavailable, type BrokerSection } from '../broker-schema.ts';

/** Settings of other broker products alone: shown as not available. */

const segments = 'a broker product whose segments can be configured: nats-server decides on them by itself';
const api =
  'a broker product with an HTTP interface for clients: that of nats-server is for monitoring alone';
const udp = 'a broker product that speaks QUIC (broker_udp)';

export const segment: BrokerSection = {
  name: 'Segments',
  description: 'The files that streams are kept in',
  schema: [
    unavailable(
      { key: 'BROKER_SEGMENT_SIZE', name: 'Size', description: 'Bytes of a segment', kind: 'size' },
      segments,
    ),
    unavailable(
      {
        key: 'BROKER_SEGMENT_MESSAGE_EXPIRY',
        name: 'Age of messages',
        description: 'After how long a segment is deleted',
        kind: 'duration',
      },
      segments,
    ),
    unavailable(
      {
        key: 'BROKER_SEGMENT_CACHE_INDEXES',
        name: 'Indexes in memory',
        description: 'Which indexes of segments are kept in memory',
        kind: 'enum',
      },
      segments,
    ),
  ],
};

export const http: BrokerSection = {
  name: 'HTTP',
  description: 'The HTTP interface for clients',
  schema: [
    unavailable(
      {
        key: 'BROKER_HTTP_ENABLED',
        name: 'Enabled',
        description: 'Whether clients can publish and read by HTTP',
        kind: 'bool',
      },
      api,
    ),
    unavailable(
      {
        key: 'BROKER_HTTP_MAX_REQUEST_SIZE',
        name: 'Largest request',
        description: 'Bytes of a request',
        kind: 'size',
      },
      api,
    ),
    unavailable(
      {
        key: 'BROKER_HTTP_CORS_ALLOWED_ORIGINS',
        name: 'Allowed origins',
        description: 'The web pages that may ask',
        kind: 'list',
      },
      api,
    ),
  ],
};

export const quic: BrokerSection = {
  name: 'QUIC',
  description: 'Clients over QUIC',
  schema: [
    unavailable(
      {
        key: 'BROKER_QUIC_ENABLED',
        name: 'Enabled',
        description: 'Whether clients can connect',
        kind: 'bool',
      },
      udp,
    ),
    unavailable(
      {
        key: 'BROKER_QUIC_MAX_IDLE_TIMEOUT',
        name: 'Longest silence',
        description: 'After how long a quiet connection is closed',
        kind: 'duration',
      },
      udp,
    ),
    unavailable(
      {
        key: 'BROKER_QUIC_MAX_CONCURRENT_STREAMS',
        name: 'Most streams of a connection',
        description: 'QUIC streams that a connection may have open at once',
        kind: 'int',
      },
      udp,
    ),
  ],
};
