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
 * Reads something now and again while the page is seen.
 * @param key what it is about: another one begins anew
 */
export function usePolled<Value>(read: () => Promise<Value>, everyMs: number, key: string): Polled<Value> {
  const [found, setFound] = useState<{ key: string; value?: Value; error?: unknown }>({ key });
  const [round, setRound] = useState(0);
  const reading = useRef(read);
  useEffect(() => {
    reading.current = read;
  });
  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      if (!document.hidden)
        await reading.current().then(
          (value) => !isOver && setFound({ key, value }),
          (error: unknown) =>
            !isOver && setFound((former) => ({ ...(former.key === key && former), key, error })),
        );
      if (!isOver) timer = setTimeout(() => void look(), everyMs);
    };
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [key, everyMs, round]);
  const refresh = useCallback(() => setRound((former) => former + 1), []);
  const isCurrent = found.key === key;
  return { value: isCurrent ? found.value : undefined, error: isCurrent ? found.error : undefined, refresh };
}
