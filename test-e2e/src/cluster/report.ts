import { quantile } from '../long-run.ts';

/** Something that was done to a cluster, how long the publisher had to wait at most meanwhile, and until all was well again. */
export interface Disturbance {
  name: string;
  gap: number;
  milliseconds: number;
}

const seconds = (milliseconds: number) => (milliseconds / 1_000).toFixed(2);

/** What a run has come to, as a table for people: of each kind of disturbance how many, and the longest gap of publishing. */
export function reportOf({
  acknowledged,
  lost,
  disturbances,
  ...numbers
}: {
  acknowledged: number;
  lost: number;
  disturbances: readonly Disturbance[];
  /** numbers that the source could read, those that the stream lacks, and those that it has more than once */
  made: number;
  missing: number;
  repeated: number;
}): string {
  const kinds = [...new Set(disturbances.map(({ name }) => name))];
  const lines = kinds.map((kind) => {
    const gaps = disturbances.filter(({ name }) => name === kind).map(({ gap }) => gap);
    return `| ${kind} | ${gaps.length} | ${seconds(quantile(gaps, 0.5))} s | ${seconds(Math.max(...gaps))} s |`;
  });
  return [
    `${acknowledged} messages acknowledged, ${lost} lost`,
    `${numbers.made} numbers for the source, ${numbers.missing} missing, ${numbers.repeated} repeated`,
    '',
    '| what | times | median gap | longest gap |',
    '| --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}
