import { createContext, useContext, useEffect, type ReactNode } from 'react';

export const BreadcrumbContext = createContext<(items: readonly ReactNode[]) => void>(() => undefined);

/** Sets what the head shows of where the page is, after the name of the tenant. `key` is a text that changes with the items. */
export function useBreadcrumb(items: readonly ReactNode[], key: string): void {
  const set = useContext(BreadcrumbContext);
  useEffect(() => {
    set(items);
    // `items` are new elements each time
    // oxlint-disable-next-line react/exhaustive-deps
  }, [set, key]);
}
