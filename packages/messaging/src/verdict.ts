import { z } from 'zod';
import { sqlState } from '@sluice/service';
import { NotUnderstood, PermanentError, RetryLater, UntrustedKeyError } from './errors.ts';

/**
 * What an attempt that failed says of its message: that it is proven wrong itself (`poison`); that something it needs is
 * not ready (`later`); that a newer release may understand it (`not understood`); or nothing, since the failure may
 * be this program's or that of something it stands on.
 */
export type Verdict = 'poison' | 'later' | 'not understood' | 'none';

/**
 * What PostgreSQL says of a value that no column of such a type can hold: too long, out of range, no such time, no such
 * character. The rest of class 22 is about what a statement does with values.
 */
const impossibleValues = ['22001', '22003', '22008', '22021', '22P05'];

/** A new sender may send before all services that take its messages were started with its key. Milliseconds. */
const keyPatience = 5 * 60_000;

/** @param age of the message by the clock of NATS, in milliseconds */
export function verdictOn(error: unknown, age = Infinity): Verdict {
  if (error instanceof UntrustedKeyError && age < keyPatience) return 'later';
  if (error instanceof PermanentError) return 'poison';
  if (error instanceof RetryLater) return 'later';
  // of another shape than this release knows
  if (error instanceof NotUnderstood || error instanceof z.ZodError) return 'not understood';
  return impossibleValues.includes(sqlState(error) ?? '') ? 'poison' : 'none';
}

/** What a failure is, in a word that anybody may read: PostgreSQL's or the system's code, else the kind of error. */
export function kindOf(error: unknown): string {
  const code = sqlState(error);
  if (code !== undefined) return /^[0-9A-Z]{5}$/.test(code) ? `PostgreSQL says ${code}` : code;
  return error instanceof Error ? error.name : 'unknown';
}
