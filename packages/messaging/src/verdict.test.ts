import { PermanentError, UntrustedKeyError } from './errors.ts';
import { verdictOn } from './verdict.ts';

test('a key that is not trusted can become so for five minutes, and what is proven wrong is so at once', () => {
  const untrusted = new UntrustedKeyError('its signature does not hold');
  const minutes = (count: number) => count * 60_000;
  expect([0, 4.9, 5, 60].map((age) => verdictOn(untrusted, minutes(age)))).toEqual([
    ...['later', 'later', 'poison', 'poison'],
  ]);
  // where nothing can be tried again it is no sender's message
  expect(verdictOn(untrusted)).toBe('poison');
  expect(verdictOn(new PermanentError('it is not signed'), 0)).toBe('poison');
});
