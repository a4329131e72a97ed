import { setTimeout as sleep } from 'node:timers/promises';
import type { DesiredState } from '@sluice/contracts';
import { reasonOf } from '@sluice/system';
import type { Telemetry, TelemetryOptions } from './telemetry.ts';

/** Clients come first: telemetry is loaded once they have been let in. */
const afterMilliseconds = 1_000;

export function watchOnDemand(
  options: TelemetryOptions,
  begin: (telemetry: Telemetry) => void,
): (state: DesiredState) => void {
  let latest: DesiredState;
  let starting: Promise<Telemetry | null> | undefined;

  async function start(): Promise<Telemetry | null> {
    await sleep(afterMilliseconds);
    try {
      const { Telemetry } = await import('./telemetry.ts');
      const telemetry = await Telemetry.open(options, latest);
      begin(telemetry);
      return telemetry;
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
