import { useEffect, type ReactNode } from 'react';
import { ChevronRightIcon } from './icons.tsx';
import styles from './page.module.css';

export interface PageProps {
  title: string;
  /** beside the title, such as a status */
  mark?: ReactNode;
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame of every page: its heading, which is also the title of the document, its actions and its content. */
export function Page({ title, mark, about, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Sluice`;
  }, [title]);
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <div>
          <div className={styles.title}>
            <h1>{title}</h1>
            {mark}
          </div>
          {about !== undefined && <p className={styles.about}>{about}</p>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** Where the page is: links to what it is in, and its own name last. */
export function Breadcrumbs({ items }: { items: readonly ReactNode[] }) {
  return (
    <nav aria-label="Breadcrumb">
      <ol className={styles.crumbs}>
        {items.map((item, index) => (
          <li key={index} aria-current={index === items.length - 1 ? 'page' : undefined}>
            {index > 0 && <ChevronRightIcon />}
            {item}
          </li>
        ))}
      </ol>
    </nav>
  );
}
