import fc from 'fast-check';
import { isApiToken, newApiToken } from './index.ts';

test('a new token has its form and its checksum, and is never the same twice', () => {
  const tokens = Array.from({ length: 1_000 }, newApiToken);
  for (const token of tokens) {
    expect(token).toMatch(/^svc_[0-9A-Za-z]{49}$/);
    expect(isApiToken(token)).toBe(true);
  }
  expect(new Set(tokens).size).toBe(tokens.length);
});

test('the checksum does not change from one version to the next', () => {
  expect(isApiToken('svc_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg25GAMC')).toBe(true);
});

test('a token with one character mistyped is recognised as none', () => {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  fc.assert(
    fc.property(fc.nat({ max: 48 }), fc.constantFrom(...alphabet), (position, character) => {
      const token = newApiToken();
      const place = 'svc_'.length + position;
      fc.pre(token[place] !== character);
      expect(isApiToken(token.slice(0, place) + character + token.slice(place + 1))).toBe(false);
    }),
  );
});

test('anything else is no token', () => {
  const token = newApiToken();
  for (const text of [
    '',
    'svc_',
    token.slice(4),
    token.toUpperCase(),
    `${token}0`,
    ` ${token}`,
    `${token}\n`,
  ])
    expect(isApiToken(text)).toBe(false);
  fc.assert(fc.property(fc.string(), (text) => !isApiToken(text) && !isApiToken(`svc_${text}`)));
});
