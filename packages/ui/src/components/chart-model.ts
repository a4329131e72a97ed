export interface Series {
  name: string;
  values: readonly (number | null)[];
}

/** Something that happened, such as an upgrade: a mark in the chart. */
export interface ChartEvent {
  at: string;
  title: string;
}

export interface ChartProps {
  title: string;
  /** seconds since 1970, ascending */
  times: readonly number[];
  series: readonly Series[];
  /** what the chart spans, also where nothing was measured; by default what was measured */
  span?: { from: string; to: string };
  events?: readonly ChartEvent[];
  /** marks only, where the page lists the events once for several charts */
  hidesEventList?: boolean;
  format: (value: number) => string;
}

const colours = ['--series-1', '--series-2', '--series-3', '--series-4', '--series-5'];
export const colourOf = (index: number): string => colours[index % colours.length] ?? '--series-1';
