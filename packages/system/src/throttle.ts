import { Transform, type TransformCallback } from 'node:stream';
import type { TokenBucket } from './token-bucket.ts';

/** The largest and the smallest piece that one connection passes on before it is another one's turn. Bytes. */
const pieces = { least: 1_024, most: 64 * 1_024 };
/** so many turns a second, if the pieces allow it: many connections that share a low rate each get on */
const turnsPerSecond = 20;

/** Passes bytes on as the bucket lets them. A faster writer is held back, as by a slow reader; nothing is lost. */
export function throttled(bucket: TokenBucket): Transform {
  const stream = new Transform({
    highWaterMark: pieces.most,
    transform: (chunk: Buffer, _encoding, done) => pass(chunk, done),
  });

  function pass(chunk: Buffer, done: TransformCallback): void {
    const piece = chunk.subarray(0, pieceOf(bucket.rate));
    bucket.take(piece.length, () => {
      // its connection has ended meanwhile
      if (stream.destroyed) return false;
      stream.push(piece);
      if (piece.length === chunk.length) done();
      else pass(chunk.subarray(piece.length), done);
      return true;
    });
  }
  // an error after the connection's end has no listener
  return stream.on('error', () => undefined);
}

function pieceOf(rate: number | null): number {
  if (rate === null) return Infinity;
  return Math.min(Math.max(Math.floor(rate / turnsPerSecond), pieces.least), pieces.most);
}

export { TokenBucket } from './token-bucket.ts';
