import type { StreamInfo } from '@nats-io/jetstream';
import { withStreams, type BrokerFlags, type StreamBroker } from '../broker/broker.ts';
import { showRequest } from '../broker/dry-run.ts';
import { agoOf, limitOf, sizeOf } from '../broker/quantities.ts';
import type { Cli } from '../../cli.ts';
import { first, type DestroyFlags } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import { confirm } from '../../prompts.ts';

export const view: View<StreamInfo> = {
  name: ({ config }) => config.name,
  empty: 'There is no stream. Create one: sluice streams create <stream> --subjects "orders.>"',
  columns: [
    { header: 'NAME', value: ({ config }) => config.name },
    { header: 'SUBJECTS', value: ({ config }) => config.subjects?.join(', ') },
    { header: 'MESSAGES', value: ({ state }) => state.messages },
    { header: 'SIZE', value: ({ state }) => sizeOf(state.bytes) },
    { header: 'CONSUMERS', value: ({ state }) => state.consumer_count },
    { header: 'LAST', value: ({ state }) => (state.messages > 0 ? state.last_ts : null) },
    { header: 'RETENTION', value: ({ config }) => config.retention, wide: true },
    { header: 'STORAGE', value: ({ config }) => config.storage, wide: true },
    { header: 'REPLICAS', value: ({ config }) => config.num_replicas, wide: true },
    { header: 'SEQUENCES', value: sequencesOf, wide: true },
    { header: 'CREATED', value: ({ created }) => created, wide: true },
  ],
  fields: (stream) => [
    ['Name', stream.config.name],
    ['Description', stream.config.description],
    ['Subjects', stream.config.subjects?.join(', ')],
    ...(stream.mirror ? [['Mirror of', stream.mirror.name] as const] : []),
    ...(stream.sources ? [['Sources', stream.sources.map(({ name }) => name).join(', ')] as const] : []),
    ['Messages', stream.state.messages],
    ['Size', sizeOf(stream.state.bytes)],
    ['Sequences', sequencesOf(stream)],
    ['First', stream.state.messages > 0 ? stream.state.first_ts : null],
    ['Last', stream.state.messages > 0 ? stream.state.last_ts : null],
    ['Subjects used', stream.state.num_subjects],
    ['Consumers', stream.state.consumer_count],
    ['Retention', stream.config.retention],
    ['Full stream', stream.config.discard === 'new' ? 'refuses new messages' : 'deletes old messages'],
    ['Limits', limitsOf(stream)],
    ['Known ids', `for ${agoOf(stream.config.duplicate_window)}`],
    ['Storage', stream.config.storage],
    ['Replicas', stream.config.num_replicas],
    ...(stream.cluster?.leader ? [['Leader', stream.cluster.leader] as const] : []),
    ['Created', stream.created],
  ],
};

function sequencesOf({ state }: StreamInfo): string | null {
  return state.messages > 0 ? `${state.first_seq}–${state.last_seq}` : null;
}

function limitsOf({ config }: StreamInfo): string {
  const limits = [
    limitOf(config.max_msgs, (count) => `${count} messages`),
    limitOf(config.max_msgs_per_subject, (count) => `${count} messages per subject`),
    limitOf(config.max_bytes, sizeOf),
    limitOf(config.max_age, agoOf),
    limitOf(config.max_msg_size, (bytes) => `messages of ${sizeOf(bytes)}`),
  ];
  return limits.filter((limit) => limit !== null).join(', ') || 'none';
}

export async function list(
  cli: Cli,
  at: string | undefined,
  { limit, subject, ...flags }: BrokerFlags & { limit?: number; subject?: string },
): Promise<void> {
  await withStreams(cli, at, flags, async ({ manager }) => {
    await cli.output.list(first(manager.streams.list(subject), limit), view);
  });
}

export async function show(
  cli: Cli,
  name: string,
  at: string | undefined,
  flags: BrokerFlags,
): Promise<void> {
  await withStreams(cli, at, flags, async ({ manager }) => {
    await cli.output.item(await manager.streams.info(name), view);
  });
}

/** What is in a stream, for the question before it is deleted. */
export function contentOf({ state }: StreamInfo): string {
  const consumers = state.consumer_count === 0 ? '' : ` and ${countOf(state.consumer_count, 'consumer')}`;
  return `${countOf(state.messages, 'message')} (${sizeOf(state.bytes)})${consumers}`;
}

export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export async function remove(
  cli: Cli,
  name: string,
  at: string | undefined,
  flags: BrokerFlags & DestroyFlags,
): Promise<void> {
  await withStreams(cli, at, flags, async (broker) => {
    const stream = await broker.manager.streams.info(name);
    await showRequest(cli, broker, { subject: `$JS.API.STREAM.DELETE.${name}` });
    await confirm(
      cli,
      { what: `the stream ${titleOf(broker, name)} with ${contentOf(stream)}`, name },
      flags,
    );
    await broker.manager.streams.delete(name);
    cli.say(`The stream ${titleOf(broker, name)} is deleted.`);
  });
}

export const titleOf = ({ place }: StreamBroker, name: string): string => `${name} of ${place}`;
