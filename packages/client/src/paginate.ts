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
  // of the entries that were there at first, those before this place have been seen
  let frontier = 0;
  let retreats = 0;
  for (;;) {
    const { data } = await operation({
      ...call,
      query: { ...call.query, page, results },
      throwOnError: true,
    });
    if (!data) return;
    // as many entries, or fewer, have moved over the frontier
    frontier = Math.max(0, frontier + data.total_results - (total ?? data.total_results));
    total = data.total_results;
    for (const item of data.items) {
      const itsKey = key(item);
      if (seen.has(itsKey)) continue;
      seen.add(itsKey);
      retreats = 0;
      yield item;
    }
    const isBehind = frontier < (page - 1) * results;
    if (isBehind && retreats++ < mostRetreats) {
      page = Math.floor(frontier / results) + 1;
      continue;
    }
    frontier = Math.max(frontier, page * results);
    if (page * results >= total) return;
    page++;
  }
}

/** Earlier pages are read again so often without a new entry: a list may change faster than it is read. */
const mostRetreats = 10;

const keyOf = (item: unknown): unknown => (item as { id?: unknown }).id ?? JSON.stringify(item);
