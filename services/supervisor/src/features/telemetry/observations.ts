import type { Sample } from '@sluice/contracts';
import type { Observation } from './health-alerts.store.ts';
import type { NodeBatch } from './telemetry-intake.store.ts';

/** From which percentage on something is too much, and how many points less are well again. */
export interface Thresholds {
  cpu: number;
  memory: number;
  disk: number;
  points: number;
}

type Reading = { at: string; beyond: boolean; within: boolean; value: number | null };

const measures = ['cpu', 'memory', 'disk'] as const;

/** What batches say of all that alerts are about: the node's measures, and whether programs and connectors run. */
export function observationsOf(batches: readonly NodeBatch[], thresholds: Thresholds): Observation[] {
  return batches.flatMap(({ nodeId, samples }) => {
    const series = new Map<
      string,
      Pick<Observation, 'kind' | 'runtime' | 'instance_id'> & { readings: Reading[] }
    >();
    const read = (kind: Observation['kind'], sample: Sample, reading: Reading) => {
      const { runtime, connector_instance_id } = sample;
      const instance_id = connector_instance_id ?? 0;
      const name = `${kind} ${runtime} ${instance_id}`;
      const known = series.get(name) ?? { kind, runtime, instance_id, readings: [] };
      known.readings.push(reading);
      series.set(name, known);
    };
    for (const sample of samples) {
      const { at, runtime, status, metrics } = sample;
      for (const kind of measures) {
        const value = metrics[`${kind}_percent`];
        if (runtime !== 'node' || value === undefined) continue;
        const limit = thresholds[kind];
        read(kind, sample, { at, value, beyond: value >= limit, within: value <= limit - thresholds.points });
      }
      // that an agent is away shows by its silence alone
      if (!status || runtime === 'agent') continue;
      const away = status === 'failed' || status === 'starting';
      read('unreachable', sample, { at, value: null, beyond: away, within: !away });
    }
    return [...series.values()].map(({ readings, ...what }) => ({
      node_id: nodeId,
      ...what,
      ...runOf(readings),
    }));
  });
}

/** How the readings end. */
function runOf(unordered: readonly Reading[]) {
  const readings = unordered.toSorted((a, b) => new Date(a.at).getTime() - new Date(b.at).getTime());
  const [first, last] = [readings[0], readings.at(-1)];
  const beyond = lastRun(readings, (reading) => reading.beyond);
  const within = lastRun(readings, (reading) => reading.within);
  return {
    first_at: first?.at ?? '',
    last_at: last?.at ?? '',
    value: last?.value ?? null,
    ...{ beyond_from: beyond.from, beyond_anew: beyond.anew },
    ...{ within_from: within.from, within_anew: within.anew },
  };
}

function lastRun(readings: readonly Reading[], holds: (reading: Reading) => boolean) {
  const broken = readings.findLastIndex((reading) => !holds(reading));
  return { from: readings[broken + 1]?.at ?? null, anew: broken >= 0 };
}
