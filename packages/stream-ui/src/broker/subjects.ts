import { anySubject, countFrom } from '@sluice/streams';
import { ShownError } from '@sluice/ui/lib/problems.ts';
import { formatCount } from '@sluice/ui/lib/quantity.ts';
import type { Broker } from './session.ts';

/** More are not read at once: the answer of the broker is one message, and the page has to draw it. */
export const mostSubjects = 20_000;

/**
 * The subjects of a stream with their numbers of messages.
 * @param filter which ones; may have wildcards
 * @throws ShownError `too_many_subjects`: a narrower filter is needed
 */
export async function readSubjects(
  broker: Broker,
  stream: string,
  filter = anySubject,
): Promise<Record<string, number>> {
  const info = await broker.manager.streams.info(stream);
  if ((info.state.num_subjects ?? 0) > mostSubjects) {
    // no stream has more subjects than messages
    const messages = filter === anySubject ? undefined : await countFrom(broker, info, 1, [filter]);
    if (messages === undefined || messages > mostSubjects)
      throw new ShownError(
        'too_many_subjects',
        'Too many subjects to show at once',
        `The stream has ${formatCount(info.state.num_subjects ?? 0)} subjects. Give the beginning of those that you look for: ${formatCount(mostSubjects)} messages at most may be below it.`,
      );
  }
  const { state } = await broker.manager.streams.info(stream, { subjects_filter: filter });
  return state.subjects ?? {};
}
