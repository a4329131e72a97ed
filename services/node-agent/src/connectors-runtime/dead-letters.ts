import { headers, type MsgHdrs } from '@nats-io/nats-core';
import type { Broker } from './broker.ts';
import type { Named } from './consumers.ts';
import { deadLetters, deadLetterStream, ensureStream } from './kept-streams.ts';

/** What could not be handed on, with what is known of it. */
export interface DeadLetter {
  id: string;
  stream: string;
  topic: string;
  payload: Uint8Array;
  headers: Readonly<Record<string, string>>;
  reason: string;
}

const longestReason = 500;
/** bytes that are left for what the broker adds */
const margin = 1_024;

/** Keeps dead letters of one instance in the broker; resolves once they cannot be lost any more. */
export async function keepDeadLetters(
  broker: Broker,
  { id, key }: Named,
  letters: readonly DeadLetter[],
): Promise<void> {
  if (letters.length === 0) return;
  await ensureStream(broker, deadLetters);
  for (const letter of letters) {
    // one that cannot be handed on from here either would come back for ever
    if (letter.stream === deadLetterStream) continue;
    const { payload, about } = fitting(broker, key, letter);
    await broker.publisher.publish(`sluice.dead_letters.${key}`, payload, {
      headers: about,
      // the same batch may come again
      msgID: `${id}:${letter.stream}:${letter.id}`,
      expect: { streamName: deadLetterStream },
    });
  }
}

/** As much of it as the broker takes: the content goes before headers, and what is left out is said. */
function fitting(broker: Broker, key: string, letter: DeadLetter): { payload: Uint8Array; about: MsgHdrs } {
  const room = broker.largestMessage - margin;
  const attempts = [
    { payload: letter.payload, own: letter.headers, left_out: '' },
    { payload: letter.payload, own: {}, left_out: 'headers' },
    { payload: new Uint8Array(), own: {}, left_out: 'headers, content' },
  ];
  const sized = attempts.map(({ payload, own, left_out }) => {
    const about = headersOf(key, letter, own, left_out);
    return { payload, about, bytes: payload.byteLength + bytesOf(about) };
  });
  const fits = sized.find(({ bytes }) => bytes <= room) ?? sized.at(-1);
  if (!fits) throw new Error('nothing of a dead letter is left');
  return fits;
}

/** What headers take, about. */
export function bytesOf(about: MsgHdrs): number {
  const texts = about.keys().flatMap((name) => [name, ...about.values(name)]);
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 4, 0);
}

function headersOf(
  key: string,
  { id, stream, topic, reason }: DeadLetter,
  own: Readonly<Record<string, string>>,
  leftOut: string,
): MsgHdrs {
  const about = headers();
  // those of the broker have effects
  for (const [name, value] of Object.entries(own))
    if (!/^nats-/i.test(name)) about.append(name, oneLine(value));
  about.set('Sluice-Instance', key);
  about.set('Sluice-Reason', oneLine(reason).slice(0, longestReason));
  about.set('Sluice-Message', oneLine(id).slice(0, longestReason));
  about.set('Sluice-Stream', stream);
  about.set('Sluice-Topic', topic);
  if (leftOut !== '') about.set('Sluice-Left-Out', leftOut);
  return about;
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ');
