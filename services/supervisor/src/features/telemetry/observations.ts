import type { NodeId, Sample } from '@sluice/contracts';
import type { Observation } from './health-alerts.store.ts';
import type { NodeBatch } from './telemetry-intake.store.ts';

/** From which percentage on something is too much, and how many points less are well again. */
export interface Thresholds {
  cpu: number;
  memory: number;
  disk: number;
  points: number;
}

interface Reading extends Pick<Observation, 'kind' | 'runtime' | 'instance_id' | 'value'> {
  at: string;
  beyond: boolean;
  within: boolean;
}

const measures = ['cpu', 'memory', 'disk'] as const;

/** What batches say of all that alerts are about: the node's measures, and whether programs and connectors run. */
export function observationsOf(batches: readonly NodeBatch[], thresholds: Thresholds): Observation[] {
  return batches.flatMap(({ nodeId, samples }) => {
    const readings = samples
      .flatMap((sample) => readingsOf(sample, thresholds))
      .sort((one, other) => new Date(one.at).getTime() - new Date(other.at).getTime());
    const series = Map.groupBy(readings, (of) => `${of.kind} ${of.runtime} ${of.instance_id}`);
    return [...series.values()].flatMap((of) => observationOf(nodeId, of) ?? []);
  });
}

function readingsOf(sample: Sample, thresholds: Thresholds): Reading[] {
  const { at, runtime, status, metrics, connector_instance_id } = sample;
  const of = { at, runtime, instance_id: connector_instance_id ?? 0 };
  const measured = measures.flatMap((kind) => {
    const value = metrics[`${kind}_percent`];
    if (runtime !== 'node' || value === undefined) return [];
    const limit = thresholds[kind];
    return [{ ...of, kind, value, beyond: value >= limit, within: value <= limit - thresholds.points }];
  });
  // that an agent is away shows by its silence alone
  if (!status || runtime === 'agent') return measured;
  const away = status === 'failed' || status === 'starting';
  return [...measured, { ...of, kind: 'unreachable', value: null, beyond: away, within: !away }];
}

/** How readings of one thing end, in the order of time. */
function observationOf(node_id: NodeId, readings: readonly Reading[]): Observation | undefined {
  const [first, last] = [readings[0], readings.at(-1)];
  if (!first || !last) return undefined;
  const { kind, runtime, instance_id, value } = last;
  const beyond = lastRun(readings, (reading) => reading.beyond);
  const within = lastRun(readings, (reading) => reading.within);
  return {
    ...{ node_id, kind, runtime, instance_id, value, first_at: first.at, last_at: last.at },
    ...{ beyond_from: beyond.from, beyond_anew: beyond.anew },
    ...{ within_from: within.from, within_anew: within.anew },
  };
}

function lastRun(readings: readonly Reading[], holds: (reading: Reading) => boolean) {
  const broken = readings.findLastIndex((reading) => !holds(reading));
  return { from: readings[broken + 1]?.at ?? null, anew: broken >= 0 };
}
