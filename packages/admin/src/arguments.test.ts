import { runAdmin } from './run.ts';

test.each([
  [[], 'sluice-admin: looks after'],
  [['nonsense'], "There is no 'nonsense'."],
  [['dead-letters', 'burn'], "'dead-letters' has list, show, redrive, drop, and no 'burn'."],
  [['dead-letters', 'show'], 'Say which: one number.'],
  [['dead-letters', 'show', '1', '2'], 'Say which: one number.'],
  [['dead-letters', 'drop'], 'Say which: 1 to 100 numbers.'],
  [['dead-letters', 'drop', '-1'], /'-1'/],
  [['dead-letters', 'redrive', 'x'], "What is named is a whole number, and not 'x'."],
  [['dead-letters', 'redrive', '9'.repeat(16)], 'whole number'],
  [['dead-letters', 'list', '--limit', '501'], '--limit is a number from 1 to 500.'],
  [['dead-letters', 'list', '--consumer', 'a.>'], "A consumer's name has letters"],
  [['dead-letters', 'drop', '1', '--after', '3'], "belong to 'list'"],
  [['restore', 'apply'], 'Say which: 1 to 100 numbers.'],
  [['restore', 'apply', '1', '--all'], '--all stands alone'],
  [['outbox', 'drop', '--all'], '--all stands alone'],
  [['restore', 'review', '1'], "'review' takes no '1'."],
  [['restore', 'review', '--consumer', 'x'], "belongs to 'dead-letters list'"],
  [['restore', 'reject', '1', '--limit', '3'], "belong to 'list'"],
  [['consumers', 'put-aside', 'one'], 'Say which: one number.'],
  [['consumers', 'put-aside', 'one.two', '1'], "A consumer's name has letters"],
])('%j is refused', async (args, message) => {
  await expect(runAdmin(args, {})).rejects.toThrow(message);
});

test('settings that are missing are named', async () => {
  await expect(runAdmin(['dead-letters', 'list'], {})).rejects.toThrow('NATS_URL: is missing');
  await expect(runAdmin(['outbox', 'list'], {})).rejects.toThrow('DATABASE_URL: is missing');
});
