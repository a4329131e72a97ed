import { generateKeyPairSync, hash } from 'node:crypto';
import { batchSigner, batchVerifier, type Word } from './batch-signing.ts';
import { signer, signingKeysSchema, trustedKeysSchema, verifier, type Verify } from './signing.ts';

const jwk = {
  ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }),
  kid: 'main-api:2026',
};
const keys = JSON.stringify({ keys: [jwk] });
const sign = signer(signingKeysSchema.parse(keys));
const verify = verifier(trustedKeysSchema.parse(keys));
const signBatch = batchSigner(sign);
const wordsOf = (count: number): Word[] =>
  Array.from({ length: count }, (_, index) => ({ context: `there.${index % 3}`, payload: `word ${index}` }));

async function signed(words: readonly Word[]): Promise<string[]> {
  return (await signBatch(words)).map((text = '') => text);
}

/** Checks signatures, and counts how often. */
function counting(): { verify: Verify; checked: () => number } {
  let count = 0;
  return {
    verify: (...word) => {
      count += 1;
      return verify(...word);
    },
    checked: () => count,
  };
}

test.each([2, 3, 5, 8, 31, 63, 64, 65, 200])('each of %d words tells who has signed it', async (count) => {
  const { verify: each, checked } = counting();
  const verifyBatch = batchVerifier(each);
  const words = wordsOf(count);
  const signatures = await signed(words);
  const signers = await Promise.all(
    words.map(({ context, payload }, index) => verifyBatch(signatures[index] ?? '', context, payload)),
  );
  expect(signers).toEqual(words.map(() => 'main-api'));
  // however many words come with one at the same time
  expect(checked()).toBe(Math.ceil(count / 64));
  const [last] = words.slice(-1);
  const bytes = new TextEncoder().encode(last?.payload);
  expect(await batchVerifier(verify)(signatures.at(-1) ?? '', last?.context ?? '', bytes)).toBe('main-api');
});

test('a word by itself is signed by itself', async () => {
  expect(await signBatch([])).toEqual([]);
  expect(await signBatch(wordsOf(1))).toEqual([undefined]);
});

test('what was not among the signed words is refused, also under a signature that is known', async () => {
  const known = batchVerifier(verify);
  const words = wordsOf(6);
  const signatures = await signed(words);
  const [first = '', second = ''] = signatures;
  const [other = ''] = await signed(wordsOf(6).map((word) => ({ ...word, context: 'elsewhere' })));
  const [, sides, neighbours] = first.split(' ');
  expect(await known(first, 'there.0', 'word 0')).toBe('main-api');
  for (const [text, context, payload] of [
    [first, 'there.0', 'word'],
    [first, 'there.1', 'word 0'],
    [first, 'there', '0\nword 0'],
    [second, 'there.1', 'word 0'],
    [other, 'there.0', 'word 0'],
    [`${other.split(' ')[0]} ${sides} ${neighbours}`, 'there.0', 'word 0'],
    ['', 'there.0', 'word 0'],
  ] as const)
    for (const verifyBatch of [known, batchVerifier(verify)])
      await expect(verifyBatch(text, context, payload)).rejects.toThrow(/verification|not a signature/);
});

test('a way that does not lead to the root is refused', async () => {
  const [first = '', second = ''] = await signed(wordsOf(6));
  const [signature = '', sides = '', neighbours = ''] = first.split(' ');
  const shortened = Buffer.from(neighbours, 'base64url').subarray(32).toString('base64url');
  for (const text of [
    second,
    `${signature} ${sides.replace('R', 'L')} ${neighbours}`,
    `${signature} ${sides.slice(1)} ${shortened}`,
    `${signature}  `,
    `${signature} R ${neighbours.slice(0, 43)}`,
    signature,
  ])
    await expect(batchVerifier(verify)(text, 'there.0', 'word 0')).rejects.toThrow(
      /verification|not a signature/,
    );
});

test('who says other words under a signature does not keep its own from being believed', async () => {
  const words = wordsOf(64);
  const signatures = await signed(words);
  const { verify: each, checked } = counting();
  const verifyBatch = batchVerifier(each);
  // of a way that goes by a word that was signed
  const [signature = ''] = (signatures[0] ?? '').split(' ');
  const leaf = hash('sha256', '\0there.0\nword 0', 'base64url');
  const lie = verifyBatch(`${signature} R ${leaf}`, 'there.0', 'a lie');
  const all = words.map(({ context, payload }, index) =>
    verifyBatch(signatures[index] ?? '', context, payload),
  );
  await expect(lie).rejects.toThrow(/verification/);
  expect(await Promise.all(all)).toEqual(words.map(() => 'main-api'));
  const before = checked();
  await expect(verifyBatch(`${signature} R ${leaf}`, 'there.0', 'a lie')).rejects.toThrow(/verification/);
  // which is not forgotten for that
  expect(await verifyBatch(signatures[0] ?? '', 'there.0', 'word 0')).toBe('main-api');
  expect(checked()).toBe(before + 1);
});

test('a way that is no way, or has no end, is refused before anything is checked', async () => {
  const { verify: each, checked } = counting();
  const verifyBatch = batchVerifier(each);
  const [first = ''] = await signed(wordsOf(4));
  const [signature = '', sides = '', neighbours = ''] = first.split(' ');
  for (const text of [
    `${signature} ${sides}R ${neighbours}`,
    `${signature} ${sides.toLowerCase()} ${neighbours}`,
    `${signature} ${'R'.repeat(17)} ${'A'.repeat(Math.ceil((17 * 32 * 8) / 6))}`,
    `${signature} ${sides} ${neighbours} more`,
    `${'A'.repeat(5_000)} ${sides} ${neighbours}`,
  ])
    await expect(verifyBatch(text, 'there.0', 'word 0')).rejects.toThrow('is not a signature of a batch');
  expect(checked()).toBe(0);
});

test('the word of a stranger is none, however often it comes', async () => {
  const stranger = {
    ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }),
    kid: 'main-api:2026',
  };
  const signStrangely = batchSigner(signer(signingKeysSchema.parse(JSON.stringify({ keys: [stranger] }))));
  const [text = ''] = await signStrangely(wordsOf(2));
  const { verify: each, checked } = counting();
  const verifyBatch = batchVerifier(each);
  for (const time of [1, 2]) {
    await expect(verifyBatch(text, 'there.0', 'word 0')).rejects.toThrow(/verification/);
    // it is not remembered
    expect(checked()).toBe(time);
  }
});

test('what is signed by itself does not hold as a batch, nor the root of one as a word', async () => {
  const verifyBatch = batchVerifier(verify);
  const words = wordsOf(2);
  const [first = ''] = await signed(words);
  const [signature = '', , neighbours = ''] = first.split(' ');
  await expect(verify(signature, 'there.0', 'word 0')).rejects.toThrow(/verification/);
  const alone = await sign('there.0', 'word 0');
  await expect(verifyBatch(`${alone} R ${neighbours}`, 'there.0', 'word 0')).rejects.toThrow(/verification/);
});
