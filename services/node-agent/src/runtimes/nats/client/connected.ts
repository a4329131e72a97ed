import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

export interface Connected {
  connection: NatsConnection;
  publisher: JetStreamClient;
  streams: JetStreamManager;
  replicas: number;
}
