import { useEffect, useLayoutEffect, useRef } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { cx } from '@sluice/ui/lib/cx.ts';
import type { ShownLine } from '@sluice/console-core/lib/log-lines.ts';
import { usePreferences } from '@sluice/ui/lib/use-preferences.ts';
import { exactTime, type TimeZoneChoice } from '@sluice/ui/lib/time.ts';
import styles from './logs.module.css';

interface LogLinesProps {
  lines: readonly ShownLine[];
  /** undefined where there is only one */
  nodeName: ((id: number) => string) | undefined;
  isPaused: boolean;
  /** to read what is above is to pause; to come back to the end is to go on */
  onPause: (isPaused: boolean) => void;
}

/** Lines of a log, the newest at the end, drawn only where they are seen. It stays at the end until the reader scrolls up. */
export function LogLines({ lines, nodeName, isPaused, onPause }: LogLinesProps) {
  const { zone } = usePreferences();
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 22,
    getItemKey: (index) => lines[index]?.key ?? index,
    overscan: 20,
  });
  const newest = lines.at(-1)?.key;
  useLayoutEffect(() => {
    if (!isPaused && lines.length > 0) virtualizer.scrollToIndex(lines.length - 1, { align: 'end' });
  }, [isPaused, newest, lines.length, virtualizer]);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onWheel = ({ deltaY }: WheelEvent) => {
      if (deltaY < 0 && !isPaused && element.scrollHeight > element.clientHeight) onPause(true);
      const rest = element.scrollHeight - element.scrollTop - element.clientHeight;
      if (deltaY > 0 && isPaused && rest < 4) onPause(false);
    };
    element.addEventListener('wheel', onWheel, { passive: true });
    return () => element.removeEventListener('wheel', onWheel);
  }, [isPaused, onPause]);
  const items = virtualizer.getVirtualItems();
  return (
    <div
      ref={scroller}
      className={styles.lines}
      role="log"
      aria-label="Lines of the logs"
      aria-live="off"
      // it scrolls, so keys have to reach it
      tabIndex={0}
      onKeyDown={({ key }) => {
        if (['ArrowUp', 'PageUp', 'Home'].includes(key) && !isPaused) onPause(true);
        if (key === 'End' && isPaused) onPause(false);
      }}
    >
      <div className={styles.all} style={{ height: virtualizer.getTotalSize() }}>
        <div className={styles.seen} style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
          {items.map(({ index, key }) => {
            const line = lines[index];
            if (!line) return null;
            const { at, level, runtime, node_id: node, message } = line;
            return (
              <div
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                className={cx(styles.line, styles[level])}
              >
                <time dateTime={at} title={exactTime(new Date(at), zone)}>
                  {clockTime(at, zone)}
                </time>
                <span className={styles.level}>{level}</span>
                <span className={styles.source}>
                  {runtime}
                  {nodeName && ` · ${nodeName(node)}`}
                </span>
                <span className={styles.message}>{message}</span>
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

const clock = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
} as const;
const clocks = {
  local: new Intl.DateTimeFormat('en-GB', clock),
  utc: new Intl.DateTimeFormat('en-GB', { ...clock, timeZone: 'UTC' }),
};

/** `09:26:53.589`; the day is on hover */
const clockTime = (at: string, zone: TimeZoneChoice) => clocks[zone].format(new Date(at));
