import { getEventListeners } from 'node:events';
import winston from 'winston';
import { Notifications } from './notifications.ts';
import { listenForSignals } from './signals.ts';

test('a wait that has ended leaves nothing at the signal of the process', async () => {
  // not opened: each wait lasts as long as it may
  const notifications = new Notifications('', winston.createLogger({ silent: true }));
  const signals = await listenForSignals(notifications, 'widgets');
  const leaving = new AbortController();
  const watch = signals.watch(1);
  expect(await watch.signalled(1, leaving.signal)).toBe(false);
  watch.end();
  expect(getEventListeners(leaving.signal, 'abort')).toEqual([]);

  const last = signals.watch(1);
  const waits = last.signalled(60_000, leaving.signal);
  leaving.abort();
  expect(await waits).toBe(false);
  last.end();
});
