import type { StreamConfig } from '@nats-io/jetstream';
import { createInbox, type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import { z } from 'zod';

/** A deployment's broker, and how many nodes it has. */
export interface Side {
  connection: NatsConnection;
  nodes: number;
}

const chunkBytes = 64 * 1024;

const failure = z.object({ error: z.object({ description: z.string() }) });
const snapshotSchema = z.object({ config: z.looseObject({}), state: z.looseObject({}) });
const restoreSchema = z.object({ deliver_subject: z.string() });
const infoSchema = z.object({ state: z.object({ messages: z.number() }) });

/**
 * Copies a stream by a snapshot of JetStream, one chunk after the other: the next comes once the other side has the one before. What a copy
 * that fails has stored is deleted there: it would be taken for the whole.
 * @param patience milliseconds that a broker may take with one answer, or with the next chunk
 * @returns how many messages the copy has
 * @throws Error with what the broker says
 */
export async function copyStream(from: Side, to: Side, name: string, patience: number): Promise<number> {
  /** Asks the JetStream API. */
  const ask = async <Answer>(side: Side, subject: string, content: unknown, schema: z.ZodType<Answer>) => {
    const request = JSON.stringify(content);
    const answer = await side.connection.request(`$JS.API.${subject}`, request, { timeout: patience });
    return schema.parse(understood(answer));
  };
  const deliver = createInbox();
  const chunks = from.connection.subscribe(deliver);
  try {
    const request = { deliver_subject: deliver, chunk_size: chunkBytes, no_consumers: false };
    const { config, state } = await ask(from, `STREAM.SNAPSHOT.${name}`, request, snapshotSchema);
    const fitting = fittingConfig(config as unknown as StreamConfig, to.nodes);
    const restore = await ask(to, `STREAM.RESTORE.${name}`, { config: fitting, state }, restoreSchema);
    // the stream is ours from here on: the other side has refused one that is there
    await passOn(chunks, to, restore.deliver_subject, patience).catch(async (error: unknown) => {
      await ask(to, `STREAM.DELETE.${name}`, {}, z.unknown()).catch((reason: unknown) => {
        if (!String(reason).includes('stream not found'))
          throw new Error(`${textOf(error)}; a part of it is left in the other deployment: delete that`);
      });
      throw error;
    });
    return (await ask(to, `STREAM.INFO.${name}`, {}, infoSchema)).state.messages;
  } finally {
    chunks.unsubscribe();
  }
}

export const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function passOn(chunks: Subscription, to: Side, subject: string, patience: number): Promise<void> {
  const arriving = chunks[Symbol.asyncIterator]();
  for (;;) {
    // a broker that is gone sends nothing; the deadline that nats.js has is for the first message alone
    const stalled = setTimeout(() => chunks.unsubscribe(), patience);
    const next = await arriving.next().finally(() => clearTimeout(stalled));
    if (next.done) throw new Error('the broker sends no more of the snapshot');
    const chunk = next.value;
    if (chunk.headers?.hasError) throw new Error(chunk.headers.description);
    // without content it is the end, here and there
    understood(await to.connection.request(subject, chunk.data, { timeout: patience }));
    chunk.respond();
    if (chunk.data.length === 0) return;
  }
}

function understood(message: Msg): unknown {
  if (message.data.length === 0) return {};
  const content: unknown = message.json();
  const { data } = failure.safeParse(content);
  if (data) throw new Error(data.error.description);
  return content;
}

/** A deployment of one node has one copy of each message. */
function fittingConfig(
  { placement: _, ...config }: StreamConfig,
  nodes: number,
): Omit<StreamConfig, 'placement'> {
  return { ...config, num_replicas: nodes < config.num_replicas ? 1 : config.num_replicas };
}
