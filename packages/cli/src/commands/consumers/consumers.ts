import type { ConsumerConfig, ConsumerInfo } from '@nats-io/jetstream';
import { filtersOf } from '@sluice/streams';
import { withStreams, type BrokerFlags } from '../broker/broker.ts';
import { agoOf, limitOf } from '../broker/quantities.ts';
import type { Cli } from '../../cli.ts';
import { first } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';

export const view: View<ConsumerInfo> = {
  name: ({ name }) => name,
  empty: 'The stream has no consumer.',
  columns: [
    { header: 'NAME', value: ({ name }) => name },
    { header: 'WAITING', value: ({ num_pending: pending }) => pending },
    { header: 'UNACKNOWLEDGED', value: ({ num_ack_pending: pending }) => pending },
    { header: 'REDELIVERED', value: ({ num_redelivered: count }) => count },
    { header: 'DELIVERED', value: ({ delivered }) => delivered.stream_seq },
    { header: 'LAST', value: ({ delivered }) => delivered.last_active },
    { header: 'KIND', value: ({ config }) => kindOf(config), wide: true },
    { header: 'FILTER', value: ({ config }) => filtersOf(config).join(', '), wide: true },
    { header: 'ACK', value: ({ config }) => config.ack_policy, wide: true },
    { header: 'CREATED', value: ({ created }) => created, wide: true },
  ],
  fields: (consumer) => [
    ['Name', consumer.name],
    ['Stream', consumer.stream_name],
    ['Description', consumer.config.description],
    ['Kind', kindOf(consumer.config)],
    ['Filter', filtersOf(consumer.config).join(', ')],
    ['Waiting', consumer.num_pending],
    ['Unacknowledged', consumer.num_ack_pending],
    ['Redelivered', consumer.num_redelivered],
    ['Delivered', `up to sequence ${consumer.delivered.stream_seq}`],
    ['Acknowledged', `up to sequence ${consumer.ack_floor.stream_seq}`],
    ['Last', consumer.delivered.last_active],
    ['Acknowledgement', `${consumer.config.ack_policy}${waitOf(consumer.config)}`],
    ['Deliveries', limitOf(consumer.config.max_deliver, (count) => `${count} at most`)],
    ['Begins at', startOf(consumer.config)],
    ['Paused until', consumer.paused ? consumer.config.pause_until : null],
    ['Created', consumer.created],
  ],
};

const kindOf = ({ durable_name, deliver_subject }: ConsumerConfig): string =>
  `${durable_name ? 'durable' : 'ephemeral'}, ${deliver_subject ? `push to ${deliver_subject}` : 'pull'}`;

const waitOf = ({ ack_wait }: ConsumerConfig): string =>
  limitOf(ack_wait, (wait) => ` within ${agoOf(wait)}`) ?? '';

const startOf = ({ deliver_policy, opt_start_seq, opt_start_time }: ConsumerConfig): string =>
  opt_start_seq ? `sequence ${opt_start_seq}` : (opt_start_time ?? deliver_policy);

export async function list(
  cli: Cli,
  stream: string,
  at: string | undefined,
  { limit, ...flags }: BrokerFlags & { limit?: number },
): Promise<void> {
  await withStreams(cli, at, flags, async ({ manager }) => {
    await cli.output.list(first(manager.consumers.list(stream), limit), view);
  });
}

export async function show(
  cli: Cli,
  stream: string,
  name: string,
  at: string | undefined,
  flags: BrokerFlags,
): Promise<void> {
  await withStreams(cli, at, flags, async ({ manager }) => {
    await cli.output.item(await manager.consumers.info(stream, name), view);
  });
}
