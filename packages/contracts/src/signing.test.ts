import { generateKeyPairSync } from 'node:crypto';
import { signer, signingKeysSchema, trustedKeysSchema, verifier } from './signing.ts';

function keyOf(kid: string) {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { d, ...publicKey } = { ...privateKey.export({ format: 'jwk' }), kid };
  return { private: { ...publicKey, d }, public: publicKey };
}
const mainApi = keyOf('main-api:2026');
const next = keyOf('main-api:2027');
const region = keyOf('supervisor/cloud_a/us-east-1:1');
const stranger = keyOf('main-api:2026');
const signing = (...keys: { private: object }[]) =>
  signer(signingKeysSchema.parse(JSON.stringify({ keys: keys.map((key) => key.private) })));
const verify = verifier(
  trustedKeysSchema.parse(JSON.stringify({ keys: [mainApi.public, next.public, region.public] })),
);

test('a signature tells whose it is, under each key of a ring', async () => {
  expect(await verify(await signing(mainApi)('there', 'word'), 'there', 'word')).toBe('main-api');
  expect(await verify(await signing(next, mainApi)('there', 'word'), 'there', 'word')).toBe('main-api');
  expect(await verify(await signing(region)('there', 'word'), 'there', 'word')).toBe(
    'supervisor/cloud_a/us-east-1',
  );
});

test.each([
  ['another word', async () => verify(await signing(mainApi)('there', 'word'), 'there', 'words')],
  ['another place', async () => verify(await signing(mainApi)('there', 'word'), 'here', 'word')],
  ['a stranger under a known name', async () => verify(await signing(stranger)('a', 'b'), 'a', 'b')],
  ['an unknown key', async () => verify(await signing(keyOf('audit:1'))('a', 'b'), 'a', 'b')],
  ['nothing', async () => verify('', 'a', 'b')],
  ['no algorithm', async () => verify(`${btoa('{"alg":"none","kid":"main-api:2026"}')}..`, 'a', 'b')],
])('what is signed by or for %s is refused', async (_name, attempt) => {
  await expect(attempt()).rejects.toThrow();
});

test.each([
  '',
  '{',
  '{"keys":[]}',
  '{"keys":[{"kty":"RSA","kid":"a:b"}]}',
  JSON.stringify({ keys: [{ ...mainApi.public, kid: 'unnamed' }] }),
])('a key set that cannot be used is refused: %s', (text) => {
  expect(trustedKeysSchema.safeParse(text).success).toBe(false);
  expect(signingKeysSchema.safeParse(text).success).toBe(false);
});
