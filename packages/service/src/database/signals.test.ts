import { getEventListeners } from 'node:events';
import { listenForSignals } from './signals.ts';

/** Signals of a channel, and what notifies it. */
async function channel() {
  let notify: (payload: string) => void = () => undefined;
  const listen = async (_channel: string, callback: typeof notify) => {
    notify = callback;
    return () => undefined;
  };
  const signals = await listenForSignals({ listen }, 'changed');
  return { signals, notify: (payload: string) => notify(payload) };
}

test('a wait that has ended leaves nothing behind at the signal that could have ended it', async () => {
  const { signals, notify } = await channel();
  const stopping = new AbortController();

  const watch = signals.watch(7);
  const waiting = watch.signalled(60_000, stopping.signal);
  expect(getEventListeners(stopping.signal, 'abort')).toHaveLength(1);
  notify('7');
  expect(await waiting).toBe(true);
  watch.end();
  expect(getEventListeners(stopping.signal, 'abort')).toHaveLength(0);

  const later = signals.watch(7);
  expect(await later.signalled(1, stopping.signal)).toBe(false);
  expect(getEventListeners(stopping.signal, 'abort')).toHaveLength(0);
  const stopped = later.signalled(60_000, stopping.signal);
  stopping.abort();
  expect(await stopped).toBe(false);
  later.end();
});

test.each(['7', ''])('hundreds of waits are not woken all at once: %j', async (payload) => {
  const { signals, notify } = await channel();
  let woken = 0;
  const waits = Array.from({ length: 250 }, async () => {
    expect(await signals.watch(7).signalled(10_000)).toBe(true);
    woken += 1;
  });
  notify(payload);
  await new Promise(setImmediate);
  expect(woken).toBe(100);
  await Promise.all(waits);
});
