import type { StreamInfo } from '@nats-io/jetstream';
import { anySubject } from '@sluice/streams';
import type { SubjectCount } from '../lib/subject-tree.ts';
import type { Broker } from './session.ts';

/** A broker needs some seconds for a million subjects. Milliseconds. */
const patience = 20_000;

export interface Subjects {
  /** by name; the broker gives a hundred thousand at most */
  counts: SubjectCount[];
  /** how many there are */
  total: number;
}

interface Answer {
  error?: { description: string };
  state?: StreamInfo['state'];
  total?: number;
}

/** Lets the page draw in between. */
const breathe = () => new Promise((resolve) => setTimeout(resolve));

/**
 * The subjects of a stream with their numbers of messages. One answer is asked for, where the library would ask for all: each costs the broker
 * a walk through all subjects.
 * @param filter which ones; may have wildcards
 */
export async function readSubjects(broker: Broker, stream: string, filter = anySubject): Promise<Subjects> {
  const { data } = await broker.connection.request(
    `$JS.API.STREAM.INFO.${stream}`,
    JSON.stringify({ subjects_filter: filter }),
    { timeout: patience },
  );
  const text = new TextDecoder().decode(data);
  await breathe();
  const { error, state, total } = JSON.parse(text) as Answer;
  if (error) throw new Error(error.description);
  await breathe();
  const counts = Object.entries(state?.subjects ?? {});
  await breathe();
  return { counts, total: Math.max(total ?? 0, counts.length) };
}
