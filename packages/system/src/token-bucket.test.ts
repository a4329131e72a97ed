import { TokenBucket } from './token-bucket.ts';

test('what nobody passes on any more costs those behind it nothing', async () => {
  const bucket = new TokenBucket();
  bucket.rate = 1_000;
  // a connection each, and all have ended: at this rate a quarter of an hour
  for (let i = 0; i < 1_000; i++) bucket.take(1_000, () => false);
  await new Promise<void>((resolve) => {
    bucket.take(1, () => {
      resolve();
      return true;
    });
  });
});
