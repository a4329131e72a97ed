import type { IncomingRecord, Source, SourceBatch, SourcePlugin, StreamBinding } from '@sluice/connectors';
import { headerBytes, type Position } from '../runtimes/broker-client.ts';
import { Attempts, limited } from './attempts.ts';
import { brokerMargin, keepDeadLetters, type DeadLetter } from './dead-letters.ts';
import type { Run } from './instance-run.ts';
import { sourceStream } from './kept-streams.ts';
import { readContent, Undecodable } from './messages.ts';
import { endQuietly } from './sink-run.ts';

const mostUnderWay = 256;
const mostRecords = 10_000;

/** Takes records of a source into the broker until it is to stop. @throws ConfigRefused */
export async function runSource(run: Run, plugin: SourcePlugin): Promise<void> {
  const { signal } = run;
  const attempts = new Attempts(run, 'source');
  while (!signal.aborted) {
    let source: Source | null = null;
    try {
      for (const binding of run.config.streams) await ensureTopics(run, binding);
      // read anew each time: another node may have gone on meanwhile
      const position = await run.broker.openPosition(run.instance.id);
      source = await openSource(run, plugin, position.value);
      attempts.begun();
      for (;;) {
        const batch = await readBatch(run, source);
        if (batch === null) return;
        await limited(() => publishBatch(run, batch, position), run.limits.publish, run.late);
        await source.acknowledge?.(batch.position);
        attempts.succeeded();
      }
    } catch (error) {
      await attempts.failed(error);
    } finally {
      if (source !== null) await endQuietly(source, run.limits.ending);
    }
  }
}

async function openSource(run: Run, plugin: SourcePlugin, position: string | null): Promise<Source> {
  const { config, context, limits, signal } = run;
  return await limited(() => plugin.open(config.plugin_config, context, position), limits.write, signal);
}

/** A stream that is there is the customer's, and has to take the topics as it is. */
async function ensureTopics({ broker }: Run, { stream, topics }: StreamBinding): Promise<void> {
  const found = await broker.ensureStream(sourceStream(stream, topics));
  const refused = topics.find((topic) => !found.takes(topic));
  if (refused !== undefined) throw new Error(`the stream ${stream} does not take the topic ${refused}`);
}

/** Waits for as long as there is nothing; null when the run is to stop. */
async function readBatch({ signal, limits }: Run, source: Source): Promise<SourceBatch | null> {
  try {
    // it may wait for ever, but not for long once it is to stop
    const batch = await Promise.race([source.read(signal), stopped(signal, limits.ending)]);
    if (batch !== null && batch.records.length > mostRecords)
      throw new Error(`the source has read more than ${mostRecords} records at once`);
    return batch;
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

async function stopped(signal: AbortSignal, milliseconds: number): Promise<null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const end = () => setTimeout(() => resolve(null), milliseconds).unref();
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return await promise;
}

/** Publishes all records, and only then keeps the position: a batch that was cut short is read again. */
async function publishBatch(
  run: Run,
  { records, position: next }: SourceBatch,
  position: Position,
): Promise<void> {
  const { metrics, broker, instance } = run;
  metrics.messages_produced += records.length;
  const letters: DeadLetter[] = [];
  const taken = { sent: 0, filtered: 0 };
  for (let begun = 0; begun < records.length; begun += mostUnderWay) {
    const some = records.slice(begun, begun + mostUnderWay);
    await Promise.all(some.map((record) => publish(run, record, letters, taken)));
  }
  await keepDeadLetters(broker, instance, letters);
  await position.keep(next);
  metrics.messages_filtered += taken.filtered;
  metrics.messages_processed += taken.sent;
  metrics.messages_sent += taken.sent;
  metrics.errors += letters.length;
}

async function publish(
  run: Run,
  record: IncomingRecord,
  letters: DeadLetter[],
  taken: { sent: number; filtered: number },
): Promise<void> {
  const { config, broker, instance } = run;
  const own = record.headers ?? {};
  for (const { stream, topics, schema } of config.streams) {
    const letter = (reason: string, topic: string) =>
      letters.push({ ...record, headers: own, stream, topic, reason });
    const content = contentOf(run, record, schema);
    if (typeof content === 'string') {
      letter(content, topics[0] ?? '');
      continue;
    }
    if (content === null) {
      taken.filtered++;
      continue;
    }
    for (const topic of topics) {
      const bytes = content.payload.byteLength + headerBytes(own) + brokerMargin;
      if (bytes > broker.largestMessage) letter('Larger than a message of the broker may be', topic);
      else {
        const id = `${instance.id}:${topic}:${record.id}`;
        await broker.publish({ stream, topic, id, payload: content.payload, headers: own });
        taken.sent++;
      }
    }
  }
}

function contentOf(
  { config }: Run,
  { payload, headers: own = {} }: IncomingRecord,
  schema: StreamBinding['schema'],
) {
  try {
    return readContent(schema, config.transforms, payload, own);
  } catch (error) {
    if (error instanceof Undecodable) return error.message;
    throw error;
  }
}
