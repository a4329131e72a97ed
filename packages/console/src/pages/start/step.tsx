import type { ReactNode } from 'react';
import { cx } from '@sluice/ui/lib/cx.ts';
import { StatusIcon } from '@sluice/ui/status.tsx';
import type { StatusKind } from '@sluice/ui/lib/status.ts';
import layout from '@sluice/ui/layout.module.css';
import styles from './start.module.css';

/** One step of the page, with a mark for how far it is. */
export function Step({
  title,
  state,
  children,
}: {
  title: string;
  /** idle: not reached yet */
  state: StatusKind;
  children?: ReactNode;
}) {
  return (
    <li className={cx(styles.step, state === 'idle' && layout.muted)}>
      <span className={styles.mark}>
        <StatusIcon kind={state} />
      </span>
      <div className={styles.body}>
        <h2>{title}</h2>
        {children}
      </div>
    </li>
  );
}
