import type { BrokerSchema } from '../broker-schema.ts';
import { message } from './message.ts';
import { http, quic, segment } from './other-products.ts';
import { stream } from './stream.ts';
import { tcp } from './tcp.ts';
import { topic } from './topic.ts';
import { websocket } from './websocket.ts';

/** nats-server with JetStream. A topic is a subject, a consumer group a durable consumer. */
export const natsSchema: BrokerSchema = { segment, stream, topic, message, tcp, http, websocket, quic };
