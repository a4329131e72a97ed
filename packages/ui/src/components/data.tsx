import { useEffect, useState, type ReactNode } from 'react';
import { cx } from '../lib/cx.ts';
import { formatMoney } from '../lib/money.ts';
import { usePreferences } from '../lib/use-preferences.ts';
import { exactTime, refreshAfter, relativeTime } from '../lib/time.ts';
import styles from './data.module.css';

/** A time, relative to now; the exact one on hover and for screen readers, in the zone that the person has chosen. */
export function Time({ at, isExact }: { at: string | null; isExact?: boolean }) {
  const { zone } = usePreferences();
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    if (at === null || isExact) return;
    const timer = setTimeout(() => setNow(new Date()), refreshAfter(new Date(at), now));
    return () => clearTimeout(timer);
  }, [at, isExact, now]);
  if (at === null) return <span>–</span>;
  const exact = exactTime(new Date(at), zone);
  return (
    <time dateTime={at} title={exact} className={styles.time}>
      {isExact ? exact : relativeTime(new Date(at), now)}
    </time>
  );
}

/** An amount of US dollars, from the exact decimal of the API. */
export function Money({ amount }: { amount: string | null }) {
  return <span>{amount === null ? '–' : formatMoney(amount)}</span>;
}

/** Names and values of one object. What has no value is left out. */
export function DescriptionList({
  items,
}: {
  items: readonly (readonly [name: string, value: ReactNode])[];
}) {
  return (
    <dl className={styles.list}>
      {items
        .filter(([, value]) => value !== undefined && value !== null && value !== '')
        .map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>])}
    </dl>
  );
}

/** A part of a page with a heading. `flush` for tables and lists, which bring their own space. */
export function Card({
  title,
  actions,
  flush,
  children,
}: {
  title?: string;
  actions?: ReactNode;
  flush?: boolean;
  children: ReactNode;
}) {
  return (
    <section className={styles.card}>
      {title !== undefined && (
        <header className={styles.cardHead}>
          <h2>{title}</h2>
          {actions}
        </header>
      )}
      <div className={cx(styles.cardBody, flush && styles.flush)}>{children}</div>
    </section>
  );
}

/** A few numbers that matter, side by side. */
export function Figures({
  items,
}: {
  items: readonly { name: string; value: ReactNode; note?: ReactNode }[];
}) {
  return (
    <dl className={styles.figures}>
      {items.map(({ name, value, note }) => (
        <div key={name} className={styles.figure}>
          <dt>{name}</dt>
          <dd>{value}</dd>
          {note !== undefined && <dd>{note}</dd>}
        </div>
      ))}
    </dl>
  );
}
