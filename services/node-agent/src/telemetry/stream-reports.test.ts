import type { ReportedConsumer, StreamReport } from '@sluice/contracts';
import { createLog } from '@sluice/system/log';
import { readHeldStreams } from '../runtimes/nats/held-streams.ts';
import { jszSchema } from '../runtimes/nats/monitoring.ts';
import { StreamReports } from './stream-reports.ts';

/** What a server holds that has these consumers of a stream, by their lag. */
const held = (lags: Record<string, number>, more: object = {}) =>
  readHeldStreams(
    'n1',
    jszSchema.parse({
      account_details: [
        {
          name: 'deployment',
          stream_detail: [
            {
              name: 'orders',
              config: { subjects: ['orders.>'], description: 'all\0 orders', max_age: 3_600_000_000_000 },
              consumer_detail: Object.entries(lags).map(([name, num_pending]) => ({ name, num_pending })),
              ...more,
            },
          ],
        },
      ],
    }),
  );

function reports() {
  const sent: StreamReport[] = [];
  const state = { held: held({}), isAway: false };
  const streams = new StreamReports({
    held: () => Promise.resolve(state.held),
    send: (part) =>
      state.isAway ? Promise.reject(new Error('away')) : Promise.resolve(void sent.push(part)),
    refusalOf: () => null,
    now: Date.now,
    log: createLog({ service: 'test', level: 'error' }),
  });
  return { state, streams, take: () => sent.splice(0) };
}
const lagsOf = (consumers: readonly ReportedConsumer[]) =>
  Object.fromEntries(consumers.map(({ name, pending }) => [name, pending]));

test('what has changed is reported, all of it when something is gone, and nothing when nothing has', async () => {
  const { state, streams, take } = reports();
  state.held = held({ a: 1, b: 2 });
  await streams.report();
  expect(take()).toMatchObject([
    { complete: true, last: true, streams: [{ description: 'all orders', limits: { age_seconds: 3_600 } }] },
  ]);
  await streams.report();
  expect(take()).toEqual([]);
  state.held = held({ a: 1, b: 3 });
  await streams.report();
  const [change] = take();
  expect(change).toMatchObject({ complete: false, streams: [] });
  expect(lagsOf(change?.consumers ?? [])).toEqual({ b: 3 });
  state.held = held({ b: 3 });
  await streams.report();
  expect(take()).toMatchObject([{ complete: true, consumers: [{ name: 'b' }] }]);
});

test('after a report that did not arrive the next one is complete', async () => {
  const { state, streams, take } = reports();
  state.held = held({ a: 1 });
  await streams.report();
  take();
  state.held = held({ a: 2 });
  state.isAway = true;
  await expect(streams.report()).rejects.toThrow('away');
  expect(streams.failed(new Error('away'))).toBe(0);
  state.isAway = false;
  await streams.report();
  expect(take()).toMatchObject([{ complete: true, consumers: [{ name: 'a', pending: 2 }] }]);
});

test('of many a thousand are reported, in parts that fit into requests', async () => {
  const { state, streams, take } = reports();
  state.held = held(Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`c${index}`, index])));
  await streams.report();
  const parts = take();
  expect(parts.length).toBeGreaterThan(1);
  for (const part of parts) expect(JSON.stringify(part).length).toBeLessThan(65_536);
  expect(new Set(parts.map(({ report }) => report)).size).toBe(1);
  expect(parts.map(({ last }) => last)).toEqual(parts.map((_, index) => index === parts.length - 1));
  expect(parts.flatMap(({ consumers }) => consumers)).toHaveLength(1_000);
  expect(parts[0]).toMatchObject({ streams_total: 1, consumers_total: 1_500 });
});

test('of a cluster only what the server leads is reported', () => {
  const { streams, consumers } = held({ a: 1 }, { cluster: { leader: 'n2' } });
  expect(streams).toEqual([]);
  // the consumer has a leader of its own
  expect(consumers).toHaveLength(1);
});
