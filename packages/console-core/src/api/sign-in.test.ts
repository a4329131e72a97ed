import { isInvited, safePath, signInAddress, signInFailure } from './sign-in.ts';

test.each([
  ['/t/3/deployments?q=a#b', '/t/3/deployments?q=a#b'],
  ['//evil.example/x', '/'],
  ['/\\evil.example', '/'],
  ['https://evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['/\t/evil.example', '/'],
  [undefined, '/'],
])('after the sign-in %s leads to %s', (path, expected) => expect(safePath(path)).toBe(expected));

test('the server gets source and path', () => {
  expect(signInAddress('my id', '/t/3?a=b')).toBe('/sign-in?source=my+id&return_to=%2Ft%2F3%3Fa%3Db');
});

test('who comes by an invitation founds nothing', () => {
  expect(['/account/invitations', '/', '/t/3'].map(isInvited)).toEqual([true, false, false]);
});

test('a code that is not known is shown as it is', () => {
  expect(signInFailure('sign_in_failed')).toMatch(/did not confirm/);
  expect(signInFailure('unheard_of')).toBe('The sign-in did not work (unheard_of).');
});
