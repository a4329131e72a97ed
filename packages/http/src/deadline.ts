import { NotReady } from '@sluice/service';

/** Waits for `work`, but not for longer than some seconds. @throws NotReady when there is no answer by then */
export async function withinSeconds<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new NotReady(`no answer within ${seconds} s`)), seconds * 1000);
  try {
    return await Promise.race([promise, work()]);
  } finally {
    clearTimeout(timer);
  }
}
