import type { JetStreamManager } from '@nats-io/jetstream';
import { streamInfo } from './buckets.ts';

/** Answers what the servers of a cluster do one after the other. */
const answering = (...sequences: number[]) => {
  let asked = 0;
  const info = () => {
    const last_seq = sequences[Math.min(asked++, sequences.length - 1)];
    return Promise.resolve({ state: { last_seq } });
  };
  return {
    manager: { streams: { info } } as unknown as Pick<JetStreamManager, 'streams'>,
    asked: () => asked,
  };
};

test.each([
  ['that has all that is known', [7], 7, 1],
  ['whose leader counts a message a moment after another server has passed it on', [6, 6, 7], 7, 3],
  ['that has lost something', [3], 3, 5],
])('a stream %s', async (_which, sequences, last, asked) => {
  const cluster = answering(...sequences);
  expect((await streamInfo(cluster.manager, 'any', 7))?.state.last_seq).toBe(last);
  expect(cluster.asked()).toBe(asked);
});
