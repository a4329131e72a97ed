import { useEffect, useRef, type ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components';
import styles from './tabs.module.css';

export interface TabItem {
  key: string;
  title: ReactNode;
  content: ReactNode;
}

/** Tabs within a page or a popover. Tabs that are pages of their own are links: `TabLinks`. */
export function Tabs({
  items,
  label,
  selected,
  onSelect,
}: {
  items: readonly TabItem[];
  label: string;
  /** where the page chooses; without it the tabs keep which one is open */
  selected?: string;
  onSelect?: (key: string) => void;
}) {
  return (
    <AriaTabs
      keyboardActivation="manual"
      {...(selected !== undefined && { selectedKey: selected })}
      {...(onSelect && { onSelectionChange: (key) => onSelect(String(key)) })}
    >
      <TabList aria-label={label} className={styles.list ?? ''}>
        {items.map(({ key, title }) => (
          <Tab key={key} id={key} className={styles.tab ?? ''}>
            {title}
          </Tab>
        ))}
      </TabList>
      {items.map(({ key, content }) => (
        <TabPanel key={key} id={key} className={styles.panel ?? ''}>
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}

/** The frame of tabs that are pages. Its children are `Link`s with `className={tabClass}`. */
export function TabLinks({ label, children }: { label: string; children: ReactNode }) {
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    // on a phone the tab that is open may be out of sight; the page itself is not to scroll
    const element = list.current;
    const open = element?.querySelector<HTMLElement>('[data-status=active]');
    if (!element || !open) return;
    const { left, right } = open.getBoundingClientRect();
    const seen = element.getBoundingClientRect();
    if (left < seen.left || right > seen.right) element.scrollLeft += left - seen.left - seen.width / 4;
  });
  return (
    <nav ref={list} aria-label={label} className={styles.list}>
      {children}
    </nav>
  );
}

export const tabClass = styles.tab ?? '';
