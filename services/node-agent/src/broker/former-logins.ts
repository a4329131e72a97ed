import { reasonOf } from '@sluice/system';
import type { Log } from '@sluice/system/log';
import type { DesiredBroker } from '../runtimes/runtime.ts';

/** Logins are looked at again at least this often, in case the clock was set meanwhile. Milliseconds. */
const reviewInterval = 60_000;

interface FormerLoginsOptions {
  /** by the supervisor's clock, in milliseconds since 1970 */
  now: () => number;
  /** has the broker be like this */
  setDesired: (broker: DesiredBroker) => Promise<void>;
  log: Log;
}

/**
 * Keeps the time of logins that were replaced: the broker knows each until its end by the supervisor's clock, whether the supervisor is
 * there then or not.
 * @returns has the broker be as the supervisor says, and resolves like `setDesired`
 */
export function createFormerLogins({ now, setDesired, log }: FormerLoginsOptions) {
  let desired: DesiredBroker | null = null;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;

  async function apply(): Promise<void> {
    if (desired === null) return;
    const instant = now();
    const valid = (desired.former_credentials ?? []).filter(({ valid_to }) => endOf(valid_to) > instant);
    clearTimeout(timer);
    if (valid.length > 0) {
      const next = Math.min(...valid.map(({ valid_to }) => endOf(valid_to))) - instant;
      timer = setTimeout(() => void inTurn().catch(report), Math.min(next, reviewInterval));
    }
    await setDesired({ ...desired, former_credentials: valid });
  }

  /** One after the other, so that none overtakes what was said later; at once where nothing is under way. */
  async function inTurn(): Promise<void> {
    while (running !== null) await running.catch(() => undefined);
    running = apply().finally(() => (running = null));
    await running;
  }

  const report = (error: unknown) =>
    log.error('the end of a login could not be applied', { reason: reasonOf(error) });

  return async (broker: DesiredBroker): Promise<void> => {
    desired = broker;
    await inTurn();
  };
}

/** A time that can't be read has passed. */
const endOf = (text: string) => Date.parse(text) || 0;
