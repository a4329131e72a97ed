import { natsAccount } from '@sluice/contracts/broker-schemas';
import { jszSchema, varzSchema } from './monitoring.ts';
import { readStatistics } from './statistics.ts';

test('of the copies in a cluster the one that leads is counted, so that the nodes together count each once', async () => {
  const consumer = (leader: string) => ({ config: { durable_name: 'billing' }, cluster: { leader } });
  const stream = (name: string, leader: string, ...consumers: string[]) => ({
    ...{ name, cluster: { leader }, consumer_detail: consumers.map(consumer) },
    state: { messages: 10, num_subjects: 2 },
  });
  // each server holds a copy of both; nobody leads the third one at the moment
  const streams = [
    stream('orders', 'node-1', 'node-1', 'node-2'),
    stream('sales', 'node-2'),
    stream('away', ''),
  ];
  const jsz = jszSchema.parse({ account_details: [{ name: natsAccount, stream_detail: streams }] });
  const of = (server_name: string) =>
    readStatistics(
      varzSchema.parse({ version: '2.10.0', config_load_time: '', connections: 1, server_name }),
      jsz,
      '/nowhere',
    );
  const led = { streams: 1, topics: 2, partitions: 2, messages: 10, consumer_groups: 1, clients: 1 };
  expect(await of('node-1')).toMatchObject(led);
  expect(await of('node-2')).toMatchObject(led);
  expect(await of('node-3')).toMatchObject({ streams: 0, messages: 0, consumer_groups: 0, clients: 1 });
});
