import { setTimeout as sleep } from 'node:timers/promises';
import type { DesiredState } from '@sluice/contracts';
import { reasonOf } from '@sluice/system';
import type { Telemetry, TelemetryOptions } from './telemetry.ts';

/** Clients come first: what watches is loaded once they have been let in. */
const afterMilliseconds = 1_000;

/**
 * Watches the node once the supervisor wants that.
 * @returns to be told each state that is applied
 */
export function watchWhenTold(options: TelemetryOptions): (state: DesiredState) => void {
  let latest: DesiredState;
  let starting: Promise<Telemetry | null> | undefined;

  async function start(): Promise<Telemetry | null> {
    await sleep(afterMilliseconds);
    try {
      const { Telemetry } = await import('./telemetry.ts');
      return await Telemetry.start(options, latest);
    } catch (error) {
      options.log.error('nothing can be measured', { reason: reasonOf(error) });
      starting = undefined;
      return null;
    }
  }

  return (state) => {
    latest = state;
    starting ??= start();
    void starting.then((telemetry) => telemetry?.follow(latest));
  };
}
