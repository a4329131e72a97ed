import type { DesiredState } from '@sluice/contracts';
import { reasonOf } from '@sluice/system';
import type { Log } from '@sluice/system/log';
import type { DesiredBroker } from '../runtimes/runtime.ts';

/** What ends at a time is looked at again at least this often, in case the clock was set meanwhile. Milliseconds. */
const reviewInterval = 60_000;

interface TimedBrokerOptions {
  /** by the supervisor's clock, in milliseconds since 1970 */
  now: () => number;
  setDesired: (broker: DesiredBroker) => Promise<void>;
  log: Log;
}

/** The supervisor's state of the broker, of which a part holds until a time. */
type TimedBroker = DesiredState['broker'];

/**
 * Keeps the times of logins that were replaced, and of a broker that is stopped for a moment: by the supervisor's clock, whether the
 * supervisor is there then or not.
 * @returns has the broker be as the supervisor says, and resolves like `setDesired`
 */
export function createTimedBroker({ now, setDesired, log }: TimedBrokerOptions) {
  let desired: TimedBroker | null = null;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;

  async function apply(): Promise<void> {
    if (desired === null) return;
    const instant = now();
    const { stopped_until, former_credentials, ...broker } = desired;
    const valid = former_credentials.filter(({ valid_to }) => endOf(valid_to) > instant);
    const ends = valid.map(({ valid_to }) => endOf(valid_to));
    const start = broker.state === 'stopped' && stopped_until !== null ? endOf(stopped_until) : null;
    if (start !== null && start > instant) ends.push(start);
    clearTimeout(timer);
    if (ends.length > 0)
      timer = setTimeout(
        () => void inTurn().catch(report),
        Math.min(Math.min(...ends) - instant, reviewInterval),
      );
    const state = start !== null && start <= instant ? 'running' : broker.state;
    if (state !== broker.state) log.info('the broker has been stopped for as long as was said');
    await setDesired({ ...broker, state, stopped_until, former_credentials: valid });
  }

  /** One after the other, so that no call overtakes a later one. */
  async function inTurn(): Promise<void> {
    while (running !== null) await running.catch(() => undefined);
    running = apply().finally(() => (running = null));
    await running;
  }

  const report = (error: unknown) =>
    log.error('what holds until a time could not be ended', { reason: reasonOf(error) });

  return async (broker: TimedBroker): Promise<void> => {
    desired = broker;
    await inTurn();
  };
}

/** A time that can't be read has passed. */
const endOf = (text: string) => Date.parse(text) || 0;
