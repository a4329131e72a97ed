import { useEffect, type ReactNode } from 'react';
import layout from '@sluice/ui/layout.module.css';
import icon from '../icon.svg';
import { ThemeMenu } from './theme-menu.tsx';
import styles from './shell.module.css';

/** The frame of pages without a tenant: sign-in, choice of an organization, errors. */
export function Plain({ title, about, children }: { title: string; about?: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Sluice`;
  }, [title]);
  return (
    <div className={styles.plain}>
      <header className={styles.plainHead}>
        <span className={styles.brand}>
          <img src={icon} alt="" />
          Sluice
        </span>
        <ThemeMenu />
      </header>
      <main className={styles.plainBody} id="main" tabIndex={-1}>
        <div className={styles.sheet}>
          <div>
            <h1>{title}</h1>
            {about !== undefined && <p className={layout.muted}>{about}</p>}
          </div>
          {children}
        </div>
      </main>
    </div>
  );
}
