import { networkOf } from '@sluice/system';
import type { Request, Response } from 'express';
import { TokenBucket } from 'limiter';
import type { GrantCache } from '@sluice/grants';
import { problem } from '@sluice/service';
import { leastRecentlyUsed } from '@sluice/system/least-recently-used';
import type { Declaration } from './openapi/permission.ts';
import { knownCaller } from './known-caller.ts';

export interface RateLimit {
  /** requests per second in the long run */
  perSecond: number;
  /** requests at once after a quiet time */
  burst: number;
}

/** as many buckets as are kept; one that was evicted is full again */
const mostBuckets = 100_000;

/** One token bucket for each name. */
export class RateLimits {
  readonly #limit: RateLimit;
  readonly #buckets = leastRecentlyUsed<string, TokenBucket>(mostBuckets);

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /**
   * Takes a token, or so many, from the bucket of `name`, and tells by the `RateLimit-*` headers how it is.
   * @throws Problem `rate_limited` when there are fewer
   */
  take(name: string, response?: Response, tokens = 1): void {
    const bucket = this.#bucketOf(name);
    const taken = bucket.tryRemoveTokens(tokens);
    response?.setHeader('ratelimit-limit', this.#limit.burst);
    response?.setHeader('ratelimit-remaining', Math.floor(bucket.content));
    response?.setHeader('ratelimit-reset', this.#secondsUntil(this.#limit.burst, bucket));
    if (!taken) throw this.#refusal(bucket, tokens);
  }

  /** Takes nothing. @throws Problem `rate_limited` when the bucket of `name` is empty */
  check(name: string): void {
    const bucket = this.#bucketOf(name);
    // brings its content up to now
    bucket.tryRemoveTokens(0);
    if (bucket.content < 1) throw this.#refusal(bucket);
  }

  /** Takes a token if there is one. */
  note(name: string): void {
    this.#bucketOf(name).tryRemoveTokens(1);
  }

  #bucketOf(name: string): TokenBucket {
    const known = this.#buckets.get(name);
    if (known) return known;
    const { perSecond, burst } = this.#limit;
    const bucket = new TokenBucket({ bucketSize: burst, tokensPerInterval: perSecond, interval: 'second' });
    bucket.content = burst;
    this.#buckets.set(name, bucket);
    return bucket;
  }

  #refusal(bucket: TokenBucket, tokens = 1) {
    const seconds = Math.max(1, this.#secondsUntil(tokens, bucket));
    return problem('rate_limited', { headers: { 'retry-after': String(seconds) } });
  }

  #secondsUntil(tokens: number, bucket: TokenBucket): number {
    return Math.max(0, Math.ceil((tokens - bucket.content) / this.#limit.perSecond));
  }
}

/** Where a request comes from, as limits count it: the network of the client, or of the last proxy that is not trusted. */
export function sourceOf(request: Request): string {
  return networkOf(request.ip) ?? 'nowhere';
}

/** Counts a request, before anything is done for it. @throws Problem `rate_limited` */
export type RequestLimiter = (
  request: Request,
  response: Response,
  /** of the operation that is asked for; undefined for what is none */
  declaration?: Declaration,
) => Promise<void> | void;

export interface RequestLimits {
  grants: Pick<GrantCache, 'leased' | 'find'>;
  /** of one API key, or one session */
  caller: RateLimit;
  /** of all without either that come from one place */
  address: RateLimit;
}

/**
 * Limits each API key and each session, and by address who has neither: those who call what is open to all, and apart from
 * them those who will be refused, so that one cannot be shut out by the other. Per instance.
 */
export function requestLimiter({ grants, caller, address }: RequestLimits): RequestLimiter {
  const callers = new RateLimits(caller);
  const guests = new RateLimits(address);
  const strangers = new RateLimits(address);
  return async (request, response, declaration) => {
    // no caller is known, and all get the same short answer
    if (!grants.leased && declaration && declaration.kind !== 'public') return;
    const name = grants.leased ? await knownCaller(request, grants) : undefined;
    if (name !== undefined) callers.take(name, response);
    else if (declaration?.kind === 'public') guests.take(sourceOf(request), response);
    else strangers.take(sourceOf(request), response);
  };
}
