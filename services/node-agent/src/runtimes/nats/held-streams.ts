import type { ReportedConsumer, ReportedStream } from '@sluice/contracts';
import type { HeldStreams } from '../runtime.ts';
import { streamsIn, type Group, type HeldConsumer, type HeldStream, type Jsz } from './monitoring.ts';

const mostSubjects = 100;
const mostSubjectCharacters = 4_000;
const mostDescription = 1_000;

/**
 * What a server leads, of streams and consumers; one that is by itself leads all it has. A stream and its consumers may have different leaders.
 * @param name the server's own
 */
export function readHeldStreams(name: string, jsz: Jsz): HeldStreams {
  const isLed = ({ cluster }: { cluster?: Group | undefined }) =>
    cluster === undefined || cluster.leader === name;
  const held = streamsIn(jsz);
  return {
    streams: held.filter(isLed).map(reportedStream),
    consumers: held.flatMap((stream) =>
      (stream.consumer_detail ?? []).filter(isLed).map((consumer) => reportedConsumer(stream.name, consumer)),
    ),
  };
}

function reportedStream({ name, created, state, config, consumer_detail }: HeldStream): ReportedStream {
  const { subjects, retention = 'limits', storage, discard = 'old' } = config;
  const copied = [config.mirror, ...(config.sources ?? [])].flatMap((of) => (of ? [of.name] : []));
  return {
    name,
    ...{ description: described(config.description), ...someOf(subjects ?? []) },
    ...{ retention, storage, discard },
    replicas: Math.max(1, config.num_replicas),
    sealed: config.sealed ?? false,
    direct_reads: config.allow_direct ?? false,
    copies: copied.slice(0, 20),
    created_at: timeOf(created),
    ...{
      messages: natural(state.messages),
      bytes: natural(state.bytes),
      topics: natural(state.num_subjects),
    },
    consumers: state.consumer_count ?? consumer_detail?.length ?? 0,
    ...{ first_sequence: natural(state.first_seq), last_sequence: natural(state.last_seq) },
    ...{ first_at: timeOf(state.first_ts), last_at: timeOf(state.last_ts) },
    limits: {
      ...{ messages: limit(config.max_msgs), bytes: limit(config.max_bytes) },
      age_seconds: seconds(config.max_age),
      message_bytes: limit(config.max_msg_size),
      messages_per_topic: limit(config.max_msgs_per_subject),
      consumers: limit(config.max_consumers),
    },
  };
}

function reportedConsumer(stream: string, consumer: HeldConsumer): ReportedConsumer {
  const { name, created, config, delivered, ack_floor, paused = false } = consumer;
  const { filter_subject: filter, filter_subjects: filters } = config;
  const { subjects, subjects_total } = someOf(filters ?? (filter ? [filter] : []));
  return {
    ...{ stream, name, description: described(config.description) },
    durable: config.durable_name !== '',
    delivery: config.deliver_subject === '' ? 'pull' : 'push',
    ...{ filter_subjects: subjects, filter_subjects_total: subjects_total },
    acknowledgement: config.ack_policy ?? 'none',
    ack_wait_seconds: seconds(config.ack_wait),
    max_deliver: limit(config.max_deliver),
    max_ack_pending: limit(config.max_ack_pending),
    created_at: timeOf(created),
    ...{ pending: natural(consumer.num_pending), ack_pending: natural(consumer.num_ack_pending) },
    ...{ redelivered: natural(consumer.num_redelivered), waiting: natural(consumer.num_waiting) },
    ...{ delivered_sequence: natural(delivered.stream_seq), delivered_at: timeOf(delivered.last_active) },
    ...{ ack_floor_sequence: natural(ack_floor.stream_seq), acknowledged_at: timeOf(ack_floor.last_active) },
    ...{ paused, paused_until: paused ? timeOf(config.pause_until) : null },
  };
}

/** As many as fit into a report. */
function someOf(all: readonly string[]): { subjects: string[]; subjects_total: number } {
  let room = mostSubjectCharacters;
  const subjects = all.slice(0, mostSubjects).filter((subject) => (room -= subject.length) >= 0);
  return { subjects, subjects_total: all.length };
}

// the database takes no NUL
const described = (text: string | undefined): string | null =>
  text ? text.replaceAll('\0', '').slice(0, mostDescription) : null;

/** The server's time for "never" is the year 1, and it has nanoseconds. */
function timeOf(text: string | undefined): string | null {
  const time = new Date(text ?? '');
  return Number.isNaN(time.getTime()) || time.getUTCFullYear() < 1971 ? null : time.toISOString();
}

const natural = (number: number) => Math.min(Math.max(0, Math.trunc(number)), Number.MAX_SAFE_INTEGER);
/** -1 and 0 are "no limit" */
const limit = (number: number | undefined): number | null =>
  number !== undefined && number > 0 ? natural(number) : null;
const seconds = (nanoseconds: number | undefined): number | null =>
  nanoseconds !== undefined && nanoseconds > 0 ? nanoseconds / 1e9 : null;
