import { getEventListeners } from 'node:events';
import { listenForSignals } from './signals.ts';

test('a wait that has ended leaves nothing behind at the signal that could have ended it', async () => {
  let notify: (payload: string) => void = () => undefined;
  const listen = async (_channel: string, callback: typeof notify) => {
    notify = callback;
    return () => undefined;
  };
  const signals = await listenForSignals({ listen }, 'changed');
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
