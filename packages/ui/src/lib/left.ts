import { useEffect, useRef, type RefObject } from 'react';

/** Whether a component is gone, for what ends after it: a dialog that was closed, a page that was left. */
export function useLeft(): Readonly<RefObject<boolean>> {
  const left = useRef(false);
  useEffect(() => {
    left.current = false;
    return () => void (left.current = true);
  }, []);
  return left;
}
