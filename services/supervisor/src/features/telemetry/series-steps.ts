import type { Range } from './telemetry-range.ts';

/** Of what a series is made: each sample, or what is summed up for five minutes or an hour. */
export type SeriesSource = 'telemetry_samples' | 'telemetry_minutes' | 'telemetry_hours';

export interface SeriesSteps {
  source: SeriesSource;
  stepSeconds: number;
  /** when each step begins, oldest first */
  times: Date[];
}

const hour = 3_600_000;
const day = 24 * hour;
/** each divides the longer ones, and those from 300 on are whole entries of what is summed up; the last covers the longest retention */
const lengths = [
  ...[15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200],
  ...[86_400, 172_800, 604_800, 2_592_000, 7_776_000],
];

/**
 * Divides a range into at most so many steps.
 * @param sampleDays for how many days each sample is kept
 */
export function stepsOf({ from, to }: Range, points: number, now: Date, sampleDays: number): SeriesSteps {
  const length = to.getTime() - from.getTime();
  const isSampled = length <= 6 * hour + 1 && now.getTime() - from.getTime() < (sampleDays - 1) * day;
  const isShort = length <= 3 * day + 1;
  const source = isSampled ? 'telemetry_samples' : isShort ? 'telemetry_minutes' : 'telemetry_hours';
  const least = { telemetry_samples: 15, telemetry_minutes: 300, telemetry_hours: 3_600 }[source];
  return { source, ...stepsFrom({ from, to }, points, least) };
}

/** Divides a range into at most so many steps of `least` seconds or of a longer length that these divide. */
export function stepsFrom({ from, to }: Range, points: number, least: number): Omit<SeriesSteps, 'source'> {
  const possible = lengths.filter((seconds) => seconds >= least);
  const fitting = possible.find((seconds) => beginsOf({ from, to }, seconds).count <= points);
  const stepSeconds = fitting ?? possible.at(-1)!;
  const { first, count } = beginsOf({ from, to }, stepSeconds);
  const times = Array.from({ length: count }, (_, step) => new Date((first + step) * stepSeconds * 1_000));
  return { stepSeconds, times };
}

/** The number of the first step since 1970, and how many there are. */
function beginsOf({ from, to }: Range, stepSeconds: number): { first: number; count: number } {
  const first = Math.floor(from.getTime() / 1_000 / stepSeconds);
  return { first, count: Math.max(0, Math.ceil(to.getTime() / 1_000 / stepSeconds) - first) };
}
