import type { ReactNode } from 'react';
import { cx } from '../lib/cx.ts';
import type { StatusKind } from '../lib/status.ts';
import styles from './status.module.css';

const shapes: Record<StatusKind, ReactNode> = {
  // a filled disc with a tick, a broken ring, a triangle, an octagon, a ring
  ok: (
    <>
      <circle cx="7" cy="7" r="6" fill="currentColor" />
      <path d="m4.3 7.2 1.9 1.8 3.6-3.8" stroke="var(--surface)" />
    </>
  ),
  busy: (
    <path d="M7 1.8A5.2 5.2 0 1 1 1.8 7" stroke="currentColor" strokeWidth="2" className={styles.turning} />
  ),
  warn: (
    <>
      <path d="M7 1 13.3 12.4H.7Z" fill="currentColor" stroke="currentColor" strokeWidth="1" />
      <path d="M7 5v3.2M7 10.3v.1" stroke="var(--surface)" />
    </>
  ),
  bad: (
    <>
      <path d="M4.5 1h5L13 4.5v5L9.5 13h-5L1 9.5v-5Z" fill="currentColor" />
      <path d="m4.8 4.8 4.4 4.4M9.2 4.8 4.8 9.2" stroke="var(--surface)" />
    </>
  ),
  idle: <circle cx="7" cy="7" r="5" stroke="currentColor" strokeWidth="2" />,
};

/** The shape of a status, in its colour. A word has to stand beside it. */
export function StatusIcon({ kind }: { kind: StatusKind }) {
  return (
    <svg
      className={cx(styles.icon, styles[kind])}
      width="14"
      height="14"
      viewBox="0 0 14 14"
      fill="none"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      {shapes[kind]}
    </svg>
  );
}

/** A status by colour, shape and word. */
export function Status({ kind, children }: { kind: StatusKind; children: ReactNode }) {
  return (
    <span className={styles.status}>
      <StatusIcon kind={kind} />
      <span>{children}</span>
    </span>
  );
}

export function Tag({ children, kind }: { children: ReactNode; kind?: StatusKind }) {
  return <span className={cx(styles.tag, kind && styles[kind])}>{children}</span>;
}

/** Labels as `key=value`. */
export function Labels({ labels }: { labels: Readonly<Record<string, string>> }) {
  return (
    <span className={styles.tags}>
      {Object.entries(labels).map(([key, value]) => (
        <Tag key={key}>
          {key}={value}
        </Tag>
      ))}
    </span>
  );
}
