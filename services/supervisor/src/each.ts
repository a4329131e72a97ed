/** Does the work for each item in turn. What fails holds up no other. @returns how many were done */
export async function each<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  failed: (item: Item, error: unknown) => void,
  signal?: AbortSignal,
): Promise<number> {
  let done = 0;
  for (const item of items) {
    if (signal?.aborted) break;
    await work(item).then(
      () => done++,
      (error: unknown) => failed(item, error),
    );
  }
  return done;
}
