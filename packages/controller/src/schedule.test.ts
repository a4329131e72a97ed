import { eventually } from '@sluice/testing';
import { Registry } from '@prometheus-io/client';
import winston from 'winston';
import { Schedule } from './index.ts';

let metrics: Registry;
let schedule: Schedule;

beforeEach(() => {
  metrics = new Registry();
  schedule = new Schedule({ log: winston.createLogger({ silent: true }), metrics });
});
afterEach(() => schedule.stop());

test('runs of a job do not overlap', async () => {
  let [runs, atOnce, most] = [0, 0, 0];
  schedule.add({
    name: 'count',
    every: 0,
    async run() {
      most = Math.max(most, ++atOnce);
      await new Promise(setImmediate);
      atOnce -= 1;
      runs += 1;
    },
  });
  await eventually(() => expect(runs).toBeGreaterThan(3));
  expect(most).toBe(1);
});

test('a failure is counted and the next run is the next attempt, also when it throws at once', async () => {
  let runs = 0;
  schedule.add({
    name: 'fail',
    every: () => 0,
    run() {
      runs += 1;
      if (runs === 1) throw new Error('at once');
      return runs === 2 ? Promise.reject(new Error('later')) : undefined;
    },
  });
  await eventually(() => expect(runs).toBeGreaterThan(3));
  const text = await metrics.metrics();
  expect(text).toContain('sluice_job_runs_total{job="fail",outcome="failed"} 2');
  expect(text).toMatch(/sluice_job_last_success_timestamp_seconds{job="fail"} \d+/);
});

test('a wake-up runs a job before its time; one during a run causes one more', async () => {
  let runs = 0;
  const gate = Promise.withResolvers<void>();
  const { wake } = schedule.add({
    name: 'woken',
    every: 3_600,
    async run() {
      runs += 1;
      if (runs === 1) await gate.promise;
    },
  });
  await eventually(() => expect(runs).toBe(1));
  wake();
  wake();
  gate.resolve();
  await eventually(() => expect(runs).toBe(2));
  wake();
  await eventually(() => expect(runs).toBe(3));
});

test('a stop aborts the run that is under way, waits for its end, and starts no other', async () => {
  const begun = Promise.withResolvers<void>();
  let [runs, ended] = [0, false];
  schedule.add({
    name: 'long',
    every: 0,
    async run(signal) {
      runs += 1;
      begun.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      ended = true;
      throw new Error('cut short');
    },
  });
  await begun.promise;
  await schedule.stop();
  expect([runs, ended]).toEqual([1, true]);
  expect(await metrics.metrics()).not.toContain('outcome="failed"');
});

test('two jobs of one name are refused', () => {
  schedule.add({ name: 'same', every: 3_600, run: () => undefined });
  expect(() => schedule.add({ name: 'same', every: 1, run: () => undefined })).toThrow('a job same already');
});

test('after a failure a job with a back-off pauses longer each time, and no wake-up cuts that short', async () => {
  const failures: number[] = [];
  const { wake } = schedule.add({
    name: 'retried',
    every: 0,
    retry: { first: 40, cap: 160 },
    run: () => Promise.reject(new Error('no')),
    failed: () => void failures.push(performance.now()),
  });
  const waking = setInterval(wake, 1);
  await eventually(() => expect(failures.length).toBeGreaterThan(3));
  clearInterval(waking);
  const pauses = failures.slice(1).map((at, index) => at - (failures[index] ?? 0));
  expect(pauses[0]).toBeGreaterThan(15);
  expect(pauses[2]).toBeGreaterThan(70);
});
