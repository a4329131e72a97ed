import { setTimeout as pause } from 'node:timers/promises';
import { Poll } from './poll.ts';

let poll: Poll | undefined;

const realSetTimeout = globalThis.setTimeout;

afterEach(async () => {
  globalThis.setTimeout = realSetTimeout;
  await poll?.stop();
});

test('a wake-up in any microtask after a look causes another look', async () => {
  let looks = 0;
  poll = new Poll({ look: () => Promise.resolve(void (looks += 1)), seconds: 3_600, eager: true });
  for (let ticks = 0; ticks < 12; ticks += 1) {
    looks = 0;
    poll.wake();
    for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
    const before = looks;
    poll.wake();
    await pause(1);
    expect({ ticks, missed: looks === before }).toEqual({ ticks, missed: false });
  }
});

test('a timer that fires early does not look before it is due', async () => {
  const early = (work: () => void, milliseconds: number) =>
    realSetTimeout(work, Math.max(0, milliseconds - 15));
  globalThis.setTimeout = early as typeof setTimeout;
  const looked = Promise.withResolvers<number>();
  poll = new Poll({ look: () => Promise.resolve(looked.resolve(performance.now())), seconds: 3_600 });
  const dueAt = performance.now() + 40;
  poll.wakeIn(0.04);
  expect(await looked.promise).toBeGreaterThanOrEqual(dueAt);
});

test('wake-ups during a look cause one more, and looks do not overlap', async () => {
  let looks = 0;
  let underWay = 0;
  let most = 0;
  const look = async () => {
    looks += 1;
    most = Math.max(most, (underWay += 1));
    await pause(20);
    underWay -= 1;
  };
  poll = new Poll({ look, seconds: 3_600, eager: true });
  for (let count = 0; count < 5; count += 1) poll.wake();
  await pause(5);
  poll.wake();
  poll.wake();
  await pause(100);
  expect({ looks, most }).toEqual({ looks: 2, most: 1 });
});
