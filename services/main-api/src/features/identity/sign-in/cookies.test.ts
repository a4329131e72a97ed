import { cookiesFor } from './cookies.ts';

test('cookies travel by HTTPS only, unless the API is reached by plain HTTP', () => {
  const secure = 'Path=/; HttpOnly; Secure; SameSite=Lax';
  expect(cookiesFor('https://api.sluice.test', 60_000).session('s')).toBe(
    `sluice_session=s; Max-Age=60; ${secure}`,
  );
  expect(cookiesFor('https://api.sluice.test', 60_000).signIn('s')).toBe(
    `sluice_sign_in=s; Max-Age=600; ${secure}`,
  );
  expect(cookiesFor('http://127.0.0.1', 60_000).session('s')).not.toContain('Secure');
});

test('a cookie that is cleared is over at once', () => {
  expect(cookiesFor('https://api.sluice.test', 60_000).session(null)).toMatch(
    /^sluice_session=; Max-Age=0; /,
  );
});
