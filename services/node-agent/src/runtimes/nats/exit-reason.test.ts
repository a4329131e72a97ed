import { exitReason } from './exit-reason.ts';

const fatal = (pid: number, words: string) => `[${pid}] 2030/01/01 00:00:00.000000 [FTL] ${words}`;
const info = (pid: number) => `[${pid}] 2030/01/01 00:00:00.000000 [INF] Starting nats-server`;

test('the last fatal line of the process tells why it ended', () => {
  const lines = [fatal(7, 'first'), fatal(7, 'last'), info(7)];
  expect(exitReason(7, lines)).toBe(fatal(7, 'last'));
});

test('a fatal line of another process does not, nor one that ended without a word', () => {
  expect(exitReason(7, [fatal(77, 'of another'), info(7)])).toBeUndefined();
  expect(exitReason(7, [info(7)])).toBeUndefined();
  expect(exitReason(7, [''])).toBeUndefined();
});

test('what is wrong with the configuration stands last and without a pid', () => {
  const complaint = 'nats-server: /node/broker.conf:1:2: unknown field';
  expect(exitReason(7, [info(6), complaint])).toBe(complaint);
  expect(exitReason(7, [complaint, info(7)])).toBeUndefined();
});
