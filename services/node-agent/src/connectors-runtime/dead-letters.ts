import {
  headerBytes,
  type BrokerClient,
  type Headers,
  type InstanceName,
} from '../runtimes/broker-client.ts';
import { deadLetters } from './kept-streams.ts';

export interface DeadLetter {
  id: string;
  stream: string;
  topic: string;
  payload: Uint8Array;
  headers: Headers;
  reason: string;
}

const longestReason = 500;
/** bytes that are left for what the broker adds */
export const brokerMargin = 1_024;

/** Stores dead letters of one instance in the broker; resolves once they cannot be lost. */
export async function keepDeadLetters(
  broker: BrokerClient,
  { id, key }: InstanceName,
  letters: readonly DeadLetter[],
): Promise<void> {
  if (letters.length === 0) return;
  await broker.ensureStream(deadLetters);
  for (const letter of letters) {
    // one that cannot be handed on from here either would come back for ever
    if (letter.stream === deadLetters.name) continue;
    await broker.publish({
      stream: deadLetters.name,
      topic: `sluice.dead_letters.${key}`,
      // the same batch may come again
      id: `${id}:${letter.stream}:${letter.id}`,
      ...fitting(broker, key, letter),
    });
  }
}

/** As much of it as the broker takes: headers are left out first, then the content. */
function fitting({ largestMessage }: BrokerClient, key: string, letter: DeadLetter) {
  const attempts = [
    { payload: letter.payload, own: letter.headers, leftOut: '' },
    { payload: letter.payload, own: {}, leftOut: 'headers' },
    { payload: new Uint8Array(), own: {}, leftOut: 'headers, content' },
  ].map(({ payload, own, leftOut }) => ({ payload, headers: headersOf(key, letter, own, leftOut) }));
  const size = ({ payload, headers }: (typeof attempts)[number]) => payload.byteLength + headerBytes(headers);
  const fits = attempts.find((one) => size(one) <= largestMessage - brokerMargin) ?? attempts.at(-1);
  if (!fits) throw new Error('nothing of a dead letter is left');
  return fits;
}

function headersOf(key: string, { id, stream, topic, reason }: DeadLetter, own: Headers, leftOut: string) {
  const oneLine = (text: string) => text.replace(/\s+/g, ' ');
  return {
    ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name, oneLine(value)])),
    'Sluice-Instance': key,
    'Sluice-Reason': oneLine(reason).slice(0, longestReason),
    'Sluice-Message': oneLine(id).slice(0, longestReason),
    'Sluice-Stream': stream,
    'Sluice-Topic': topic,
    ...(leftOut !== '' && { 'Sluice-Left-Out': leftOut }),
  };
}
