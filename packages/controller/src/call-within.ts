import { LeaseLost } from './lease.ts';

/** The call was not answered in time. */
export class CallLate extends Error {}

export interface Limits {
  seconds: number;
  /** aborted when the caller gives up for a reason of its own */
  signal: AbortSignal;
  /** of the error after `seconds` */
  late: string;
}

/**
 * Calls something outside of the process within a deadline. The call gets a signal; one that ignores it is not waited for any longer.
 * @throws CallLate with the message `late` after `seconds`, or the reason of `signal`
 */
export async function callWithin<T>(
  { seconds, signal, late }: Limits,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new CallLate(late)), seconds * 1_000);
  const either = AbortSignal.any([limit.signal, signal]);
  try {
    return await abortable(call(either), either);
  } finally {
    clearTimeout(timer);
  }
}

/** The result of `work`; rejects with the signal's reason as soon as that is aborted, and ignores what `work` comes to then. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () =>
    reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** What a call may rely on while it changes something outside of the database. */
export interface FencedCall {
  /** larger than that of every lease of the item before */
  fence: number;
  signal: AbortSignal;
  /** @throws Error once the call is given up or another replica holds the item: nothing may be changed any more */
  confirm: () => Promise<void>;
}

/** Like `callWithin`, for a call that changes something under a lease. */
export async function callFenced<T>(
  limits: Limits & { fence: number; isHeld: () => Promise<boolean> },
  call: (fenced: FencedCall) => Promise<T>,
): Promise<T> {
  const { fence, isHeld } = limits;
  limits.signal.throwIfAborted();
  return await callWithin(limits, async (signal) => {
    const confirm = async () => {
      signal.throwIfAborted();
      if (!(await isHeld())) throw new LeaseLost();
      signal.throwIfAborted();
    };
    return await call({ fence, signal, confirm });
  });
}
