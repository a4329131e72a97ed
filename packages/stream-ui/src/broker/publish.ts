import type { PubAck } from '@nats-io/jetstream';
import { headers as emptyHeaders } from '@nats-io/nats-core';
import { ShownError } from '@sluice/ui/lib/problems.ts';
import { messageOf, type Message, type Template } from '../lib/template.ts';
import { explained, type Broker } from './session.ts';

/** What one run of a template publishes. More is the business of the command line. */
export const mostOfRun = { messages: 5_000, perSecond: 200, bytes: 256 * 2 ** 20 };

/** messages that wait for the stream's answer */
const mostWaiting = 16;

/** @throws ShownError where no stream takes it */
export async function publishMessage(broker: Broker, { subject, headers, data }: Message): Promise<PubAck> {
  const all = emptyHeaders();
  for (const [name, value] of headers) all.append(name, value);
  try {
    return await broker.client.publish(subject, data, { ...(headers.length > 0 && { headers: all }) });
  } catch (error) {
    // so the library calls it when no server answers
    if (error instanceof Error && error.name === 'JetStreamNotEnabled')
      throw new ShownError('no_stream', 'No stream takes this subject', 'Nothing was stored.');
    throw error;
  }
}

export interface Run {
  count: number;
  perSecond: number;
}

export interface Published {
  stored: number;
  /** whose ids the stream knew already */
  duplicates: number;
}

/**
 * Publishes messages of a template, at a rate that is not exceeded. `signal` ends it; what was sent until then is stored.
 * @param onProgress called with how many are published
 * @throws the first error, after which nothing is sent
 */
export async function publishMany(
  broker: Broker,
  template: Template,
  { count, perSecond }: Run,
  signal: AbortSignal,
  onProgress: (published: number) => void,
): Promise<Published> {
  const published: Published = { stored: 0, duplicates: 0 };
  const waiting = new Set<Promise<void>>();
  let failure: Error | undefined;
  const begun = performance.now();
  for (let index = 0; index < count && !signal.aborted && failure === undefined; index++) {
    await pause(begun + (index * 1000) / perSecond - performance.now(), signal);
    if (waiting.size >= mostWaiting) await Promise.race(waiting);
    if (signal.aborted || failure !== undefined) break;
    const sent = publishMessage(broker, messageOf(template, index)).then(
      ({ duplicate }) => {
        published[duplicate ? 'duplicates' : 'stored']++;
        onProgress(published.stored + published.duplicates);
      },
      (error: unknown) => void (failure ??= explained(error)),
    );
    const settled = sent.finally(() => waiting.delete(settled));
    waiting.add(settled);
  }
  await Promise.all(waiting);
  if (failure !== undefined) throw failure;
  return published;
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds <= 0 || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done);
  });
}
