import type { LiveDeployment, TenantDeployment } from '@sluice/client';
import stringWidth from 'string-width';
import { cut } from '@sluice/terminal/table';
import { visible } from '@sluice/terminal/escape';
import { amount, type Series } from '../metrics/series.ts';

/** A deployment as it is shown. */
export interface Row {
  deployment: TenantDeployment;
  place: string;
  /** undefined until its region has answered */
  live: LiveDeployment | undefined;
  series: readonly Series[];
}

interface Column {
  header: string;
  width: number;
  /** shown from this width of the terminal on */
  from: number;
  right?: boolean;
  text: (row: Row) => string;
  /** the order when sorted by it */
  compare: (one: Row, other: Row) => number;
}

const metricOf = (row: Row, metric: string): number | undefined => {
  const found = row.series.filter((one) => one.metric === metric);
  return found.length === 0 ? undefined : found.reduce((sum, { last }) => sum + last, 0);
};

const byText =
  (of: (row: Row) => string): Column['compare'] =>
  (one, other) =>
    of(one).localeCompare(of(other));

const measured = (header: string, metric: string, from: number, width = 8): Column => ({
  ...{ header, width, from, right: true },
  text: (row) => {
    const value = metricOf(row, metric);
    return value === undefined ? '-' : amount(metric, value);
  },
  // the greatest first
  compare: (one, other) => (metricOf(other, metric) ?? -1) - (metricOf(one, metric) ?? -1),
});

const healthy = ({ live }: Row) => live?.nodes.filter(({ status }) => status === 'healthy').length;
/** The share of nodes that are well; what is not known comes after what is not well. */
const health = (row: Row) => {
  const count = healthy(row);
  return count === undefined ? 1 : count / Math.max(1, row.live?.nodes.length ?? 1) - 1;
};
export const statusOf = ({ live, deployment }: Row): string => live?.status ?? deployment.status;
const reasonOf = ({ live, deployment }: Row) => live?.status_reason ?? deployment.status_reason ?? '';

/** The first column takes what the others leave. */
const columns: readonly Column[] = [
  { header: 'PLACE', width: 0, from: 0, text: ({ place }) => place, compare: byText(({ place }) => place) },
  { header: 'STATUS', width: 15, from: 0, text: statusOf, compare: byText(statusOf) },
  {
    ...{ header: 'NODES', width: 5, from: 60, right: true },
    text: (row) => `${healthy(row) ?? '?'}/${row.live?.nodes.length ?? row.deployment.nodes_count}`,
    compare: (one, other) => health(one) - health(other),
  },
  measured('IN', 'broker.messages_received_per_second', 70),
  measured('OUT', 'broker.messages_sent_per_second', 70),
  measured('CLIENTS', 'broker.connections', 100, 7),
  measured('MESSAGES', 'broker.messages_stored', 110),
  measured('STORED', 'broker.stored_bytes', 110),
  measured('CPU', 'broker.cpu_percent', 120),
  measured('MEMORY', 'broker.memory_bytes', 130),
  {
    ...{ header: 'REGION', width: 20, from: 150 },
    text: ({ deployment: { cloud, region } }) => `${cloud} ${region}`,
    compare: byText(({ deployment: { cloud, region } }) => `${cloud} ${region}`),
  },
  { header: 'REASON', width: 40, from: 180, text: reasonOf, compare: byText(reasonOf) },
];

const gap = 2;

export interface Layout {
  columns: readonly Column[];
  /** of each, in cells of the terminal */
  widths: readonly number[];
}

/** The columns that fit a terminal, and how wide they are. */
export function layoutFor(width: number): Layout {
  const fitting = columns.filter(({ from }) => from <= width);
  const others = fitting.slice(1).reduce((sum, column) => sum + column.width + gap, 0);
  return {
    columns: fitting,
    widths: fitting.map((column, at) => (at === 0 ? width - others : column.width)),
  };
}

export const headersOf = ({ columns: shown, widths }: Layout, sortedBy: number): string =>
  lineOf(
    shown.map(({ header, right = false }, at) => ({ text: at === sortedBy ? `${header}*` : header, right })),
    widths,
  );

export const rowLine = (row: Row, { columns: shown, widths }: Layout): string =>
  lineOf(
    shown.map(({ text, right = false }) => ({ text: text(row), right })),
    widths,
  );

function lineOf(cells: readonly { text: string; right: boolean }[], widths: readonly number[]): string {
  return cells
    .map(({ text, right }, at) => {
      const width = Math.max(0, widths[at] ?? 0);
      const shown = cut(visible(text), width);
      const blank = ' '.repeat(Math.max(0, width - stringWidth(shown)));
      return right ? blank + shown : shown + blank;
    })
    .join(' '.repeat(gap));
}

/** The rows that have the filter in one of their texts, sorted by a column of the layout, and by place where that is equal. */
export function arranged(
  rows: readonly Row[],
  { filter, sortedBy, layout }: { filter: string; sortedBy: number; layout: Layout },
): Row[] {
  const sought = filter.toLowerCase();
  const texts = (row: Row) => [
    row.place,
    statusOf(row),
    row.deployment.tier,
    row.deployment.cloud,
    row.deployment.region,
    reasonOf(row),
  ];
  const column = layout.columns[sortedBy];
  return rows
    .filter((row) => texts(row).some((text) => text.toLowerCase().includes(sought)))
    .sort((one, other) => column?.compare(one, other) || one.place.localeCompare(other.place));
}

/** What there is to say of the selected deployment, a line each: its reason, the conditions that do not hold, its nodes. */
export function detailsOf(row: Row, width: number): string[] {
  const { live } = row;
  const reason = reasonOf(row);
  const lines = [
    ...(reason === '' ? [] : [reason]),
    ...(live?.conditions ?? [])
      .filter(({ type, status, message }) => type !== 'Ready' && status !== 'True' && message !== '')
      .map(({ type, message }) => `${type}: ${message}`),
    ...(live?.nodes ?? []).map(({ name, status, leader, runtimes }) => {
      const programs = runtimes.map(({ runtime, status: is }) => `${runtime} ${is}`).join(', ');
      return `${name}: ${status}${leader ? ', leads' : ''}${programs === '' ? '' : ` (${programs})`}`;
    }),
  ];
  return lines.map((line) => cut(visible(line), width));
}
