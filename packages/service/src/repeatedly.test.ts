import { eventually } from '@sluice/testing';
import { repeatedly } from './repeatedly.ts';

const fail = (error: unknown) => {
  throw error;
};

test('it is done now and again, one time after the other', async () => {
  let [runs, atOnce, most] = [0, 0, 0];
  const end = repeatedly({
    everySeconds: 0,
    async run() {
      most = Math.max(most, (atOnce += 1));
      await new Promise(setImmediate);
      atOnce -= 1;
      runs += 1;
    },
    failed: fail,
  });
  await eventually(() => expect(runs).toBeGreaterThan(3));
  await end();
  expect(most).toBe(1);
});

test('what fails is told, also what throws at once, and done again', async () => {
  const told: unknown[] = [];
  let runs = 0;
  const end = repeatedly({
    everySeconds: () => 0,
    run() {
      runs += 1;
      if (runs === 1) throw new Error('at once');
      return runs === 2 ? Promise.reject(new Error('later')) : undefined;
    },
    failed: (error) => told.push(error),
  });
  await eventually(() => expect(runs).toBeGreaterThan(2));
  await end();
  expect(told).toEqual([new Error('at once'), new Error('later')]);
});

test('its end waits for the run that is under way, does not wait for the next, and tells nothing of what it has cut short', async () => {
  const begun = Promise.withResolvers<void>();
  let over = false;
  const end = repeatedly({
    everySeconds: 3_600,
    async run(signal) {
      begun.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      over = true;
      throw new Error('cut short');
    },
    failed: fail,
  });
  await begun.promise;
  await end();
  expect(over).toBe(true);
  const resting = repeatedly({ everySeconds: 3_600, run: () => undefined, failed: fail });
  await resting();
});
