import { returnPath } from './return-path.ts';

const origin = new URL('https://console.example');

test.each(['/', '/deployments/7?tab=logs&level=warn#last', '/streams/a%20b'])(
  '%s is a page to go to',
  (path) => {
    expect(returnPath(path, origin)).toBe(path);
  },
);

test.each([
  ...['https://evil.example', '//evil.example', '/\\evil.example', '\\\\evil.example', '/\t/evil.example'],
  ...[
    'javascript:alert(1)',
    'evil.example',
    '/a\r\nset-cookie: x=1',
    '/.//evil.example',
    '/..//evil.example',
    '',
  ],
  ...['/api/main/account', '/API/main', '/sign-in?source=a', '/sign-in/callback', '/x'.repeat(2_000), '/ü'],
])('%j leads to the start', (path) => {
  expect(returnPath(path, origin)).toBe('/');
});
