/** One page, as every paged list answers. */
interface Page<Item> {
  items: Item[];
  total_results: number;
}

interface Paged {
  query?: { page?: number; results?: number };
  signal?: AbortSignal | null;
}

export interface PaginateOptions<Item> {
  /** entries per request (default 100, the most) */
  results?: number;
  /** what tells an entry from others; its `id` if not given, without one its text */
  key?: (item: Item) => unknown;
}

/**
 * All entries of a list, page by page as they are read.
 *
 * `operation` is a generated function of a list with pages, and `call` what it takes. No entry comes twice, and none that is there the
 * whole time is left out, although entries are added at the head or removed anywhere meanwhile: entries move to later pages then, or
 * to earlier ones.
 */
export async function* paginate<Call extends object, Item>(
  operation: (call: Call) => Promise<{ data?: Page<Item> | undefined }>,
  call: Call & Paged,
  { results = 100, key = keyOf }: PaginateOptions<Item> = {},
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<unknown>();
  let page = 1;
  let total: number | undefined;
  // how many of the removed entries can be made up for by added ones
  let added = 0;
  for (;;) {
    const { data } = await operation({
      ...call,
      query: { ...call.query, page, results },
      throwOnError: true,
    });
    if (!data) return;
    const change = data.total_results - (total ?? data.total_results);
    total = data.total_results;
    for (const item of data.items) {
      const itsKey = key(item);
      if (seen.has(itsKey)) continue;
      seen.add(itsKey);
      yield item;
    }
    // entries that were not read yet can have moved by so many places to the pages before this one
    const moved = Math.max(0, -change - added);
    added = Math.max(0, added + change);
    if (moved > 0 && page > 1) page = Math.max(1, page - Math.ceil(moved / results));
    else if (page * results >= total) return;
    else page++;
  }
}

const keyOf = (item: unknown): unknown => (item as { id?: unknown }).id ?? JSON.stringify(item);
