import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { client, connectBroker, type Login } from '@sluice/testing';

/** A stream of its own in deployments that the key reads, named by their addresses at their supervisors. */
export function streamOf(apiKey: string) {
  async function within<Result>(url: string, work: (connection: NatsConnection) => Promise<Result>) {
    const api = client(url, apiKey);
    const { body } = await api.get<{ endpoints: { broker_tcp: string } }>('');
    const login = await api.get<Login>('/credentials');
    const connection = await connectBroker(body.endpoints.broker_tcp, login.body);
    try {
      return await work(connection);
    } finally {
      await connection.close();
    }
  }
  return {
    publish: (url: string) =>
      within(url, async (connection) => {
        const { streams } = await jetstreamManager(connection);
        await streams.add({ name: 'MOVED', subjects: ['moved'] });
        await jetstream(connection).publish('moved', 'kept');
      }),
    stored: (url: string) =>
      within(url, async (connection) => {
        const { streams } = await jetstreamManager(connection);
        return (await streams.info('MOVED')).state.messages;
      }),
  };
}
