import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import type { ResourceKey } from './keys.ts';

const pageSize = 100;

interface PageAnswer<Item> {
  data: { items: Item[]; total_results: number };
}

/** What is asked for of a list. */
export interface PageCall {
  query: { page: number; results: number };
  signal: AbortSignal;
}

/**
 * A query of a list that comes page by page.
 * @param call the operation, with the page and the signal that it passes on
 */
export const readPages = <Item>(key: ResourceKey, call: (page: PageCall) => Promise<PageAnswer<Item>>) =>
  infiniteQueryOptions({
    queryKey: key,
    queryFn: async ({ pageParam: page, signal }) =>
      (await call({ query: { page, results: pageSize }, signal })).data,
    initialPageParam: 1,
    getNextPageParam: ({ total_results }, _all, page) =>
      page * pageSize < total_results ? page + 1 : undefined,
  });

/** What a table shows of such a list: its rows so far, and how to get more. */
export function usePages<Item extends object>(query: ReturnType<typeof readPages<Item>>) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(query);
  const total = data?.pages[0]?.total_results;
  return {
    total,
    table: {
      rows: data?.pages.flatMap(({ items }) => items),
      error: error ?? undefined,
      onRetry: () => void refetch(),
      ...(total !== undefined && { total }),
      onMore: hasNextPage
        ? () => {
            if (!isFetchingNextPage) void fetchNextPage();
          }
        : undefined,
    },
  };
}
