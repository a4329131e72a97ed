import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { usePreferences } from '../lib/use-preferences.ts';
import { colourOf, type ChartProps } from './chart-model.ts';
import styles from './chart.module.css';

/** Draws a chart with uPlot. Only `Chart` loads it. */
export default function Plot({ times, series, span, events = [], format }: ChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const { theme, zone } = usePreferences();
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const style = getComputedStyle(element);
    const colour = (name: string) => resolved(element, style.getPropertyValue(name));
    const [muted, line, warn] = [colour('--text-muted'), colour('--border'), colour('--warn')];
    const axis = {
      stroke: muted,
      font: `11px ${style.fontFamily}`,
      grid: { stroke: line, width: 1 },
      ticks: { show: false },
    };
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height: element.clientHeight,
        tzDate: (seconds) =>
          zone === 'utc' ? uPlot.tzDate(new Date(seconds * 1000), 'UTC') : new Date(seconds * 1000),
        legend: { show: false },
        cursor: { points: { size: 6 }, y: false },
        scales: {
          ...(span && { x: { range: (): [number, number] => [secondsOf(span.from), secondsOf(span.to)] } }),
          // from zero, so that a small change does not look like a great one
          y: { range: (_plot, least, most) => yRange(least, most) },
        },
        axes: [
          { ...axis, grid: { show: false }, values: timeLabels(zone) },
          { ...axis, size: 64, values: (_plot, values) => values.map(format) },
        ],
        series: [
          {},
          ...series.map(({ name }, index) => ({
            label: name,
            stroke: colour(colourOf(index)),
            width: 1.5,
            // a line needs two of them
            points: { show: times.length < 2, size: 6 },
          })),
        ],
        hooks: {
          draw: [
            (drawn) =>
              drawEvents(
                drawn,
                events.map(({ at }) => secondsOf(at)),
                warn,
              ),
          ],
        },
      },
      [[...times], ...series.map(({ values }) => [...values])],
      element,
    );
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [times, series, span, events, format, theme, zone]);
  return <div ref={frame} className={styles.plot} aria-hidden />;
}

/** What the axis of values spans. uPlot says Infinity or nothing where there is no value. */
function yRange(least: number, most: number): uPlot.Range.MinMax {
  if (!Number.isFinite(least) || !Number.isFinite(most)) return [0, 1];
  return uPlot.rangeNum(Math.min(least, 0), Math.max(most, 0), 0.1, true);
}

const secondsOf = (at: string): number => Date.parse(at) / 1000;

/** Labels of the axis of time: hours within a day or two, days beyond. */
function timeLabels(zone: string): (plot: uPlot, splits: number[]) => string[] {
  const timeZone = zone === 'utc' ? { timeZone: 'UTC' } : {};
  const hours = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', ...timeZone });
  const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...timeZone });
  return (_plot, splits) => {
    const isShort = (splits.at(-1) ?? 0) - (splits[0] ?? 0) <= 2 * 86_400;
    return splits.map((seconds) => (isShort ? hours : days).format(seconds * 1000));
  };
}

/** The colour of a token in the theme that is on: a canvas knows no `light-dark()`. */
function resolved(element: HTMLElement, value: string): string {
  element.style.color = value;
  const colour = getComputedStyle(element).color;
  element.style.color = '';
  return colour;
}

function drawEvents(plot: uPlot, times: readonly number[], colour: string): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.setLineDash([4, 3]);
  for (const time of times) {
    const x = plot.valToPos(time, 'x', true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}
