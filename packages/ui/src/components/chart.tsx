import { lazy, Suspense, useState } from 'react';
import { usePreferences } from '../lib/use-preferences.ts';
import { exactTime } from '../lib/time.ts';
import { Button } from './button.tsx';
import { colourOf, type ChartProps } from './chart-model.ts';
import { SkeletonLines } from './feedback.tsx';
import { Time } from './data.tsx';
import styles from './chart.module.css';

const Plot = lazy(() => import('./chart-plot.tsx'));

/** Series over time, with the same numbers as a table, and what happened as marks. What draws it is loaded with the first chart. */
export function Chart(props: ChartProps) {
  const { title, times, series, events = [], format } = props;
  const [isTable, setTable] = useState(false);
  return (
    <figure className={styles.frame} aria-label={title}>
      <div className={styles.legend}>
        {series.map(({ name }, index) => (
          <span key={name}>
            <span className={styles.swatch} style={{ background: `var(${colourOf(index)})` }} />
            {name}
          </span>
        ))}
        <span className={styles.spacer} />
        <Button size="small" kind="quiet" onPress={() => setTable(!isTable)}>
          {isTable ? 'Chart' : 'Table'}
        </Button>
      </div>
      {isTable ? (
        <NumberTable {...{ title, times, series, format }} />
      ) : (
        <Suspense fallback={<SkeletonLines />}>
          <Plot {...props} />
        </Suspense>
      )}
      {events.length > 0 && !props.hidesEventList && (
        <ul className={styles.events}>
          {events.map(({ at, title: text }) => (
            <li key={`${at} ${text}`}>
              <Time at={at} /> · {text}
            </li>
          ))}
        </ul>
      )}
    </figure>
  );
}

function NumberTable({ title, times, series, format }: ChartProps) {
  const { zone } = usePreferences();
  // the newest are what is looked for, and more rows say nothing more
  const from = Math.max(0, times.length - 200);
  return (
    // it scrolls, so keys have to reach it
    <div className={styles.table} tabIndex={0} role="region" aria-label={`${title} as a table`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.slice(from).map((time, index) => (
            <tr key={time}>
              <th scope="row">{exactTime(new Date(time * 1000), zone)}</th>
              {series.map(({ name, values }) => {
                const value = values[from + index];
                return <td key={name}>{value === null || value === undefined ? '–' : format(value)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
