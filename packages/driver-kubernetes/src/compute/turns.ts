/** One after the other for each key, in this process. */
export function turns<Key>() {
  const last = new Map<Key, Promise<unknown>>();
  return async (key: Key, work: () => Promise<void>): Promise<void> => {
    const former = last.get(key) ?? Promise.resolve();
    const turn = former.catch(() => undefined).then(work);
    last.set(key, turn);
    try {
      await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
}
