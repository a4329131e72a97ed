import type { Request, Response } from 'express';
import { TokenBucket } from 'limiter';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../grants/caller.ts';
import { problem } from '../problem.ts';

export interface RateLimit {
  /** requests per second in the long run */
  perSecond: number;
  /** requests at once after a quiet time */
  burst: number;
}

/** Takes one token from the caller's bucket. @throws Problem `rate_limited` when it is empty */
export type RateLimiter = (caller: Caller, request: Request, response: Response) => void;

/** as many buckets as are kept; a key whose bucket was evicted begins with a full one */
const maxBuckets = 100_000;

/**
 * Limits each API key, each session, and who has neither by address: a token bucket each, per instance. Tells the caller
 * by the `RateLimit-*` headers.
 */
export function rateLimiter({ perSecond, burst }: RateLimit): RateLimiter {
  const buckets = new LRUCache<string, TokenBucket>({ max: maxBuckets });
  return ({ tenantId, apiKey, session }, request, response) => {
    const key = apiKey ? `${tenantId} ${apiKey.id}` : (session?.key ?? `address ${request.ip}`);
    const bucket = buckets.get(key) ?? fullBucket(perSecond, burst);
    buckets.set(key, bucket);
    const taken = bucket.tryRemoveTokens(1);
    const secondsUntil = (tokens: number) => Math.max(0, Math.ceil((tokens - bucket.content) / perSecond));
    response.set({
      'ratelimit-limit': String(burst),
      'ratelimit-remaining': String(Math.floor(bucket.content)),
      'ratelimit-reset': String(secondsUntil(burst)),
    });
    if (!taken)
      throw problem('rate_limited', { headers: { 'retry-after': String(Math.max(1, secondsUntil(1))) } });
  };
}

function fullBucket(perSecond: number, burst: number): TokenBucket {
  const bucket = new TokenBucket({ bucketSize: burst, tokensPerInterval: perSecond, interval: 'second' });
  bucket.content = burst;
  return bucket;
}
