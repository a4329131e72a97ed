#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { jetstreamManager, type StreamConfig, type StreamInfo } from '@nats-io/jetstream';
import { connect, createInbox, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';
import { UsageError } from './usage.ts';

/**
 * `SLUICE_API_KEY=… npm run --silent copy-streams -- --from <supervisor>/deployments/1 --to <supervisor>/deployments/2`: copies the streams of
 * a deployment into another, of any region, with their messages, sequences and consumers, by the snapshots of JetStream. The key reads the
 * logins of both. Prints a line for each stream. Exit code 1 when one was not copied, 2 for a mistake of the caller.
 */

const usage =
  'Usage: SLUICE_API_KEY=… npm run --silent copy-streams -- --from <supervisor>/deployments/<id> --to <supervisor>/deployments/<id> [--stream <name>…]';

/** how long a broker may take with one answer, in milliseconds: a tier may be slow */
const patience = 60_000;
const chunkBytes = 64 * 1024;

const deploymentSchema = z.object({
  endpoints: z.object({ broker_tcp: z.string() }),
  nodes: z.array(z.unknown()),
});
const loginSchema = z.object({ username: z.string(), password: z.string() });
const failure = z.object({ error: z.object({ description: z.string() }) });
const snapshotSchema = z.object({ config: z.looseObject({}), state: z.looseObject({}) });
const restoreSchema = z.object({ deliver_subject: z.string() });

interface Side {
  connection: NatsConnection;
  nodes: number;
}

async function open(address: string, key: string): Promise<Side> {
  const ask = async (path: string) => {
    const answer = await fetch(`${address}${path}`, {
      headers: { 'svc-api-key': key },
      signal: AbortSignal.timeout(patience),
    });
    if (!answer.ok) throw new UsageError(`${address}${path} answers ${answer.status}.`);
    return await answer.json();
  };
  const deployment = deploymentSchema.parse(await ask(''));
  const { username, password } = loginSchema.parse(await ask('/credentials'));
  const servers = deployment.endpoints.broker_tcp;
  try {
    const connection = await connect({ servers, user: username, pass: password, reconnect: false });
    return { connection, nodes: deployment.nodes.length };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The broker of ${address} cannot be reached, see its access rules: ${reason}`, {
      cause: error,
    });
  }
}

/** Asks the JetStream API. @throws Error with what it says */
async function ask<Answer>(
  connection: NatsConnection,
  subject: string,
  content: unknown,
  schema: z.ZodType<Answer>,
): Promise<Answer> {
  const answer = await connection.request(`$JS.API.${subject}`, JSON.stringify(content), {
    timeout: patience,
  });
  return schema.parse(understood(answer));
}

function understood(message: Msg): unknown {
  if (message.data.length === 0) return {};
  const content: unknown = message.json();
  const { data } = failure.safeParse(content);
  if (data) throw new Error(data.error.description);
  return content;
}

/** Copies a stream, one chunk after the other: the next comes once the other side has the one before. */
async function copy(from: Side, to: Side, name: string): Promise<void> {
  const deliver = createInbox();
  const chunks = from.connection.subscribe(deliver, { timeout: patience });
  try {
    const request = { deliver_subject: deliver, chunk_size: chunkBytes, no_consumers: false };
    const { config, state } = await ask(from.connection, `STREAM.SNAPSHOT.${name}`, request, snapshotSchema);
    const fitting = fittingConfig(config as unknown as StreamConfig, to.nodes);
    const restore = await ask(
      to.connection,
      `STREAM.RESTORE.${name}`,
      { config: fitting, state },
      restoreSchema,
    );
    for await (const chunk of chunks) {
      if (chunk.headers?.hasError) throw new Error(chunk.headers.description);
      // without content it is the end, here and there
      const taken = await to.connection.request(restore.deliver_subject, chunk.data, { timeout: patience });
      understood(taken);
      chunk.respond();
      if (chunk.data.length === 0) return;
    }
    throw new Error('the broker has ended the snapshot too early');
  } finally {
    chunks.unsubscribe();
  }
}

/** A deployment of one node has one copy of each message. */
function fittingConfig(
  { placement: _, ...config }: StreamConfig,
  nodes: number,
): Omit<StreamConfig, 'placement'> {
  return { ...config, num_replicas: nodes < config.num_replicas ? 1 : config.num_replicas };
}

async function streamsOf({ connection }: Side): Promise<Map<string, StreamInfo>> {
  const manager = await jetstreamManager(connection, { timeout: patience });
  const found = new Map<string, StreamInfo>();
  for await (const info of manager.streams.list()) found.set(info.config.name, info);
  return found;
}

/** @returns whether all streams were copied */
async function run(args: readonly string[], key: string | undefined): Promise<boolean> {
  const { from, to, stream } = read(args);
  if (!key) throw new UsageError(`SLUICE_API_KEY is missing.\n${usage}`);
  const source = await open(from, key);
  const target = await open(to, key).catch(async (error: unknown) => {
    await source.connection.close();
    throw error;
  });
  try {
    const [there, present] = [await streamsOf(source), await streamsOf(target)];
    const missing = stream.find((name) => !there.has(name));
    if (missing !== undefined) throw new UsageError(`${from} has no stream ${missing}.`);
    let isWhole = true;
    for (const name of stream.length > 0 ? stream : there.keys()) {
      const outcome = await outcomeOf(source, target, name, present);
      isWhole &&= outcome === null;
      const messages = (await streamsOf(target)).get(name)?.state.messages ?? 0;
      console.log(
        outcome === null ? `${name}: ${messages} messages copied` : `${name}: not copied: ${outcome}`,
      );
    }
    return isWhole;
  } finally {
    await Promise.all([source.connection.close(), target.connection.close()]);
  }
}

/** Why a stream was not copied; null where it was. */
async function outcomeOf(
  source: Side,
  target: Side,
  name: string,
  present: ReadonlyMap<string, unknown>,
): Promise<string | null> {
  if (present.has(name)) return 'the other deployment has a stream of this name';
  try {
    await copy(source, target, name);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function read(args: readonly string[]) {
  try {
    const options = {
      from: { type: 'string' },
      to: { type: 'string' },
      stream: { type: 'string', multiple: true, default: [] as string[] },
    } as const;
    const { from, to, stream } = parseArgs({ args: [...args], options }).values;
    for (const address of [from, to])
      if (!/^https?:\/\/.+\/deployments\/\d+$/.test(address ?? '')) throw new UsageError(usage);
    if (from === to) throw new UsageError('--from and --to are the same deployment.');
    return { from: from ?? '', to: to ?? '', stream };
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`${(error as Error).message}\n${usage}`);
  }
}

try {
  process.exitCode = (await run(process.argv.slice(2), process.env['SLUICE_API_KEY'])) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
