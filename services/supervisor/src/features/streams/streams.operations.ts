import type { AgentOperations } from '@sluice/contracts';
import { done, listed, ok, pageOf, shown, type Handlers, type Page } from '@sluice/http';
import type { components, operations } from '../../generated/api.ts';
import type { Agent } from '../agents/agent-authorizer.ts';
import type { StreamIntake } from './stream-intake.service.ts';
import type { HeldPage, StreamsService } from './streams.service.ts';
import type { HeldConsumer, HeldStream } from './streams.store.ts';

type Schemas = components['schemas'];

export function streamsOperations(streams: StreamsService) {
  return {
    async listStreams({ params, query, url }) {
      const page = pageOf(query);
      return answerOf(url, page, await streams.streams(params, page), streamView);
    },
    async getConsumerLag({ params, query }) {
      const { stepSeconds, aggregate, times, columns, alerts } = await streams.lag(params, query);
      return ok({
        ...{ stream: params.stream_name, step_seconds: stepSeconds, aggregate, columns },
        times: times.map((time) => time.toISOString()),
        alerts: alerts.map(({ raised_at: at, ...alert }) => ({ ...alert, raised_at: at.toISOString() })),
      });
    },
    async listStreamConsumers({ params, query, url }) {
      const page = pageOf(query);
      return answerOf(url, page, await streams.consumers(params, page), consumerView);
    },
  } satisfies Partial<Handlers<operations>>;
}

export const streamIntakeOperations = (takeIn: StreamIntake) =>
  ({ postStreams: ({ caller, body }) => done(takeIn(caller, body)) }) satisfies Partial<
    Handlers<AgentOperations, Agent>
  >;

function answerOf<Held, View>(
  url: string,
  page: Page,
  { rows, total, reportedAt, leftOut }: HeldPage<Held>,
  view: (held: Held) => View,
) {
  const { status, headers, body } = listed(url, page, rows.map(view), total);
  return {
    status,
    headers,
    body: { ...body, reported_at: reportedAt?.toISOString() ?? null, left_out: leftOut },
  };
}

/** Without what a newer agent may have said besides. */
function streamView({ held, ...row }: HeldStream): Schemas['Stream'] {
  const { limits } = held;
  return {
    ...shown(held, 'name', 'description', 'subjects', 'subjects_total', 'retention', 'storage', 'discard'),
    ...shown(held, 'replicas', 'sealed', 'direct_reads', 'copies', 'created_at'),
    ...shown(held, 'messages', 'bytes', 'topics', 'consumers'),
    ...shown(held, 'first_sequence', 'last_sequence', 'first_at', 'last_at'),
    limits: {
      ...shown(limits, 'messages', 'bytes', 'age_seconds', 'message_bytes'),
      ...shown(limits, 'messages_per_topic', 'consumers'),
    },
    ...shown(row, 'node_id', 'reported_at'),
  };
}

function consumerView({ held, ...row }: HeldConsumer): Schemas['StreamConsumer'] {
  return {
    ...shown(held, 'stream', 'name', 'description', 'durable', 'delivery'),
    ...shown(held, 'filter_subjects', 'filter_subjects_total', 'acknowledgement', 'ack_wait_seconds'),
    ...shown(held, 'max_deliver', 'max_ack_pending', 'created_at'),
    ...shown(held, 'pending', 'ack_pending', 'redelivered', 'waiting'),
    ...shown(held, 'delivered_sequence', 'delivered_at', 'ack_floor_sequence', 'acknowledged_at'),
    ...shown(held, 'paused', 'paused_until'),
    ...shown(row, 'node_id', 'reported_at'),
  };
}
