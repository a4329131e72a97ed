import { judge, reportOf, type Soaked } from './report.ts';

const begunAt = Date.UTC(2026, 0, 1);
const at = (seconds: number) => begunAt + seconds * 1_000;
const asked = (seconds: number, failure?: string) => ({
  ...{ what: 'tenant', begunAt: at(seconds), endedAt: at(seconds + 1) },
  ...(failure !== undefined && { failure }),
});
/** What `main-api` had at these times, in MiB, as a process that was started at the beginning. */
const memory = (samples: Record<number, number>) =>
  Object.entries(samples).map(([minute, megabytes]) => ({
    ...{ at: at(Number(minute) * 60), service: 'main-api', startedAt: begunAt / 1_000 },
    bytes: megabytes * 2 ** 20,
  }));

const calm: Soaked = {
  ...{ seed: 1, begunAt, minutes: 20, most: 200, rate: 100, created: 3, acknowledged: 9, wrong: [] },
  faults: [{ name: 'NATS is killed', from: at(60), to: at(70) }],
  asked: [asked(10), asked(90)],
  memory: memory({ 6: 200, 16: 210 }),
};

test('requests that fail while something is away are counted, and all others are wrong', () => {
  expect(judge({ ...calm, asked: [asked(59.5, '503'), asked(69, 'ECONNRESET'), asked(65, '500')] })).toEqual(
    [],
  );
  expect(judge({ ...calm, asked: [asked(58, '503'), asked(71, '503'), asked(90)] })).toEqual([
    '2 requests failed outside of all faults, tenant: 503',
  ]);
});

test('memory that grows beyond what comes and goes is wrong, once the time is long enough to say', () => {
  expect(judge(calm)).toEqual([]);
  const grown = { ...calm, memory: memory({ 6: 200, 16: 300 }) };
  expect(judge(grown)).toEqual(['main-api has grown from 200 MiB to 300 MiB']);
  expect(judge({ ...grown, minutes: 5 })).toEqual([]);
  // a process that was just started has not yet what it needs
  const young = grown.memory.map((sample) => ({ ...sample, startedAt: sample.at / 1_000 - 30 }));
  expect(judge({ ...grown, memory: young })).toEqual([]);
});

test('the report tells each fault, how long it lasted and what it cost', () => {
  const report = reportOf({ ...calm, asked: [asked(10), asked(65, '503')] });
  expect(report).toContain('**Nothing was wrong.**');
  expect(report).toContain('| 1:00 | NATS is killed | 10.0 s | 1 of 1 |');
  expect(report).toContain('1 requests, 0 failed');
  expect(reportOf({ ...calm, wrong: ['it is broken'] })).toContain('- it is broken');
});
