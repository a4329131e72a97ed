import { safePath, signInAddress } from './sign-in.ts';

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
  expect(signInAddress('my id', '/t/3?a=b')).toBe('/sign-in/start?source=my+id&return_to=%2Ft%2F3%3Fa%3Db');
});
