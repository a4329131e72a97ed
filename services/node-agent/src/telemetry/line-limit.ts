import type { LogLine } from '@sluice/contracts';

/** lines of each program that go out per second in the long run, and at once */
const perSecond = 10;
const burst = 1_000;

interface Bucket {
  lines: number;
  filledAt: number;
  leftOut: number;
}

/** Lets through as many lines of each program as a person could read, and counts the others. */
export class LineLimit {
  readonly #buckets = new Map<string, Bucket>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  pass(lines: readonly LogLine[]): LogLine[] {
    return lines.filter(({ runtime }) => {
      const bucket = this.#bucketOf(runtime);
      if (bucket.lines < 1) {
        bucket.leftOut++;
        return false;
      }
      bucket.lines--;
      return true;
    });
  }

  /** A line for each program of which lines were left out since the last call. */
  leftOut(at: string): LogLine[] {
    return [...this.#buckets].flatMap(([runtime, bucket]) => {
      const { leftOut } = bucket;
      if (leftOut === 0) return [];
      bucket.leftOut = 0;
      const message = `${leftOut} lines were left out: more came than ${perSecond} in a second`;
      return [{ at, runtime: runtime as LogLine['runtime'], level: 'warn' as const, message }];
    });
  }

  #bucketOf(runtime: string): Bucket {
    const now = this.#now();
    const bucket = this.#buckets.get(runtime) ?? { lines: burst, filledAt: now, leftOut: 0 };
    this.#buckets.set(runtime, bucket);
    bucket.lines = Math.min(burst, bucket.lines + ((now - bucket.filledAt) / 1_000) * perSecond);
    bucket.filledAt = now;
    return bucket;
  }
}
