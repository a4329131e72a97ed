import type { SeenSeries } from '../seen-node.ts';
import { duration } from '../region-checks.ts';
import { roundedUp, written, type Unit } from './figures.ts';
import { html, type Html } from './html.ts';

interface Chart {
  title: string;
  unit: Unit;
  runtime: SeenSeries['runtime'];
  /** by metric, the name of its line where the chart has several; what grows for ever is shown as what it grows by in a second */
  metrics: Readonly<Record<string, string>>;
}

export const charts: readonly Chart[] = [
  { title: 'Processors', unit: 'percent', runtime: 'node', metrics: { cpu_percent: '' } },
  { title: 'Memory', unit: 'percent', runtime: 'node', metrics: { memory_percent: '' } },
  { title: 'Volume', unit: 'percent', runtime: 'node', metrics: { disk_percent: '' } },
  {
    ...{ title: 'Network', unit: 'bytes per second', runtime: 'node' },
    metrics: { network_received_bytes_total: 'received', network_sent_bytes_total: 'sent' },
  },
  { title: 'Connections to the broker', unit: 'count', runtime: 'broker', metrics: { connections: '' } },
  {
    ...{ title: 'Messages', unit: 'count per second', runtime: 'broker' },
    metrics: { messages_received_total: 'received', messages_sent_total: 'sent' },
  },
  { title: 'Stored by the broker', unit: 'bytes', runtime: 'broker', metrics: { stored_bytes: '' } },
  { title: 'Memory of the broker', unit: 'bytes', runtime: 'broker', metrics: { memory_bytes: '' } },
];

const size = { width: 320, height: 136, left: 4, right: 4, top: 16, bottom: 20 };
const day = 86_400;
/** what is further apart is not joined: what was in between is not known */
const widestGap = 900;

/** The figures of the last day, a chart each, as far as there are any. */
export function chartsOf(series: readonly SeenSeries[]): Html[] {
  const longest = Math.max(0, ...series.flatMap(({ points }) => points.map(([before]) => before)));
  // what there is of a node that is new fills the chart as well
  const span = [600, 3_600, 21_600].find((seconds) => longest <= seconds) ?? day;
  return charts.flatMap((chart, index) => {
    const found = Object.entries(chart.metrics).map(([metric, name]) => ({
      name,
      points: series.find((one) => one.runtime === chart.runtime && one.metric === metric)?.points ?? [],
    }));
    return found.every(({ points }) => points.length === 0) ? [] : [drawn(chart, found, span, index)];
  });
}

type Points = SeenSeries['points'];
interface Line {
  name: string;
  points: Points;
}

function drawn({ title, unit }: Chart, lines: readonly Line[], span: number, index: number): Html {
  const greatest = Math.max(...lines.flatMap(({ points }) => points.map(([, value]) => value)));
  const top = roundedUp(greatest, unit);
  const write = written[unit];
  const said = lines.map(({ name, points }) => {
    const latest = points.at(-1)?.[1];
    const most = Math.max(...points.map(([, value]) => value));
    return latest === undefined ? '' : `${name ? `${name} ` : ''}${write(latest)}, at most ${write(most)}`;
  });
  const label = `chart-${index}`;
  return html`<figure>
    <figcaption>
      <strong>${title}</strong>
      ${said.map((text, line) => text && html`<span class="line-${line}">${text}</span>`)}
    </figcaption>
    <svg viewBox="0 0 ${size.width} ${size.height}" role="img" aria-labelledby="${label}">
      <title id="${label}">
        ${title} over the last ${duration(span)}: ${said.filter(Boolean).join('; ')}.
      </title>
      ${[0, 0.5, 1].map((share) => gridLine(share, write(top * share)))}
      ${lines.map(({ points }, line) => curves(points, top, span, line))}
      <text x="${size.left}" y="${size.height - 5}">${duration(span)} ago</text>
      <text x="${size.width - size.right}" y="${size.height - 5}" text-anchor="end">now</text>
    </svg>
  </figure>`;
}

const heightOf = (share: number) =>
  size.height - size.bottom - share * (size.height - size.top - size.bottom);

function gridLine(share: number, label: string): Html {
  const y = heightOf(share);
  return html`<line class="grid" x1="${size.left}" x2="${size.width - size.right}" y1="${y}" y2="${y}" />
    ${share > 0 && html`<text x="${size.left}" y="${y - 3}">${label}</text>`}`;
}

function curves(points: Points, top: number, span: number, line: number): Html[] {
  const width = size.width - size.left - size.right;
  const place = ([before, value]: Points[number]) => ({
    x: Number((size.left + width * Math.max(0, 1 - before / span)).toFixed(1)),
    y: Number(heightOf(Math.min(1, value / top)).toFixed(1)),
  });
  return unbroken(points.filter(([before]) => before <= span)).map((run) => {
    const places = run.map(place);
    const [first, last] = [places[0], places.at(-1)];
    if (!first || !last) return html``;
    if (places.length === 1)
      return html`<circle class="dot-${line}" cx="${first.x}" cy="${first.y}" r="2" />`;
    const path = places.map(({ x, y }, position) => `${position === 0 ? 'M' : 'L'}${x} ${y}`).join('');
    const ground = heightOf(0);
    return html`${
        line === 0 && html`<path class="area" d="${path}L${last.x} ${ground}L${first.x} ${ground}Z" />`
      }<path class="curve-${line}" d="${path}" />`;
  });
}

/** Parts of a curve between which nothing was measured. */
function unbroken(points: Points): Points[] {
  const runs: Points[] = [];
  let former = Infinity;
  for (const point of points) {
    if (former - point[0] > widestGap || runs.length === 0) runs.push([]);
    runs.at(-1)?.push(point);
    former = point[0];
  }
  return runs;
}
