import { randomBytes } from 'node:crypto';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, nanos, type NatsConnection } from '@nats-io/transport-node';
import { topology, type StreamDeclaration, type Topology } from '@sluice/contracts';
import { handedOver } from './environment.ts';

export interface TestNats {
  url: string;
  /** for `topology()` of the contracts: streams, subjects and buckets of the caller alone */
  namespace: string;
  /** removes all streams and buckets of the namespace */
  deleteNamespace(): Promise<void>;
}

/** The NATS server of this test run with a fresh namespace for the caller alone. */
export function testNats(): TestNats {
  const url = handedOver('TEST_NATS_URL');
  const namespace = `test${randomBytes(6).toString('hex')}`;
  return { url, namespace, deleteNamespace: () => deleteNamespace(url, namespace) };
}

/** Makes the streams, as main-api does for all services. */
export async function makeStreams(connection: NatsConnection, { streams }: Topology): Promise<void> {
  const manager = await jetstreamManager(connection, { checkAPI: false });
  await Promise.all(
    Object.values<StreamDeclaration>(streams).map(({ name, subjects, retention, maxAgeSeconds }) =>
      manager.streams.add({ name, subjects, retention, max_age: nanos(maxAgeSeconds * 1000) }),
    ),
  );
}

async function deleteNamespace(url: string, namespace: string): Promise<void> {
  const { streams, buckets } = topology(namespace);
  const names = [
    ...Object.values(streams).map(({ name }) => name),
    // a key-value bucket is a stream with this prefix
    ...Object.values(buckets).map((bucket) => `KV_${bucket}`),
  ];
  const connection = await connect({ servers: url });
  try {
    const manager = await jetstreamManager(connection);
    const existing = new Set<string>();
    for await (const name of manager.streams.names()) existing.add(name);
    await Promise.all(names.filter((name) => existing.has(name)).map((name) => manager.streams.delete(name)));
  } finally {
    await connection.close();
  }
}
