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

test('under a header that has been seen only what its key has signed holds', async () => {
  const of = (signature: string) => signature.split('..') as [string, string];
  const [head, first] = of(await signing(mainApi)('there', 'word'));
  const [, second] = of(await signing(mainApi)('there', 'other word'));
  const [, strange] = of(await signing(stranger)('there', 'word'));
  const [nextHead, byNext] = of(await signing(next)('there', 'word'));
  const bytes = new TextEncoder().encode('word');
  for (let time = 0; time < 2; time++) {
    expect(await verify(`${head}..${first}`, 'there', 'word')).toBe('main-api');
    expect(await verify(`${nextHead}..${byNext}`, 'there', bytes)).toBe('main-api');
    for (const bad of [second, strange, byNext, '', first.slice(1), `${first}=`, `${first}A`])
      await expect(verify(`${head}..${bad}`, 'there', 'word')).rejects.toThrow(/verification/);
    await expect(verify(`${head}..${first}`, 'here', bytes)).rejects.toThrow(/verification/);
    await expect(verify(`${head}.d29yZA.${first}`, 'there', 'word')).rejects.toThrow(/detached/);
  }
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
