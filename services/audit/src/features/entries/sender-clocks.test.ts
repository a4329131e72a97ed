import type { Received } from '@sluice/messaging';
import { Registry } from '@prometheus-io/client';
import { collectedLog } from '@sluice/testing';
import { senderClocks } from './sender-clocks.ts';

const arrivedAt = new Date('2026-03-01T12:00:00.000Z');

test('a clock that is wrong by more than a minute is warned of, once for each sender for some time', async () => {
  const { log, lines } = collectedLog();
  const metrics = new Registry();
  const clocks = senderClocks({ metrics, log });
  const correctedTime = (sender: Received['sender'], aheadMilliseconds?: number) =>
    clocks.correctedTime({ sender, arrivedAt, aheadMilliseconds } as Received);

  const region = 'supervisor/cloud_a/us-east-1';
  const right = [undefined, 0, 60_000, -60_000].map((ahead) => correctedTime('main-api', ahead));
  expect(right).toEqual([undefined, undefined, undefined, undefined]);
  expect([correctedTime(region, 60_001), correctedTime(region, 3_600_000)]).toEqual([arrivedAt, arrivedAt]);
  expect(correctedTime('notifier', -3_600_000)).toEqual(arrivedAt);
  const about = { level: 'warn', message: expect.stringContaining('clock is wrong') as string };
  expect(lines).toMatchObject([
    { ...about, sender: region, seconds: 60 },
    { ...about, sender: 'notifier', seconds: -3_600 },
  ]);
  expect(await metrics.metrics()).toContain(`sluice_audit_sender_clock_seconds{sender="${region}"} 3600`);
});
