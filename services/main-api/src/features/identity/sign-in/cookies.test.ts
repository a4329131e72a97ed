import { cookiesFor } from './cookies.ts';

test('cookies travel by HTTPS only, unless the API is reached by plain HTTP', () => {
  const secure = 'Path=/; HttpOnly; Secure; SameSite=Lax';
  expect(cookiesFor('https://api.sluice.test', 60_000).session('s')).toBe(
    `__Host-sluice_session=s; Max-Age=60; ${secure}`,
  );
  expect(cookiesFor('https://api.sluice.test', 60_000).signIn('s')).toBe(
    `__Host-sluice_sign_in=s; Max-Age=600; ${secure}`,
  );
  const plain = cookiesFor('http://127.0.0.1', 60_000).session('s');
  expect(plain).toMatch(/^sluice_session=s; /);
  expect(plain).not.toContain('Secure');
});

test('an attempt is found under the name that its cookie was set with', () => {
  const sent = { sluice_sign_in: 'plain', '__Host-sluice_sign_in': 'of the host' };
  expect(cookiesFor('https://api.sluice.test', 60_000).signInOf(sent)).toBe('of the host');
  expect(cookiesFor('http://127.0.0.1', 60_000).signInOf(sent)).toBe('plain');
});

test('a cookie that is cleared is over at once', () => {
  expect(cookiesFor('https://api.sluice.test', 60_000).session(null)).toMatch(
    /^__Host-sluice_session=; Max-Age=0; /,
  );
});
