import { useCallback, useEffect, useRef, useState } from 'react';

export interface Polled<Value> {
  /** undefined until it is there */
  value: Value | undefined;
  /** of the last attempt */
  error: unknown;
  /** reads it again now */
  refresh: () => void;
}

/**
 * Reads something now and again while the page is seen, and at once when it is seen again.
 * @param read gets what was read of it before
 * @param everyMs null to read it once
 * @param key what it is about: another one begins anew
 */
export function usePolled<Value>(
  read: (former: Value | undefined) => Promise<Value>,
  everyMs: number | null,
  key: string,
): Polled<Value> {
  const [found, setFound] = useState<{ key: string; value?: Value; error?: unknown }>({ key });
  const [round, setRound] = useState(0);
  const reading = useRef(read);
  const former = useRef(found);
  useEffect(() => {
    reading.current = read;
    former.current = found;
  });
  useEffect(() => {
    let isOver = false;
    let isReading = false;
    let isRead = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      clearTimeout(timer);
      if (isReading || document.hidden) return;
      isReading = true;
      const before = former.current.key === key ? former.current.value : undefined;
      await reading.current(before).then(
        (value) => !isOver && setFound({ key, value }),
        (error: unknown) => !isOver && setFound((last) => ({ ...(last.key === key && last), key, error })),
      );
      isReading = false;
      isRead = true;
      if (!isOver && everyMs !== null) timer = setTimeout(() => void look(), everyMs);
    };
    const seen = () => {
      if (everyMs !== null || !isRead) void look();
    };
    document.addEventListener('visibilitychange', seen);
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [key, everyMs, round]);
  const refresh = useCallback(() => setRound((former) => former + 1), []);
  const isCurrent = found.key === key;
  return { value: isCurrent ? found.value : undefined, error: isCurrent ? found.error : undefined, refresh };
}
