import { natsAccount } from '@sluice/contracts/broker-schemas';
import { z } from 'zod';
import { call } from '../../http.ts';

const answerLimit = 2_000;

const number = z.number().default(0);
const text = z.string().default('');

/** absent where the server is not one of a cluster */
const groupSchema = z.object({
  leader: text,
  replicas: z
    .array(
      z.object({
        name: z.string(),
        current: z.boolean().default(false),
        offline: z.boolean().default(false),
      }),
    )
    .nullish(),
});
export type Group = z.infer<typeof groupSchema>;

const positionSchema = z.object({ stream_seq: number, last_active: z.string().optional() }).prefault({});

const consumerSchema = z.object({
  name: text,
  created: z.string().optional(),
  ...{ num_pending: number, num_ack_pending: number, num_redelivered: number, num_waiting: number },
  ...{ delivered: positionSchema, ack_floor: positionSchema },
  paused: z.boolean().optional(),
  config: z
    .object({
      ...{ durable_name: text, description: text, deliver_subject: text, filter_subject: text },
      filter_subjects: z.array(z.string()).nullish(),
      ack_policy: z.enum(['none', 'all', 'explicit']).optional().catch(undefined),
      ...{ ack_wait: number, max_deliver: number, max_ack_pending: number },
      pause_until: z.string().optional(),
    })
    .prefault({}),
  cluster: groupSchema.optional(),
});
export type HeldConsumer = z.infer<typeof consumerSchema>;

const streamSchema = z.object({
  name: z.string(),
  created: z.string().optional(),
  state: z
    .object({
      ...{ messages: number, bytes: number, num_subjects: number, first_seq: number, last_seq: number },
      ...{ first_ts: z.string().optional(), last_ts: z.string().optional() },
      consumer_count: z.int().optional(),
    })
    .prefault({}),
  config: z
    .object({
      description: text,
      subjects: z.array(z.string()).nullish(),
      retention: z.enum(['limits', 'interest', 'workqueue']).optional().catch(undefined),
      storage: z.enum(['file', 'memory']).default('file'),
      discard: z.enum(['old', 'new']).optional().catch(undefined),
      max_bytes: z.number().default(-1),
      num_replicas: z.int().default(1),
      ...{ max_msgs: number, max_age: number, max_msg_size: number, max_msgs_per_subject: number },
      max_consumers: number,
      ...{ sealed: z.boolean().optional(), allow_direct: z.boolean().optional() },
      mirror: z.object({ name: z.string() }).nullish(),
      sources: z.array(z.object({ name: z.string() })).nullish(),
    })
    .prefault({}),
  cluster: groupSchema.optional(),
  consumer_detail: z.array(consumerSchema).nullish(),
});
export type HeldStream = z.infer<typeof streamSchema>;

export const jszSchema = z.object({
  ...{ memory: number, storage: number, streams: number, consumers: number, messages: number },
  meta_cluster: groupSchema.optional(),
  account_details: z
    .array(z.object({ name: z.string(), stream_detail: z.array(streamSchema).nullish() }))
    .nullish(),
});
export type Jsz = z.infer<typeof jszSchema>;

export const varzSchema = z.object({
  version: z.string(),
  config_load_time: z.string(),
  server_name: text,
  ...{ cpu: number, mem: number, connections: number, max_connections: number, total_connections: number },
  ...{ subscriptions: number, slow_consumers: number },
  ...{ in_msgs: number, out_msgs: number, in_bytes: number, out_bytes: number },
  jetstream: z
    .object({
      config: z.object({ max_memory: number, max_storage: number }).optional(),
      stats: z
        .object({
          ...{ memory: number, storage: number },
          api: z.object({ total: number, errors: number }).optional(),
        })
        .optional(),
    })
    .optional(),
});
export type Varz = z.infer<typeof varzSchema>;

/** of `/healthz`, which answers 503 as well */
const healthzSchema = z.object({ status: z.string(), error: z.string().optional() });

const connzSchema = z.object({
  connections: z.array(z.object({ name: z.string().optional(), ip: text, pending_bytes: number })).nullish(),
});

export const streamsIn = ({ account_details }: Jsz) =>
  account_details?.find(({ name }) => name === natsAccount)?.stream_detail ?? [];

/** The pages of a server's monitoring. Each throws Error when the server does not answer. */
export type Monitoring = ReturnType<typeof monitoring>;

export function monitoring(url: () => Promise<string>) {
  async function page<Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.infer<Shape>> {
    const signal = AbortSignal.timeout(answerLimit);
    return shape.parse((await call('GET', new URL(path, await url()), { signal })).body);
  }
  return {
    varz: () => page('/varz', varzSchema),
    jsz: () => page('/jsz?accounts=true&streams=true&consumers=true&config=true', jszSchema),
    healthz: () => page('/healthz', healthzSchema),
    connz: () => page('/connz?limit=256&sort=pending', connzSchema),
  };
}
